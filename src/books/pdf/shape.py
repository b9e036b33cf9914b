"""The shape of a column of text: its margins and how its paragraphs begin."""

from __future__ import annotations

from collections import Counter
from collections.abc import Sequence
from dataclasses import dataclass
from itertools import pairwise

from src.books.lines import ends_sentence, is_example_number, may_end_paragraph
from src.books.pdf.lines import Line
from src.books.pdf.survey import Survey

_LIKE_BODY = 0.1
_INDENT = 0.6
_CLOSE = 1.5  # points
# In ragged lines, this part of the width may be empty inside a paragraph.
_RAGGED_ROOM = 0.25
_SAME_TEXT = 1.15  # line spacings


@dataclass(frozen=True, slots=True)
class Shape:
    """Margins, type size and spacing of a column.

    ``hanging`` tells whether paragraphs are outdented, ``ragged`` whether lines end where they
    will, ``indents`` whether the book indents paragraphs.
    """

    left: float
    right: float
    size: float
    spacing: float
    hanging: bool
    ragged: bool
    indents: bool
    survey: Survey
    page: int

    def indent(self, line: Line) -> float:
        """Return how far a line is indented, in type sizes."""
        return (line.x0 - self.left) / self.size

    def step(self, before: Line, line: Line) -> float:
        """Return the distance of two lines, in line spacings."""
        size = max(before.size, line.size)
        return (line.y - before.y) / (self.spacing * max(1.0, size / self.size))

    def is_full(self, line: Line, room: float = 2.0) -> bool:
        """Tell whether a line reaches the right margin, but for ``room`` type sizes."""
        return line.x1 > self.right - room * self.size

    def had_room(self, before: Line, line: Line) -> bool:
        """Tell whether a line's first word would have fitted at the end of the line before."""
        right = self.right - (self.ragged and (self.right - self.left) * _RAGGED_ROOM)
        return _had_room(before, line, right, self.size)


def shape_of(lines: Sequence[Line], survey: Survey, page: int) -> Shape:
    """Measure a column of a page."""
    like = [line for line in lines if abs(line.size - survey.size) < _LIKE_BODY * survey.size]
    rows = like or list(lines)
    left = min(line.x0 for line in rows)
    right = _right(rows)
    if not rows[0].column:
        right = max(right, left + survey.width)
    hanging = _hangs(rows, left, _right(rows), survey)
    ragged = _is_ragged(rows, right, survey)
    return Shape(
        left, right, survey.size, survey.spacing, hanging, ragged, survey.indents, survey, page
    )


def _had_room(before: Line, line: Line, right: float, size: float) -> bool:
    first = line.words[0]
    return before.x1 + 0.35 * size + (first.x1 - first.x0) < right - 0.3 * size


def _is_ragged(rows: Sequence[Line], right: float, survey: Survey) -> bool:
    """Tell whether lines inside paragraphs often end before they must."""
    inside = short = 0
    for before, line in pairwise(rows):
        near = (
            abs(before.x0 - line.x0) < _CLOSE
            and 0 < line.y - before.y < _SAME_TEXT * survey.spacing
        )
        if near and not may_end_paragraph(before.text):
            inside += 1
            short += _had_room(before, line, right, survey.size)
    return short >= 3 and short > 0.25 * inside


def _right(rows: Sequence[Line]) -> float:
    """Return where most full lines end; lines that stick out do not move the margin."""
    ends = Counter(round(line.x1) for line in rows)
    usual, times = max(ends.items(), key=lambda item: (item[1], item[0]))
    furthest = max(line.x1 for line in rows)
    return float(usual) if times > max(2, len(rows) // 4) else furthest


def _hangs(rows: Sequence[Line], left: float, right: float, survey: Survey) -> bool:
    """Tell whether indented lines go on (indexes, bibliographies) instead of beginning."""
    size = survey.size
    continuing = beginning = running = 0
    for before, line in pairwise(rows):
        if abs(before.x0 - left) > _CLOSE or before.column != line.column:
            continue
        full = before.x1 > right - 5 * size or before.text.endswith((",", ";"))
        goes_on = full and not ends_sentence(before.text)
        if line.x0 - left < _INDENT * size:
            running += goes_on and line.y - before.y < _SAME_TEXT * survey.spacing
        elif line.x0 - left < 4 * size and not is_example_number(line.words[0].text):
            continuing += goes_on
            beginning += not goes_on
    return continuing > max(2 * beginning, running)
