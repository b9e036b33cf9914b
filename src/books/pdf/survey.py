"""The first pass over a PDF: what its pages have in common."""

from __future__ import annotations

from collections import Counter
from dataclasses import dataclass, field
from itertools import groupby, pairwise
from typing import Any

from src.books.furniture import furniture_of
from src.books.hyphens import words_of
from src.books.lines import ends_sentence, heading_number
from src.books.pdf.columns import read_lines
from src.books.pdf.furniture import edge_lines
from src.books.pdf.glyphs import read_glyphs
from src.books.pdf.lines import Line
from src.books.pdf.pieces import pieces_of
from src.books.text import clean

_LARGER = 1.08
_LONGEST_HEADING = 160
_USUAL_LEVEL = 2
_DEEPEST = 4
_SEVERAL = 3
_STEADY = 0.3


@dataclass(frozen=True)
class Survey:
    """What is common to a book's pages: type size, line spacing, furniture, words.

    ``levels`` are the levels that headings of a type size (and boldness) have by their numbers,
    ``deeper`` is 1 where ``1 Title`` is a section, since chapters without such numbers are above;
    ``indents`` tells whether paragraphs begin with an indentation; ``lefts`` are the left margins
    of left and right pages (0, 1) and columns, where most pages have the same. Type sizes are
    ``steady`` unless they were guessed by OCR, line by line.
    """

    size: float
    spacing: float
    width: float
    indents: bool
    furniture: set[tuple[int, float]]
    words: frozenset[str]
    levels: dict[tuple[float, bool], int] = field(default_factory=dict)
    deeper: int = 0
    columns: tuple[int, ...] = ()
    empty: tuple[int, ...] = ()
    unread: tuple[int, ...] = ()
    turned: tuple[int, ...] = ()
    lefts: dict[tuple[int, int], float] = field(default_factory=dict)
    steady: bool = True

    def level(self, size: float, bold: bool) -> int:
        """Return the level of an unnumbered heading by its type."""
        key = (round(size, 1), bold)
        if key in self.levels:
            return self.levels[key]
        if not self.levels:
            return _USUAL_LEVEL
        larger = [level for (other, _), level in self.levels.items() if other >= key[0]]
        return min(max(larger, default=0) + 1, _DEEPEST)


def page_lines(document: Any, index: int) -> tuple[list[Line], bool, int] | None:
    """Return lines, whether they are in columns, and how many glyphs were left out as turned."""
    glyphs = read_glyphs(document, index)
    if glyphs is None:
        return None
    pieces = pieces_of(glyphs)
    lines, columns = read_lines(pieces) if pieces else ([], False)
    return lines, columns, glyphs.turned


class _Counts:
    """What is counted while the pages go by."""

    def __init__(self) -> None:
        self.sizes: Counter[float] = Counter()
        self.steps: dict[float, list[float]] = {}
        self.widths: Counter[int] = Counter()
        self.depths: dict[tuple[float, bool], Counter[int]] = {}
        self.large: Counter[float] = Counter()
        self.lefts: dict[tuple[int, int], Counter[int]] = {}
        self.indented = 0
        self.spaced = 0

    def add(self, number: int, lines: list[Line]) -> None:
        for line in lines:
            self.sizes[round(line.size, 1)] += len(line.text)
            self.widths[round(line.x1 - line.x0)] += len(line.text)
        for before, line in pairwise(lines):
            if before.column == line.column and abs(before.size - line.size) < 0.5:
                self._pair(before, line)
        for line in lines:
            self._heading(line)
        for column, rows in groupby(lines, key=lambda line: line.column):
            left = min(line.x0 for line in rows)
            self.lefts.setdefault((number % 2, column), Counter())[round(left)] += 1

    def _pair(self, before: Line, line: Line) -> None:
        step = (line.y - before.y) / line.size
        if not 0.8 < step < 3:
            return
        times = self.steps.setdefault(round(step, 1), [0.0, 0.0])
        times[0] += 1
        times[1] += step
        if not ends_sentence(before.text):
            return
        indent = (line.x0 - before.x0) / line.size
        self.indented += step < 1.6 and 0.7 < indent < 4
        self.spaced += step >= 1.6 and abs(indent) < 0.3

    def _heading(self, line: Line) -> None:
        self.large[round(line.size, 1)] += line.size > _LARGER * self.body
        if (
            len(line.words) > 25
            or line.words[-1].text.isdecimal()
            or not (line.bold or line.size > _LARGER * self.body)
        ):
            return
        found = heading_number(line.text)
        if found:
            key = (round(line.size, 1), line.bold)
            self.depths.setdefault(key, Counter())[found[1]] += 1

    @property
    def body(self) -> float:
        """The type size of most of the text so far."""
        return max(self.sizes, key=lambda size: (self.sizes[size], size), default=10.0)

    @property
    def steady(self) -> bool:
        """Whether much of the text has one type size."""
        return self.sizes[self.body] >= _STEADY * self.sizes.total()

    @property
    def step(self) -> float:
        """The usual distance of two lines, in type sizes."""
        times, total = max(self.steps.values(), default=[1.0, 1.2])
        return total / times

    @property
    def deeper(self) -> int:
        """1 where larger headings stand above those with a number of one part, else 0."""
        first = [size for (size, _), depths in self.depths.items() if self._usual(depths) == 1]
        top = max(first, default=float("inf"))
        above = sum(times for size, times in self.large.items() if size > 1.05 * top)
        return int(above >= _SEVERAL)

    def margins(self) -> dict[tuple[int, int], float]:
        """Return the left margins that at least half of the pages of a kind have."""
        usual = {key: lefts.most_common(1)[0] for key, lefts in self.lefts.items()}
        return {
            key: float(left)
            for key, (left, times) in usual.items()
            if times >= max(2, self.lefts[key].total() / 2)
        }

    def levels(self) -> dict[tuple[float, bool], int]:
        return {key: self._usual(depths) + self.deeper for key, depths in self.depths.items()}

    @staticmethod
    def _usual(depths: Counter[int]) -> int:
        return min(depths, key=lambda depth: (-depths[depth], depth))


def survey(document: Any) -> Survey:
    """Read all pages once and keep only what they have in common."""
    counts, edges, words = _Counts(), [], set[str]()
    columns, empty, unread, turned = [], [], [], []
    for index in range(len(document)):
        number = index + 1
        read = page_lines(document, index)
        if read is None:
            unread.append(number)
            continue
        lines, in_columns, across = read
        if across:
            turned.append(number)
        if in_columns:
            columns.append(number)
        if not lines:
            empty.append(number)
        counts.add(number, lines)
        edges += edge_lines(number, lines)
        words |= words_of([clean("\n".join(line.text for line in lines))])
    body = counts.body
    return Survey(
        size=body,
        spacing=body * counts.step,
        width=float(max(counts.widths, key=lambda width: counts.widths[width], default=0)),
        indents=counts.indented > counts.spaced,
        furniture=furniture_of(edges, len(document), body),
        words=frozenset(words),
        levels=counts.levels(),
        deeper=counts.deeper,
        columns=tuple(columns),
        empty=tuple(empty),
        unread=tuple(unread),
        turned=tuple(turned),
        lefts=counts.margins(),
        steady=counts.steady,
    )
