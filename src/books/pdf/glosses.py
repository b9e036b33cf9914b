"""Glossed examples as lines: words over glosses, and a translation, with single blanks."""

from __future__ import annotations

from collections.abc import Sequence
from itertools import pairwise

from src.books.lines import closes_quote, is_example_number, is_sub_label, opens_quote
from src.books.pdf.lines import Line, Word, plain
from src.books.pdf.shape import Shape

_NEAR = 0.15  # type sizes
_SHARE = 0.75
# Lines of an example as it is spoken or written, before those that are glossed.
_MOST_FREE_LINES = 3


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
        if words:
            item.append(words)
    return rows + _labelled(label, _item_rows(item, shape))


def aligned(upper: Sequence[Word], lower: Sequence[Word], size: float) -> bool:
    """Tell whether the words of two lines begin below each other, as glosses do.

    Of the line with fewer words nearly all begin where one of the other begins; both have two
    words at least. A first word may be without a gloss, as ``[...]`` is.
    """
    fewer, more = sorted((upper, lower), key=len)
    if len(fewer) < 2 or len(more) > 2 * len(fewer) + 1:
        return False
    met = sum(_begins_below(word, more, size) for word in fewer)
    return met >= _SHARE * len(fewer) and _begins_below(fewer[0], more[:2], size)


def _begins_below(word: Word, others: Sequence[Word], size: float) -> bool:
    return any(abs(word.x0 - other.x0) < _NEAR * size for other in others)


def _has_number(lines: Sequence[Line], size: float) -> bool:
    """Tell whether an example begins with a number, or a label that stands out to the left."""
    words = lines[0].words
    if is_example_number(plain(words[0].text)):
        return len(words) > 1 or len(lines) > 1
    if len(words) < 2 or len(lines) < 2:
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
    for first in range(_MOST_FREE_LINES + 1):
        if joined := _joined(lines[first:], shape.size):
            return (_rejoined(lines[:first], shape) if first else []) + joined
    if _tier_count(lines, shape.size) > 1:
        return [_text(line) for line in lines]
    return _rejoined(lines, shape)


def _joined(lines: list[list[Word]], size: float) -> list[str]:
    """Return as many lines as there are tiers; nothing where they do not stand above each other."""
    if len(lines) < 2:
        return []
    for count in dict.fromkeys((_tier_count(lines, size), 2, 3)):
        groups = [lines[row : row + count] for row in range(0, len(lines), count)]
        if count == 1 or len(groups[-1]) < count or not all(_fits(g, size) for g in groups):
            continue
        if any(aligned(group[0], group[1], size) for group in groups):
            return [" ".join(_text(group[tier]) for group in groups) for tier in range(count)]
    return []


def _tier_count(lines: list[list[Word]], size: float) -> int:
    """Return how many lines at the beginning stand above each other, word by word."""
    count = 1
    while count < min(len(lines), 4) and aligned(lines[count - 1], lines[count], size):
        count += 1
    return count if count < 4 or len(lines) == 4 else 2


def _fits(group: list[list[Word]], size: float) -> bool:
    """Tell whether lines may be tiers of one another; a single word is over anything."""
    for upper, lower in pairwise(group):
        fewer, more = sorted((upper, lower), key=len)
        if len(fewer) > 1 and not aligned(upper, lower, size):
            return False
        if not _begins_below(fewer[0], more, size):
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
