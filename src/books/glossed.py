"""Lines of plain text that are an example without a number of its own: words, glosses, meaning."""

from __future__ import annotations

from collections.abc import Sequence

import regex

from src.books.lines import BULLETS, closes_quote, is_example_number, is_label, opens_quote

_FEWEST_WORDS = 2
_MOST_TIERS = 2  # above the glosses: the words, and the words parted into morphemes
_LONGEST_MEANING = 4
_ABBREVIATION = regex.compile(r"(?:^|[-=.~:])(?:[1-3]?\p{Lu}{2,}\d?|[1-3]|\p{Lu})(?=$|[-=.~:/])")
_BOUNDARY = regex.compile(r"[-=]")


def glossed_end(lines: Sequence[str], start: int) -> int:
    """Return the line after an example that begins at ``start``; ``start`` where none does.

    It is one where a line of glosses stands below a line of as many words, and ends the lines or
    has a translation in quotation marks after it.
    """
    words = _words(lines[start])
    if len(words) < _FEWEST_WORDS or words[-1].endswith(":"):
        return start
    for row in range(start + 1, min(start + 1 + _MOST_TIERS, len(lines))):
        glosses = lines[row].split()
        if len(glosses) != len(words):
            return start
        if _are_glosses(glosses, words):
            return _end(lines, row + 1) or start
        words = glosses
    return start


def _words(line: str) -> list[str]:
    """Return the words of a line without its bullet, labels and number."""
    words = line.split()
    while words and (words[0] in BULLETS or is_label(words[0]) or is_example_number(words[0])):
        words = words[1:]
    return words


def _are_glosses(glosses: Sequence[str], words: Sequence[str]) -> bool:
    if any(_ABBREVIATION.search(gloss) and gloss != "I" for gloss in glosses):
        return True
    parted = [len(_BOUNDARY.findall(gloss)) for gloss in glosses]
    return any(parted) and parted == [len(_BOUNDARY.findall(word)) for word in words]


def _end(lines: Sequence[str], row: int) -> int:
    """Return the line after a translation, or after glosses that end the lines; else 0."""
    if row >= len(lines):
        return row
    if not opens_quote(lines[row].lstrip()):
        return 0
    for end in range(row, min(row + _LONGEST_MEANING, len(lines))):
        if closes_quote(lines[end].rstrip()):
            return end + 1
    return row + 1
