"""One grammar's file to its paragraphs: what a process of its own does."""

from __future__ import annotations

import traceback
from collections.abc import Sequence
from dataclasses import dataclass, field
from pathlib import Path

from src.books.book import Book, Remark
from src.books.paragraphs import paragraphs_of
from src.books.quality import measure, warnings
from src.books.reading import read_book, reader_key
from src.books.settings import ParagraphSettings
from src.books.sniffing import form_of
from src.corpus.digest import file_digest
from src.errors import GrambenchError
from src.importers.grammars.finding import Found
from src.importers.grammars.latex_files import project_digest
from src.records import Document, Paragraph

_DIGITS = 6  # of shares


@dataclass(frozen=True, slots=True)
class Task:
    """A file to read, and what an earlier import read of it: (sha256, made_with)."""

    found: Found
    settings: ParagraphSettings
    earlier: tuple[str, str] | None = None


@dataclass(frozen=True, slots=True)
class Outcome:
    """What came of a file: ``failed`` says why nothing did; ``unchanged`` that it was read before.

    No layout of pages is in it, so that the memory of the process that gathers outcomes grows
    with the text alone.
    """

    failed: str = ""
    unchanged: bool = False
    document: Document | None = None
    paragraphs: Sequence[Paragraph] = ()
    remarks: Sequence[Remark] = ()
    warnings: Sequence[str] = ()
    metadata: dict[str, str] = field(default_factory=dict)


def read_one(task: Task) -> Outcome:
    """Read a file, unless an earlier import did; faults are told, never raised."""
    path = task.found.path
    try:
        return _read(task)
    except GrambenchError as error:
        return Outcome(failed=str(error))
    except OSError as error:
        return Outcome(failed=f"{path.name} cannot be opened: {error.strerror or error}")
    except MemoryError:
        return Outcome(failed=f"There is not enough memory to read {path.name}")
    except RecursionError:
        return Outcome(failed=f"{path.name} is nested too deeply to be read")
    except Exception as error:
        # One book that trips a reader up must not take the others with it.
        last = traceback.extract_tb(error.__traceback__)[-1]
        place = f"{Path(last.filename).name}, line {last.lineno}"
        return Outcome(failed=f"a fault of the reader: {type(error).__name__}: {error} ({place})")


def _read(task: Task) -> Outcome:
    found = task.found
    form = form_of(found.path)
    made_with = f"{reader_key(form)}; {task.settings.key()}"
    digest = _digest(found, form)
    if task.earlier == (digest, made_with):
        return Outcome(unchanged=True)
    form, book = read_book(found.path)
    paragraphs = paragraphs_of(book, found.id, task.settings)
    if not paragraphs:
        raise GrambenchError(f"{found.path.name} holds no text that makes a paragraph.")
    quality = measure(book, paragraphs, form)
    document = Document(
        grammar=found.id,
        file=found.file,
        form=form,
        sha256=digest,
        made_with=made_with,
        pages=len(book.pages) if book.paged else 0,
        characters=sum(len(paragraph.text) for paragraph in paragraphs),
        replaced=round(quality.replaced, _DIGITS),
        unknown_words=round(quality.unknown_words, _DIGITS),
        empty_pages=round(quality.empty_pages, _DIGITS),
        columns=round(quality.columns, _DIGITS),
        residue=round(quality.residue, _DIGITS),
    )
    return Outcome(
        document=document,
        paragraphs=paragraphs,
        remarks=list(book.remarks),
        warnings=warnings(quality),
        metadata=_metadata(book),
    )


def _digest(found: Found, form: str) -> str:
    if form == "latex":
        return project_digest(found.path)
    return file_digest(found.path)


def _metadata(book: Book) -> dict[str, str]:
    return {name: value for name, value in book.metadata.items() if value.strip()}
