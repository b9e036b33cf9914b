"""What reading a book has shown, for the report: remarks, quality, what the book calls itself."""

from __future__ import annotations

import re
from collections import Counter
from collections.abc import Sequence

from src.books.book import Remark
from src.corpus.pages import format_pages
from src.importers.grammars.one_book import Outcome
from src.importers.report import Entry, Report, counted
from src.records import Document

# As many remarks of one kind are enough to see what they are about.
_SHOWN = 20
_REMARK = "noted while reading"
_SELF = "the book says of itself"
# What of that is known of a grammar where no table says otherwise.
OF_ITSELF = ("title", "author")
# The PDF reader's words for it.
_BLANK = "has no text"
_PAGE = re.compile(r"page (\d+)")
# Of a book's pages; chapters begin on right-hand pages, and many books have that many blank ones.
_MANY_BLANK = 0.1


def note_book(outcome: Outcome, document: Document, report: Report) -> None:
    """Note what there is to say of a book that was read."""
    file = document.file
    report.info(file, "quality", _figures(document, len(outcome.paragraphs)))
    for field, value in outcome.metadata.items():
        report.info(file, _SELF, value, column=field)
    for said in outcome.warnings:
        report.warning(file, "quality to look at", said)
    _note_blank_pages(document, [r for r in outcome.remarks if _is_blank(r)], report)
    _note_remarks(file, [r for r in outcome.remarks if not _is_blank(r)], report)


def said_of_itself(entries: Sequence[Entry]) -> dict[str, str]:
    """Return a book's own metadata from what was noted of it."""
    return {entry.column: entry.why for entry in entries if entry.what == _SELF}


def _is_blank(remark: Remark) -> bool:
    return remark.what == _BLANK and _PAGE.fullmatch(remark.where) is not None


def _note_blank_pages(document: Document, blank: Sequence[Remark], report: Report) -> None:
    if not blank:
        return
    pages = [int(remark.where.removeprefix("page ")) for remark in blank]
    more = f" and {len(pages) - _SHOWN} more" if len(pages) > _SHOWN else ""
    why = (
        f"{len(pages)} of {document.pages} ({blank[0].why}): page{'s' * (len(pages) > 1)} "
        f"{format_pages(pages[:_SHOWN])}{more}"
    )
    note = report.info if len(pages) < _MANY_BLANK * document.pages else report.warning
    note(document.file, "pages without text", why)


def _note_remarks(file: str, remarks: Sequence[Remark], report: Report) -> None:
    counts = Counter(remark.what for remark in remarks)
    shown: Counter[str] = Counter()
    for remark in remarks:
        shown[remark.what] += 1
        if shown[remark.what] <= _SHOWN:
            what = f"{remark.what} ({remark.why})" if remark.why else remark.what
            report.warning(file, _REMARK, f"{remark.where}: {what}" if remark.where else what)
    for what, count in counts.items():
        if count > _SHOWN:
            more = counted(count - _SHOWN, "more time")
            report.warning(file, _REMARK, f"{what}: {more} in this file")


def _figures(document: Document, paragraphs: int) -> str:
    shares = {
        "U+FFFD among characters": document.replaced,
        "words found nowhere else in the book": document.unknown_words,
        "near-empty pages": document.empty_pages,
        "pages with suspected columns": document.columns,
        "paragraphs with LaTeX left in them": document.residue,
    }
    counts = f"{paragraphs} paragraphs, {document.characters} characters, {document.pages} pages"
    return f"{counts}; " + ", ".join(f"{what} {share:.2%}" for what, share in shares.items())
