"""Running headers, footers and page numbers: what stands on pages without being their text."""

from __future__ import annotations

import re
from collections import Counter
from collections.abc import Iterable, Sequence
from dataclasses import dataclass

from src.books.lines import is_page_number
from src.books.pdf.lines import Line

_EDGE = 2  # lines at a page's top and at its bottom that are looked at
_SAME_HEIGHT = 3.0  # points
_LARGER = 1.15
_FEW_PAGES = 8
_DIGITS = re.compile(r"\d+")


@dataclass(frozen=True, slots=True)
class EdgeLine:
    """One of a page's outermost lines; ``rank`` 0 is the outermost."""

    page: int
    top: bool
    rank: int
    y: float
    size: float
    text: str

    @property
    def place(self) -> tuple[int, float]:
        """Page and height, by which a line is found again."""
        return self.page, self.y


def edge_lines(page: int, lines: Sequence[Line]) -> list[EdgeLine]:
    """Return the outermost lines of a page."""
    rows = sorted(lines, key=lambda line: line.y)
    found = []
    for rank, row in enumerate(rows[:_EDGE]):
        found.append(EdgeLine(page, True, rank, row.y, row.size, row.text))
    for rank, row in enumerate(rows[_EDGE:][::-1][:_EDGE]):
        found.append(EdgeLine(page, False, rank, row.y, row.size, row.text))
    return found


def furniture_of(edges: Sequence[EdgeLine], pages: int, body: float) -> set[tuple[int, float]]:
    """Return the places (page, height) of headers, footers and page numbers.

    A line is one if it is nothing but a page number; if it repeats, up to digits, at one height;
    or if it stands at a height where page numbers stand on other pages. The second line from the
    edge is asked only where the first is one. Large type (chapters) never is.
    """
    needed = 2 if pages < _FEW_PAGES else 3
    small = [edge for edge in edges if edge.size <= _LARGER * body or is_page_number(edge.text)]
    repeated = _repeated(small, needed)
    numbered = _numbered(small, needed)
    heights = Counter((edge.top, edge.rank, round(edge.y)) for edge in numbered)
    found: set[tuple[int, float]] = set()
    outer: set[tuple[int, bool]] = set()
    for edge in sorted(small, key=lambda edge: edge.rank):
        if edge.rank and (edge.page, edge.top) not in outer:
            continue
        at_height = sum(heights[edge.top, edge.rank, round(edge.y) + d] for d in (-1, 0, 1))
        lone = is_page_number(edge.text) and edge.rank == 0
        often = at_height >= max(needed, pages // 5)
        if lone or often or edge in repeated or edge in numbered:
            found.add(edge.place)
            outer.add((edge.page, edge.top))
    return found


def _repeated(edges: Iterable[EdgeLine], needed: int) -> set[EdgeLine]:
    """Return the lines whose text, up to digits, stands at one height on several pages."""
    groups: dict[tuple[bool, str], list[EdgeLine]] = {}
    for edge in edges:
        key = " ".join(_DIGITS.sub("#", edge.text).casefold().split())
        groups.setdefault((edge.top, key), []).append(edge)
    found: set[EdgeLine] = set()
    for group in groups.values():
        for near in _near_heights(group):
            if len({edge.page for edge in near}) >= needed:
                found.update(near)
    return found


def _numbered(edges: Sequence[EdgeLine], needed: int) -> set[EdgeLine]:
    """Return the lines that begin or end with a number which grows with the pages."""
    steps: dict[int, list[EdgeLine]] = {}
    for edge in edges:
        words = edge.text.split()
        for word in {words[0], words[-1]} if words else set():
            if word.isdecimal() and len(word) < 5:
                steps.setdefault(int(word) - edge.page, []).append(edge)
    found: set[EdgeLine] = set()
    for group in steps.values():
        for near in _near_heights(group):
            if len({edge.page for edge in near}) >= needed:
                found.update(near)
    return found


def _near_heights(edges: Iterable[EdgeLine]) -> list[list[EdgeLine]]:
    """Group lines that stand at nearly one height."""
    groups: list[list[EdgeLine]] = []
    for edge in sorted(edges, key=lambda edge: (edge.y, edge.page)):
        if groups and edge.y - groups[-1][-1].y <= _SAME_HEIGHT:
            groups[-1].append(edge)
        else:
            groups.append([edge])
    return groups
