"""Glossed examples as lines: words over glosses, and a translation, with single blanks."""

from __future__ import annotations

from collections.abc import Sequence
from itertools import pairwise

from src.books.lines import closes_quote, is_example_number, is_sub_label, opens_quote
from src.books.pdf.lines import Line, Word, plain
from src.books.pdf.shape import Shape

_NEAR = 0.15  # type sizes
_SHARE = 0.75


def example_rows(lines: Sequence[Line], shape: Shape) -> list[str]:
    """Return an example's lines: those of a long one that were wrapped are put together again."""
    rows: list[str] = []
    label: list[str] = []
    item: list[list[Word]] = []
    for line in lines:
        words = list(line.words)
        labels: list[str] = []
        if line is lines[0] and _has_number(lines, shape.size):
            labels.append(plain(words.pop(0).text))
        while len(words) > 1 and is_sub_label(plain(words[0].text)):
            labels.append(plain(words.pop(0).text))
        if labels and item:
            rows += _labelled(label, _item_rows(item, shape))
            label, item = [], []
        label += labels
        item.append(words)
    return rows + _labelled(label, _item_rows(item, shape))


def aligned(upper: Sequence[Word], lower: Sequence[Word], size: float) -> bool:
    """Tell whether the words of two lines begin below each other, as glosses do.

    Of the line with fewer words nearly all begin where one of the other begins; both have two
    words at least.
    """
    fewer, more = sorted((upper, lower), key=len)
    if len(fewer) < 2 or len(more) > 2 * len(fewer) + 1:
        return False
    starts = [word.x0 for word in more]
    met = sum(any(abs(word.x0 - x) < _NEAR * size for x in starts) for word in fewer)
    return met >= _SHARE * len(fewer) and abs(fewer[0].x0 - starts[0]) < _NEAR * size


def _has_number(lines: Sequence[Line], size: float) -> bool:
    """Tell whether an example begins with a number, or a label that stands out to the left."""
    words = lines[0].words
    if len(words) < 2 or is_example_number(plain(words[0].text)):
        return len(words) > 1
    if len(lines) < 2:
        return False
    return abs(words[1].x0 - lines[1].x0) < _NEAR * size < lines[1].x0 - words[0].x0


def _labelled(label: list[str], rows: list[str]) -> list[str]:
    return [" ".join([*label, rows[0]]), *rows[1:]] if rows else []


def _item_rows(lines: list[list[Word]], shape: Shape) -> list[str]:
    """Return the rows of one (sub-)example: glossed lines, then what follows from a quotation."""
    rows: list[str] = []
    start = 0
    while start < len(lines):
        quoted = start
        while quoted < len(lines) and (
            quoted == start == 0 or not opens_quote(_text(lines[quoted]))
        ):
            quoted += 1
        rows += _tiers(lines[start:quoted], shape)
        end = quoted
        while end < len(lines):
            end += 1
            if closes_quote(_text(lines[end - 1])):
                break
        if end > quoted:
            rows.append(" ".join(_text(line) for line in lines[quoted:end]))
        start = end
    return rows


def _tiers(lines: list[list[Word]], shape: Shape) -> list[str]:
    """Join what was wrapped: pairs (or threes) of lines that stand above each other."""
    if not lines:
        return []
    count = _tier_count(lines, shape.size)
    if count > 1 and len(lines) % count == 0:
        groups = [lines[row : row + count] for row in range(0, len(lines), count)]
        if all(_fits(group, shape.size) for group in groups):
            return [" ".join(_text(group[tier]) for group in groups) for tier in range(count)]
    if count > 1:
        return [_text(line) for line in lines]
    return _rejoined(lines, shape)


def _tier_count(lines: list[list[Word]], size: float) -> int:
    """Return how many lines at the beginning stand above each other, word by word."""
    count = 1
    while count < min(len(lines), 4) and aligned(lines[count - 1], lines[count], size):
        count += 1
    return count if count < 4 or len(lines) == 4 else 2


def _fits(group: list[list[Word]], size: float) -> bool:
    """Tell whether lines may be tiers of one another; a single word is over anything."""
    for upper, lower in pairwise(group):
        if min(len(upper), len(lower)) > 1 and not aligned(upper, lower, size):
            return False
        if abs(upper[0].x0 - lower[0].x0) > _NEAR * size:
            return False
    return True


def _rejoined(lines: list[list[Word]], shape: Shape) -> list[str]:
    """Join lines without glosses that were wrapped because they reached the margin."""
    rows = [_text(lines[0])]
    for before, line in pairwise(lines):
        room = shape.right - before[-1].x1
        if line[0].x1 - line[0].x0 + 0.3 * shape.size > room:
            rows[-1] += " " + _text(line)
        else:
            rows.append(_text(line))
    return rows


def _text(words: Sequence[Word]) -> str:
    return plain(" ".join(word.text for word in words))
