"""Pieces: glyphs that stand together on one line without a blank between them."""

from __future__ import annotations

import unicodedata
from dataclasses import dataclass

import numpy as np

from src.books.pdf.glyphs import Floats, Glyphs

# In parts of the type size. A blank is about a quarter, in tight lines a fifth; kerning a tenth.
BLANK = 0.15
# The boxes of italics stick out into the blanks: less will do where pdfium sees one as well.
_SEEN_BLANK = 0.03
# Where a page has blanks as characters, gaps say little: widths of OCR text are guesses.
_BLANK_BESIDE_BLANKS = 0.3
_MANY_BLANKS = 0.05
_OTHER_LINE = 0.1
_BACKWARDS = 0.5
# A mark may stick out to the right of its letter, hardly ever to the left.
_MARK_NEAR = 0.3
_MARK_BESIDE = 0.05

# Accents that TeX sets as glyphs of their own over a letter, and what they are in Unicode.
_LOOSE_ACCENTS = {
    "`": "\u0300",
    "´": "\u0301",
    "ˆ": "\u0302",
    "˜": "\u0303",
    "¯": "\u0304",
    "˘": "\u0306",
    "˙": "\u0307",
    "¨": "\u0308",
    "˚": "\u030a",
    "˝": "\u030b",
    "ˇ": "\u030c",
    "¸": "\u0327",
    "˛": "\u0328",
}


@dataclass(slots=True)
class Piece:
    """Glyphs without a gap; ``blank`` tells whether a blank follows, ``gap`` how wide one is."""

    text: str
    x0: float
    x1: float
    y: float
    size: float
    bold: bool
    blank: bool
    gap: float = BLANK


def pieces_of(glyphs: Glyphs) -> list[Piece]:
    """Return the pieces of a page in the order of its content."""
    if not len(glyphs):
        return []
    text, left, right, origin, size = _marks_on_letters(glyphs)
    blank = np.array([not letter or letter.isspace() for letter in text], dtype=np.bool_)
    empty = np.array([letter == "" for letter in text], dtype=np.bool_)
    many = (blank & ~empty).mean() > _MANY_BLANKS
    gap = _BLANK_BESIDE_BLANKS if many else BLANK
    step = np.zeros(len(text))
    step[1:] = left[1:] - right[:-1]
    # The letters of a ligature share one box.
    step[1:][(left[1:] == left[:-1]) & (right[1:] == right[:-1])] = 0.0
    largest = size.copy()
    largest[1:] = np.maximum(size[1:], size[:-1])
    moved = np.zeros(len(text), dtype=np.bool_)
    moved[1:] = np.abs(np.diff(origin)) > _OTHER_LINE * largest[1:]
    # Beside raised and lowered type pdfium sees blanks where there are none.
    seen = glyphs.spaced & (step > min(_SEEN_BLANK, gap) * largest) & ~moved
    apart = seen | moved | (step > gap * largest) | (step < -_BACKWARDS * largest)
    apart[1:] |= (blank & ~empty)[1:] | (blank & ~empty)[:-1]
    apart[0] = True
    starts = np.flatnonzero(apart)
    ends = np.append(starts[1:], len(text))
    right_most = np.maximum.reduceat(right, starts)
    tallest = np.maximum.reduceat(size, starts)
    found: list[Piece] = []
    seen_at = seen[starts].tolist()
    for row, (start, end) in enumerate(zip(starts.tolist(), ends.tolist(), strict=True)):
        word = "".join(text[start:end])
        if not word.strip():
            if found and word:
                found[-1].blank = True
            continue
        if seen_at[row] and found:
            found[-1].blank = True
        bold = bool(glyphs.bold[start:end].all())
        place = float(left[start]), float(right_most[row]), float(origin[start])
        found.append(Piece(word, *place, float(tallest[row]), bold, False, gap))
    return found


def _marks_on_letters(
    glyphs: Glyphs,
) -> tuple[list[str], Floats, Floats, Floats, Floats]:
    """Place combining marks on the letter before them, and spacing accents on theirs."""
    text = list(glyphs.text)
    left, right = glyphs.left.copy(), glyphs.right.copy()
    origin, size = glyphs.origin.copy(), glyphs.size.copy()
    for row, letter in enumerate(text):
        if letter.isascii() and letter != "`":
            continue
        if letter in _LOOSE_ACCENTS:
            _place_accent(text, left, right, row)
        elif row and _is_mark(letter):
            base = _base_of_mark(text, left, right, origin, size, row)
            if base != row - 1:
                text[base] += letter
                text[row] = ""
            left[row] = right[row] = right[row - 1]
            origin[row], size[row] = origin[row - 1], size[row - 1]
    return text, left, right, origin, size


def _is_mark(letter: str) -> bool:
    return bool(letter) and unicodedata.combining(letter[0]) != 0


def _base_of_mark(
    text: list[str],
    left: Floats,
    right: Floats,
    origin: Floats,
    size: Floats,
    row: int,
) -> int:
    """Return the row of the letter that a combining mark stands on: as a rule the one before.

    Some files draw the marks of a line after its letters.
    """
    middle = (left[row] + right[row]) / 2
    last = row - 1
    while last and not text[last]:
        last -= 1
    if left[last] - _MARK_BESIDE * size[row] <= middle <= right[last] + _MARK_NEAR * size[row]:
        return row - 1
    over = (np.abs(origin - origin[row]) < 0.5 * size[row]) & (left <= middle) & (middle <= right)
    for found in np.flatnonzero(over).tolist():
        if text[found] and not _is_mark(text[found]):
            # Marks that already stand on it come first.
            while found + 1 < row and _is_mark(text[found + 1]):
                found += 1
            return int(found)
    return row - 1


def _place_accent(text: list[str], left: Floats, right: Floats, row: int) -> None:
    """Let an accent that is set over the next or the previous letter combine with it."""
    middle = (left[row] + right[row]) / 2
    for other in (row + 1, row - 1):
        if not 0 <= other < len(text) or not text[other].isalpha():
            continue
        if left[other] < middle < right[other]:
            # TeX takes the dot off i and j first.
            letter = {"ı": "i", "ȷ": "j"}.get(text[other], text[other])
            text[other] = letter + _LOOSE_ACCENTS[text[row]]
            text[row] = ""
            left[row] = right[row] = left[other] if other > row else right[other]
            return
