"""A book to the paragraphs of a pack."""

from __future__ import annotations

from src.books.book import Book
from src.books.by_blocks import by_blocks
from src.books.by_paper import by_paper
from src.books.settings import ParagraphSettings
from src.records import Paragraph


def paragraphs_of(book: Book, grammar: str, settings: ParagraphSettings) -> list[Paragraph]:
    """Cut a book into paragraphs, in its order, with ids ``GRAMMAR/0001`` and so on."""
    if settings.method == "paper":
        pieces = by_paper(book)
    else:
        pieces = by_blocks(book.blocks, settings.characters, settings.headings)
    return [
        Paragraph(f"{grammar}/{n:04}", grammar, piece.text, piece.pages, piece.section, piece.label)
        for n, piece in enumerate(pieces, 1)
    ]
