"""Plain text and Markdown, read into a book."""

from __future__ import annotations

from collections.abc import Iterable, Iterator
from pathlib import Path

from src.books.book import Block, Book, Page, Remark
from src.books.decoding import decode
from src.books.hyphens import words_of
from src.books.markdown import markdown_blocks
from src.books.plain_blocks import Row, text_blocks
from src.books.plain_edges import without_furniture
from src.books.text import clean
from src.errors import GrambenchError

_MARKDOWN = (".md", ".markdown")
_STRETCH = 1 << 16  # characters that are searched for words at once


def read_plain(path: Path, form: str | None = None) -> Book:
    """Read text or Markdown; ``form`` is ``text`` or ``markdown``, by default as the name says.

    Form feeds part pages; without any the book has one page and is not ``paged``. Headers, footers
    and page numbers that repeat at the first or last lines of pages go. Blank lines part
    blocks, hard-wrapped lines of running text are joined, examples and tables stay lines.

    Raises:
        GrambenchError: the file is empty or no text.
        OSError: the file cannot be read.
    """
    form = form or ("markdown" if path.suffix.lower() in _MARKDOWN else "text")
    if form not in ("text", "markdown"):
        raise GrambenchError(f"'{form}' is no form of plain text: choose text or markdown.")
    raw, remark = decode(path.read_bytes(), path.name)
    parts = raw.split("\f")
    del raw
    if len(parts) > 1 and not parts[-1].strip():
        parts.pop()
    pages = [Page(number, clean(part)) for number, part in enumerate(parts, start=1)]
    del parts
    if not any(page.text.strip() for page in pages):
        raise GrambenchError(f"{path.name} holds nothing but blanks.")
    paged = len(pages) > 1
    text = without_furniture(pages) if paged else pages
    words = words_of(_stretches(text))
    rows = _rows(text, paged)
    made: Iterable[Block] = (
        markdown_blocks(rows, words) if form == "markdown" else text_blocks(rows, words)
    )
    return Book(
        blocks=list(made),
        pages=pages,
        paged=paged,
        remarks=[Remark(path.name, remark)] if remark else [],
    )


def _rows(pages: Iterable[Page], paged: bool) -> Iterator[Row]:
    """Yield the lines of pages one by one; a page break alone parts nothing."""
    for page in pages:
        for line in _lines(page.text.strip("\n")):
            yield Row(line, page.number if paged else 0)


def _lines(text: str) -> Iterator[str]:
    start = 0
    while (end := text.find("\n", start)) >= 0:
        yield text[start:end]
        start = end + 1
    yield text[start:]


def _stretches(pages: Iterable[Page]) -> Iterator[str]:
    """Cut text at line ends, so that its words are never all held as a list."""
    for page in pages:
        start = 0
        while start < len(page.text):
            end = page.text.find("\n", start + _STRETCH)
            end = len(page.text) if end < 0 else end
            yield page.text[start:end]
            start = end
