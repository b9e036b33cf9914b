"""Paragraphs of a book: their ids, and which method makes them."""

from __future__ import annotations

from src.books.book import Block, Book, Page
from src.books.paragraphs import paragraphs_of
from src.books.settings import ParagraphSettings
from src.records import Paragraph

BOOK = Book(
    [Block("heading", "1 Verbs", (1,), 1, "ch:verbs"), Block("text", "One. Two.", (1, 2))],
    [Page(1, "1 Verbs\n\nOne.\n"), Page(2, "Two.\n")],
)


def test_blocks() -> None:
    assert paragraphs_of(BOOK, "kuti", ParagraphSettings()) == [
        Paragraph("kuti/0001", "kuti", "1 Verbs\nOne. Two.", (1, 2), "1 Verbs", "ch:verbs")
    ]


def test_paper() -> None:
    assert paragraphs_of(BOOK, "kuti", ParagraphSettings("paper")) == [
        Paragraph("kuti/0001", "kuti", "1 VerbsOne.", (1,)),
        Paragraph("kuti/0002", "kuti", "Two.", (2,)),
    ]


def test_ids_go_on_beyond_four_digits() -> None:
    book = Book([Block("footnote", f"{n} Note.") for n in range(10_000)], [], paged=False)
    ids = [paragraph.id for paragraph in paragraphs_of(book, "kuti", ParagraphSettings())]
    assert (ids[0], ids[998], ids[-1]) == ("kuti/0001", "kuti/0999", "kuti/10000")


def test_an_empty_book_has_none() -> None:
    assert paragraphs_of(Book([], []), "kuti", ParagraphSettings()) == []
    assert paragraphs_of(Book([], []), "kuti", ParagraphSettings("paper")) == []
