"""A PDF into a book: a first pass learns what pages share, a second one reads them."""

from __future__ import annotations

from collections.abc import Sequence
from itertools import groupby
from pathlib import Path
from typing import Any

from src.books.book import Block, Book, Page, Remark
from src.books.pdf.drafts import Draft
from src.books.pdf.glyphs import MOST_GLYPHS
from src.books.pdf.lines import Line
from src.books.pdf.notes import notes_of, part_notes, take_mark
from src.books.pdf.opening import attachments_of, metadata_of, opened
from src.books.pdf.page import drafts_of, open_example_of, page_text
from src.books.pdf.shape import Shape, shape_of
from src.books.pdf.stitching import last_flowing, stitch
from src.books.pdf.survey import Survey, page_lines, survey
from src.books.text import clean
from src.errors import GrambenchError

# A scan may have a title page of text put before it; a book has text on more pages than this.
_FEWEST_WITH_TEXT = 0.05
# More tables and captions than this do not stand between two parts of a paragraph.
_MAY_GO_ON = 8
_TITLE_PAGE_WORDS = 12
_UNREAD = f"is damaged, or holds more than {MOST_GLYPHS} characters"


def read_pdf(path: Path) -> Book:
    """Read a PDF: its blocks in reading order, its pages without headers, footers and numbers.

    Pages are read one by one, twice; only their text is kept.

    Raises:
        GrambenchError: the file cannot be read as a PDF, or has no text; says what to do.
        OSError: the file cannot be opened.
    """
    with opened(path) as document:
        found = survey(document)
        count = len(document)
        _check_text(path, found, count)
        reader = _Reader(document, found)
        for number in range(1, count + 1):
            reader.read(number)
        return Book(
            blocks=reader.finish(),
            pages=reader.pages,
            column_pages=found.columns,
            remarks=[*attachments_of(document), *_remarks(found)],
            metadata=metadata_of(document),
        )


class _Reader:
    """Reads page after page; ``_open`` are the drafts that the next page may go on with,
    ``_shape`` is that of the column with the last of them that is no table or caption."""

    def __init__(self, document: Any, found: Survey) -> None:
        self.pages: list[Page] = []
        self._document = document
        self._survey = found
        self._blocks: list[Block] = []
        self._open: list[Draft] = []
        self._shape: Shape | None = None
        self._note: Draft | None = None

    def read(self, number: int) -> None:
        read = page_lines(self._document, number - 1)
        lines = [line for line in read[0] if not self._is_furniture(number, line)] if read else []
        texts: list[str] = []
        notes: list[str] = []
        for _, rows in groupby(lines, key=lambda line: line.column):
            text, note = self._column(list(rows), number)
            texts.append(text)
            notes.append(note)
        self._title_page()
        text = "\n\n".join(part for part in texts + notes if part)
        self.pages.append(Page(number, clean(text)))

    def finish(self) -> list[Block]:
        self._close(0)
        return self._blocks

    def _title_page(self) -> None:
        """Make the title page text: nothing stands under the author's name.

        It is the first page with text, if that has headings without numbers and besides no more
        than a few words, such as a year and a publisher.
        """
        headings = [draft for draft in self._open if draft.kind == "heading"]
        rest = sum(len(" ".join(d.rows).split()) for d in self._open if d.kind != "heading")
        numbered = any(draft.rows[0][:1].isdigit() for draft in headings)
        if not self._blocks and rest <= _TITLE_PAGE_WORDS and not (numbered and rest):
            for draft in headings:
                draft.kind, draft.level = "text", 0

    def _is_furniture(self, number: int, line: Line) -> bool:
        return (number, line.y) in self._survey.furniture

    def _column(self, lines: list[Line], number: int) -> tuple[str, str]:
        """Read a column; return its text and that of its footnotes as they stand on the page."""
        body, foot = part_notes(lines, self._survey.size)
        before, notes = notes_of(foot, number, self._note)
        foot_text = "\n".join(line.text for line in foot[len(before) :])
        body += before
        if notes:
            self._note = notes[-1]
        marks = [take_mark(note, body) for note in notes]
        if not body:
            self._attach(notes, [None] * len(notes), [])
            return "", foot_text
        shape = shape_of(body, self._survey, number)
        last = last_flowing(self._open)
        example = open_example_of(last, self._shape) if last and self._shape else None
        drafts = drafts_of(body, shape, example)
        text = page_text(drafts, shape.spacing)
        self._attach(notes, marks, drafts)
        stitch(self._open, drafts, self._shape, shape)
        if last_flowing(drafts):
            self._shape = shape
        self._close(_MAY_GO_ON)
        return text, foot_text

    def _attach(
        self, notes: Sequence[Draft], marks: Sequence[Line | None], drafts: Sequence[Draft]
    ) -> None:
        """Put footnotes after the blocks in which their marks stand, else after the last text."""
        texts = [d for d in (*self._open, *drafts) if d.kind in ("text", "item")]
        fallback = texts[-1] if texts else next(iter(drafts or self._open), None)
        for note, mark in zip(notes, marks, strict=True):
            owner = next((d for d in drafts if any(line is mark for line in d.lines)), fallback)
            if owner is None:
                self._open.append(note)
            else:
                owner.notes.append(note)

    def _close(self, keep: int) -> None:
        """Finish all drafts but the last ones, which may go on."""
        done = max(0, len(self._open) - keep)
        for draft in self._open[:done]:
            self._blocks += draft.blocks(self._survey.words)
        self._open = self._open[done:]


def _check_text(path: Path, found: Survey, count: int) -> None:
    without = len(found.empty)
    if len(found.unread) == count:
        raise GrambenchError(
            f"None of the {count} pages of {path.name} can be loaded: each {_UNREAD}."
        )
    if without == count - len(found.unread) or without > (1 - _FEWEST_WITH_TEXT) * count:
        raise GrambenchError(
            f"{path.name} has no text on {without} of its {count} pages: they are pictures. "
            "Run OCR, for example with `ocrmypdf scan.pdf text.pdf`, and import the result."
        )


def _remarks(found: Survey) -> list[Remark]:
    """Say what pages were not read as they stand."""
    kinds = (
        (found.unread, "cannot be loaded", _UNREAD),
        (found.empty, "has no text", "blank, or a picture without OCR"),
        (found.turned, "has text across the page that was left out", "turned or slanted text"),
    )
    return [Remark(f"page {n}", what, why) for pages, what, why in kinds for n in pages]
