"""A file of unknown form, read into a book by the reader that its content calls for."""

from __future__ import annotations

import dataclasses
from pathlib import Path

from src.books.book import Book, Remark
from src.books.sniffing import form_of
from src.errors import GrambenchError

# Raised when a change of a reader changes what it makes of the same file.
VERSION = 2

_NAMES = {"pdf": "a PDF", "latex": "LaTeX", "text": "plain text", "markdown": "Markdown"}
_SUFFIXES = {".pdf": "pdf", ".txt": "text", ".md": "markdown", ".markdown": "markdown"}
_LIBRARIES = {"pdf": "pypdfium2", "latex": "pylatexenc"}
_MIB = 1 << 20
# Many times the text of the longest grammar: what is longer is no book, and would fill memory.
_LONGEST_TEXT = 256 * _MIB


def read_book(path: Path) -> tuple[str, Book]:
    """Read a book: its form (``pdf``, ``latex``, ``text`` or ``markdown``) and what it holds.

    Raises:
        GrambenchError: the file is no book, or cannot be read; says why.
        OSError: the file cannot be opened.
    """
    form = form_of(path)
    if form != "pdf" and (size := path.stat().st_size) > _LONGEST_TEXT:
        raise GrambenchError(
            f"{path.name} has {size // _MIB} MiB of text; at most {_LONGEST_TEXT // _MIB} are read."
        )
    book = _read(form, path)
    named = _SUFFIXES.get(path.suffix.lower(), form)
    if form != named:
        what = f"is called {_NAMES[named]}, but holds {_NAMES[form]}"
        remark = Remark(path.name, what, "read as what it holds")
        book = dataclasses.replace(book, remarks=[remark, *book.remarks])
    return form, book


def reader_key(form: str) -> str:
    """Return what besides the file determines how a book of this form is read."""
    from importlib.metadata import version

    library = _LIBRARIES.get(form)
    made_by = f", {library} {version(library)}" if library else ""
    return f"{form} reader {VERSION}{made_by}"


def _read(form: str, path: Path) -> Book:
    if form == "pdf":
        from src.books.pdf import read_pdf

        return read_pdf(path)
    if form == "latex":
        from src.books.latex import read_latex

        return read_latex(path)
    from src.books.plain import read_plain

    return read_plain(path)
