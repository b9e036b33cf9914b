"""Footnotes: where they begin at the foot of a column, and where their marks stand."""

from __future__ import annotations

import re
from collections.abc import Sequence

from src.books.lines import ends_sentence
from src.books.pdf.drafts import Draft, draft
from src.books.pdf.lines import LEVEL, RAISED, Line

_SMALLER = 0.93
_NUMBER = re.compile(r"(\d{1,3}|[*†‡§]{1,3})[.)]?(?=\s|$)")
_MARK = re.compile(f"{RAISED}([^{LEVEL}]*){LEVEL}")


def part_notes(lines: list[Line], body: float) -> tuple[list[Line], list[Line]]:
    """Part a column's lines into text and the small type at its foot."""
    first = len(lines)
    while first and lines[first - 1].size <= _SMALLER * body:
        first -= 1
    return lines[:first], lines[first:]


def notes_of(
    foot: Sequence[Line], page: int, open_note: Draft | None
) -> tuple[list[Line], list[Draft]]:
    """Return the footnotes in a column's foot, and the lines before them that belong to none.

    A note begins with a number or sign. What stands before the first one goes on with
    ``open_note``, the last one of the page before, if that does not end a sentence.
    """
    starts = [row for row, line in enumerate(foot) if _begins(line, foot)]
    first = starts[0] if starts else len(foot)
    before = list(foot[:first])
    if before and open_note is not None and not ends_sentence(open_note.rows[-1]):
        open_note.go_on(draft("footnote", before, page))
        before = []
    ends = [*starts[1:], len(foot)] if starts else []
    return before, [
        draft("footnote", foot[start:end], page) for start, end in zip(starts, ends, strict=True)
    ]


def _begins(line: Line, foot: Sequence[Line]) -> bool:
    """Tell whether a small line begins a note: its number is raised, or it is indented or alone."""
    found = _NUMBER.match(line.text)
    if not found or len(line.words) < 2:
        return False
    if line.raised_start or not found[1].isdecimal():
        return True
    left = min(other.x0 for other in foot)
    others = [other for other in foot if _NUMBER.match(other.text)]
    return line.x0 > left + 1 or others[0] is line or abs(line.x0 - others[0].x0) < 1


def take_mark(note: Draft, lines: Sequence[Line]) -> Line | None:
    """Take a note's mark, raised in the text, out of it; return the line in which it stood.

    Other raised figures stay: they are tones, powers, or marks of what is not on this page.
    """
    found = _NUMBER.match(note.rows[0])
    if found is None:
        return None
    return next((line for line in lines if _take(line, found[1])), None)


def _take(line: Line, number: str) -> bool:
    if line.raised_start and len(line.words) > 1 and line.words[0].text == number:
        del line.words[0]
        return True
    for word in line.words:
        if RAISED not in word.text:
            continue
        for mark in _MARK.finditer(word.text):
            if mark[1].strip(",;") == number:
                word.text = word.text[: mark.start()] + word.text[mark.end() :]
                if not word.text and len(line.words) > 1:
                    line.words.remove(word)
                return True
    return False
