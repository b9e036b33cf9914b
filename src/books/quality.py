"""How well a book could be read, and what a person should look at."""

from __future__ import annotations

import math
from collections import Counter
from collections.abc import Callable, Container, Iterable, Iterator, Sequence
from dataclasses import dataclass

import regex

from src.books.book import Book
from src.books.latex.residue import residue
from src.records import Paragraph

FEWEST_LETTERS = 50  # on a page that is not near-empty

# Shares from which on a person should look. Born-digital books have next to no U+FFFD.
MANY_REPLACED = 0.001
MANY_EMPTY_PAGES = 0.1
# An index in two columns is usual, and columns are read in order.
MANY_COLUMNS = 0.1
FEWEST_COLUMN_PAGES = 2
MANY_RESIDUES = 0.005

# Words that stand nowhere else are many in dictionaries and lists of names too, but not in the
# parts of 500 words where they are fewest (the tenth at one end). Eleven clean books of 33,000 to
# 261,000 words, one mostly a dictionary, have shares of 0.004 to 0.035 there; with five characters
# in a hundred confused, 0.058 to 0.150. The curve of many_unknown() lies between the two for each
# of them, and for parts of them from 5,000 words on.
PART = 500
_BEST = 0.1
_AT_ONE, _FALL = 4.0, 0.39
FEWEST_WORDS = 5000

_WORD = regex.compile(r"[\p{L}\p{M}]{2,}")
_ENOUGH = regex.compile(rf"(?:\p{{L}}\P{{L}}*+){{{FEWEST_LETTERS}}}")
_RUNNING = frozenset({"text", "item", "footnote"})


@dataclass(frozen=True, slots=True)
class Quality:
    """What was counted in a book; the shares (0 to 1) are those of ``records.Document``."""

    pages: int
    characters: int
    words: int
    replaced_characters: int
    unknown_word_tokens: int
    unknown_at_best: float
    near_empty_pages: tuple[int, ...]
    column_pages: tuple[int, ...]
    paragraphs: int
    residues: tuple[str, ...]

    @property
    def replaced(self) -> float:
        """Share of U+FFFD among the characters."""
        return _share(self.replaced_characters, self.characters)

    @property
    def unknown_words(self) -> float:
        """Share of the words of running text that stand nowhere else in it."""
        return _share(self.unknown_word_tokens, self.words)

    @property
    def empty_pages(self) -> float:
        """Share of pages with fewer than 50 letters."""
        return _share(len(self.near_empty_pages), self.pages)

    @property
    def columns(self) -> float:
        """Share of pages that look as if they had more than one column."""
        return _share(len(self.column_pages), self.pages)

    @property
    def residue(self) -> float:
        """Share of paragraphs with a LaTeX command left in them."""
        return _share(len(self.residues), self.paragraphs)


def measure(book: Book, paragraphs: Sequence[Paragraph], form: str = "") -> Quality:
    """Count what tells how well a book could be read.

    Characters are those of its blocks. Words are runs of two or more letters, case-folded, in
    texts, items and footnotes: examples hold words of the language described, and tables parts
    of words. Pages of books without pages (LaTeX) are not counted. ``residues`` are the ids of
    paragraphs with a LaTeX command in them, in books of the form ``latex`` alone: others print a
    backslash because they mean it. Where the form is not told, it is that of books without pages.
    ``unknown_at_best`` is the share of unknown words in the parts of 500 words where it is lowest:
    not of the lowest, but the tenth part of the way up.
    """
    counts = Counter(word for words in _words(book) for word in words)
    once = {word for word, count in counts.items() if count == 1}
    texts = [block.text for block in book.blocks]
    pages = book.pages if book.paged else ()
    from_latex = form == "latex" if form else not book.paged
    return Quality(
        pages=len(pages),
        characters=sum(map(len, texts)),
        words=counts.total(),
        replaced_characters=sum(text.count("\ufffd") for text in texts),
        unknown_word_tokens=len(once),
        unknown_at_best=_at_best(_words(book), once),
        near_empty_pages=tuple(page.number for page in pages if not _ENOUGH.search(page.text)),
        column_pages=tuple(book.column_pages) if book.paged else (),
        paragraphs=len(paragraphs),
        residues=tuple(each.id for each in paragraphs if from_latex and residue(each.text)),
    )


def warnings(quality: Quality) -> list[str]:
    """Say in words what a person should look at; a good book gets no warning."""
    if quality.characters == 0:
        return ["No text was found: the pages may be images that have no text under them (OCR)."]
    return [said for rule in _RULES if (said := rule(quality))]


def many_unknown(words: int) -> float:
    """Return the share of unknown words at best from which on a book so long looks misread."""
    return min(1.0, _AT_ONE / math.pow(max(words, 1), _FALL))


def _words(book: Book) -> Iterator[Iterator[str]]:
    """Yield the words of each block of running text; never a list, since a block may be a book."""
    for block in book.blocks:
        if block.kind in _RUNNING:
            yield (found[0] for found in _WORD.finditer(block.text.casefold()))


def _at_best(blocks: Iterable[Iterable[str]], once: Container[str]) -> float:
    shares: list[float] = []
    words = alone = 0
    for block in blocks:
        for word in block:
            words += 1
            alone += word in once
        if words >= PART:
            shares.append(alone / words)
            words = alone = 0
    return sorted(shares)[int(_BEST * len(shares))] if shares else 0.0


def _share(part: int, whole: int) -> float:
    return part / whole if whole else 0.0


def _percent(share: float) -> str:
    return f"{100 * share:.0f} %" if share >= 0.0995 else f"{100 * share:.2g} %"


def _say_words(quality: Quality) -> str:
    at_best = quality.unknown_at_best
    if quality.words < FEWEST_WORDS or at_best < many_unknown(quality.words):
        return ""
    return (
        f"{_percent(quality.unknown_words)} of the words stand nowhere else in the book, "
        f"{_percent(at_best)} even in its best parts: the text looks like bad OCR."
    )


def _say_replaced(quality: Quality) -> str:
    if quality.replaced < MANY_REPLACED:
        return ""
    return (
        f"{_percent(quality.replaced)} of the characters could not be read (they are U+FFFD): "
        "a font of the file does not tell which characters it draws."
    )


def _say_pages(quality: Quality) -> str:
    if quality.empty_pages < MANY_EMPTY_PAGES:
        return ""
    return (
        f"{len(quality.near_empty_pages)} of {quality.pages} pages hold next to no text (the first "
        f"are {_first(quality.near_empty_pages)}): they may be images without text (OCR)."
    )


def _say_columns(quality: Quality) -> str:
    if len(quality.column_pages) < FEWEST_COLUMN_PAGES or quality.columns < MANY_COLUMNS:
        return ""
    return (
        f"{len(quality.column_pages)} of {quality.pages} pages look as if they had more than one "
        f"column (the first are {_first(quality.column_pages)}): see whether their lines are in "
        "order."
    )


def _say_residue(quality: Quality) -> str:
    if quality.residue < MANY_RESIDUES:
        return ""
    return (
        f"{len(quality.residues)} of {quality.paragraphs} paragraphs hold LaTeX commands that were "
        f"not understood (the first are {_first(quality.residues)})."
    )


def _first(things: Iterable[object]) -> str:
    return ", ".join(str(thing) for thing in list(things)[:3])


_RULES: tuple[Callable[[Quality], str], ...] = (
    _say_words,
    _say_replaced,
    _say_pages,
    _say_columns,
    _say_residue,
)
