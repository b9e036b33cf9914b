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
_DEEPEST_INDENT = 6.0  # type sizes
CELL_GAP = 0.85  # type sizes
_OTHER_SIZE = 0.08
_OTHER_SIZE_OCR = 0.25
_LARGER = 1.08
_LARGER_OCR = 1.35
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

    def is_other_type(self, before: Line, line: Line) -> bool:
        """Tell whether two lines differ in type size more than those of one text do."""
        allowed = _OTHER_SIZE if self.survey.steady else _OTHER_SIZE_OCR
        return abs(line.size - before.size) > allowed * before.size

    def is_large(self, line: Line) -> bool:
        """Tell whether a line's type is larger than that of the text."""
        return line.size > (_LARGER if self.survey.steady else _LARGER_OCR) * self.size

    def is_full(self, line: Line, room: float = 2.0) -> bool:
        """Tell whether a line reaches the right margin, but for ``room`` type sizes."""
        return line.x1 > self.right - room * self.size

    def had_room(self, before: Line, line: Line) -> bool:
        """Tell whether a line's first word would have fitted at the end of the line before."""
        right = self.right - (self.ragged and (self.right - self.left) * _RAGGED_ROOM)
        return _had_room(before, line, right, self.size)


def shape_of(lines: Sequence[Line], survey: Survey, page: int) -> Shape:
    """Measure a column of a page."""
    near = (_LIKE_BODY if survey.steady else _OTHER_SIZE_OCR) * survey.size
    like = [line for line in lines if abs(line.size - survey.size) < near]
    rows = like or list(lines)
    left = min(line.x0 for line in rows)
    usual = survey.lefts.get((page % 2, rows[0].column), left)
    if 0 < left - usual < _DEEPEST_INDENT * survey.size:
        # All that stands here is indented: the end of an example, a page of them.
        left = usual
    right = _right(rows)
    if not rows[0].column:
        right = max(right, left + survey.width)
    hanging = _hangs(rows, left, _right(rows), survey)
    flowing = [
        line for line in rows if line.x0 - left < survey.size and len(line.cells(CELL_GAP)) == 1
    ]
    ragged = _is_ragged(flowing, right, survey)
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
    """Return where most full lines end, but for rows of tables; what sticks out moves nothing."""
    rows = [line for line in rows if len(line.cells(CELL_GAP)) == 1] or rows
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
