"""Running headers, footers and page numbers: what stands on pages without being their text."""

from __future__ import annotations

import re
from collections import Counter
from collections.abc import Iterable, Sequence
from dataclasses import dataclass

from src.books.lines import is_example_number, is_page_number

_SAME_HEIGHT = 3.0  # points
_LARGER = 1.15
_FEW_PAGES = 8
_DIGITS = re.compile(r"\d+")
# A part of the pages that most page numbers keep step with.
_IN_STEP = 0.2
_YEAR = 1000
_ROMANS = ("", "i", "ii", "iii", "iv", "v", "vi", "vii", "viii", "ix")
_ROMAN = re.compile(r"(xc|xl|l?x{0,3})(ix|iv|v?i{0,3})")
_AS_ONES = str.maketrans("xlc", "ivx")


@dataclass(frozen=True, slots=True)
class EdgeLine:
    """One of a page's outermost lines; ``rank`` 0 is the outermost.

    ``apart`` tells whether white space is between it and the page's text.
    """

    page: int
    top: bool
    rank: int
    y: float
    size: float
    text: str
    apart: bool = True

    @property
    def place(self) -> tuple[int, float]:
        """Page and height, by which a line is found again."""
        return self.page, self.y


def furniture_of(
    edges: Sequence[EdgeLine], pages: int, body: float, by_height: bool = True
) -> set[tuple[int, float]]:
    """Return the places (page, height) of headers, footers and page numbers.

    A line is one if it is nothing but a page number; if it repeats, up to digits, at one height;
    or if it stands at a height where page numbers stand on other pages (``by_height``). The
    second line from the edge is asked only where the first is one, or where it is nothing but a
    number that grows with the pages: then the first is one too. Large type (chapters) never is.
    """
    needed = 2 if pages < _FEW_PAGES else 3
    small = [edge for edge in edges if edge.size <= _LARGER * body or is_page_number(edge.text)]
    repeated = _repeated(small, needed)
    numbered = _numbered(small, needed)
    heights = Counter((edge.top, edge.rank, round(edge.y)) for edge in numbered)
    # On a short page one line is of the top and of the foot; then a head is above it.
    inside = {
        edge.page: edge.top
        for edge in sorted(numbered, key=lambda edge: edge.top)
        if edge.rank and is_page_number(edge.text)
    }
    found: set[tuple[int, float]] = set()
    outer: set[tuple[int, bool]] = set()
    for edge in sorted(small, key=lambda edge: edge.rank):
        if edge.rank and (edge.page, edge.top) not in outer:
            continue
        at_height = sum(heights[edge.top, edge.rank, round(edge.y) + d] for d in (-1, 0, 1))
        lone = _is_lone_number(edge) or (edge.apart and inside.get(edge.page) == edge.top)
        often = by_height and at_height >= max(needed, pages // 5)
        if (lone and not edge.rank) or often or edge in repeated or edge in numbered:
            found.add(edge.place)
            outer.add((edge.page, edge.top))
    return found


def _is_lone_number(edge: EdgeLine) -> bool:
    """Tell a page number from a year, and from the number of an example that begins below."""
    numbers = [number for roman, number in _numbers(edge.text) if not roman]
    year = bool(numbers) and numbers[0] >= _YEAR
    return is_page_number(edge.text) and not year and not edge.text.startswith("(")


def _repeated(edges: Iterable[EdgeLine], needed: int) -> set[EdgeLine]:
    """Return the lines whose text, up to digits, stands at one height on several pages.

    Where digits differ, white space must be between them and the text: ``{0003#S48}`` may end many
    examples, whose numbers are no headers either.
    """
    groups: dict[tuple[bool, str], list[EdgeLine]] = {}
    for edge in edges:
        key = " ".join(_DIGITS.sub("#", edge.text).casefold().split())
        if is_example_number(edge.text):
            continue
        groups.setdefault((edge.top, key), []).append(edge)
    found: set[EdgeLine] = set()
    for group in groups.values():
        for near in _near_heights(group):
            same = Counter(edge.text for edge in near)
            if len({edge.page for edge in near}) >= needed:
                found.update(edge for edge in near if edge.apart or same[edge.text] >= needed)
    return found


def _numbered(edges: Sequence[EdgeLine], needed: int) -> set[EdgeLine]:
    """Return the lines that begin or end with a number which grows with the pages.

    Numbers of sections keep step with a few pages by chance: what is a page number does so with
    many. Where a number stands alone on a page, another line of that page has none.
    """
    steps: dict[tuple[bool, int], list[EdgeLine]] = {}
    for edge in edges:
        for roman, number in _numbers(edge.text):
            steps.setdefault((roman, number - edge.page), []).append(edge)
    most = Counter[bool]()
    for (roman, _), group in steps.items():
        most[roman] = max(most[roman], len({edge.page for edge in group}))
    found: set[EdgeLine] = set()
    for (roman, _), group in steps.items():
        if len({edge.page for edge in group}) < _IN_STEP * most[roman]:
            continue
        alone = {edge.page for edge in group if is_page_number(edge.text)}
        # Chapter 1 may begin on page 1; a head that goes with every number is no such heading.
        twice = {edge.page for edge in group if not is_page_number(edge.text)} & alone
        if len(twice) < needed:
            group = [edge for edge in group if edge.page not in alone or is_page_number(edge.text)]
        for near in _near_heights(group):
            # Some few roman numbers stand alone at the foot, where chapters begin; one at the head.
            if len({edge.page for edge in near} | (alone if roman else set())) >= needed:
                found.update(near)
    return found


def _numbers(text: str) -> set[tuple[bool, int]]:
    """Return the numbers that a line begins or ends with, and whether they are roman."""
    words = text.strip("-–—[]() ").split()
    found: set[tuple[bool, int]] = set()
    for word in words[:1] + words[-1:]:
        if word.isdecimal() and len(word) < 5:
            found.add((False, int(word)))
        elif value := _roman(word):
            found.add((True, value))
    return found


def _roman(word: str) -> int:
    """Return the value of a small roman number below 100; 0 where a word is none."""
    found = _ROMAN.fullmatch(word)
    if not found:
        return 0
    tens, ones = found.groups()
    return 10 * _ROMANS.index(tens.translate(_AS_ONES)) + _ROMANS.index(ones)


def _near_heights(edges: Iterable[EdgeLine]) -> list[list[EdgeLine]]:
    """Group lines that stand at nearly one height."""
    groups: list[list[EdgeLine]] = []
    for edge in sorted(edges, key=lambda edge: (edge.y, edge.page)):
        if groups and edge.y - groups[-1][-1].y <= _SAME_HEIGHT:
            groups[-1].append(edge)
        else:
            groups.append([edge])
    return groups
