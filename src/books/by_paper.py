"""Paragraphs as MTOB makes them: pieces between blank lines, joined where a sentence goes on."""

from __future__ import annotations

import re
from collections.abc import Iterator

import regex

from src.books.book import Book
from src.books.pieces import Piece

_BLANK_LINES = re.compile(r"\n\s*\n")
# At a piece's end any quotation mark closes: “ and ‘ do in German, « and ‹ in Danish.
_ENDED = regex.compile(r"[.?!…][”’\"'»›“‘«‹]?$")
# Caseless letters of the script (ʔ, ǃ) and raised ones (ʰ) cannot be capitals: they tell nothing.
_FIRST_LATIN = regex.compile(r"(?V1)[\p{Latin}&&[\p{Lu}\p{Lt}\p{Ll}]]")


def by_paper(book: Book) -> Iterator[Piece]:
    """Yield the paragraphs of a book's pages by MTOB's rule.

    A page is split on blank lines. A piece is joined to the previous one, also over page breaks,
    if that does not end in ``.``, ``?``, ``!`` or an ellipsis, optionally followed by a closing
    quotation mark, or if the piece's first Latin letter (with case) is a small one. Equal
    paragraphs collapse into the first, with the pages of all.

    Nothing is put between joined pieces. The line ends around blank lines and page breaks belong
    to neither piece; other white space at a piece's edges stays where it is joined, and goes at
    the edges of a paragraph. Line ends within pieces stay.
    """
    merged: dict[str, dict[int, None]] = {}
    for text, pages in _joined(book):
        merged.setdefault(text, {}).update(pages)
    for text, pages in merged.items():
        yield Piece(text, tuple(sorted(pages)) if book.paged else ())


def _joined(book: Book) -> Iterator[tuple[str, dict[int, None]]]:
    parts: list[str] = []
    pages: dict[int, None] = {}
    for piece, page in _pieces(book):
        if parts and not _goes_on(parts[-1], piece):
            yield "".join(parts).strip(), pages
            parts, pages = [], {}
        parts.append(piece)
        pages[page] = None
    if parts:
        yield "".join(parts).strip(), pages


def _pieces(book: Book) -> Iterator[tuple[str, int]]:
    for page in book.pages:
        for piece in _BLANK_LINES.split(page.text):
            if piece.strip():
                yield piece.strip("\n"), page.number


def _goes_on(before: str, piece: str) -> bool:
    """Tell whether a piece goes on with the one before it."""
    if not _ENDED.search(before.rstrip()[-2:]):
        return True
    first = _FIRST_LATIN.search(piece)
    return first is not None and first[0].islower()
