"""Grammars from files of all forms to a pack."""

from __future__ import annotations

import hashlib
import os
from collections.abc import Collection, Iterable, Mapping, Sequence
from dataclasses import dataclass
from pathlib import Path

from src.books.settings import ParagraphSettings
from src.corpus.writing import PackTables
from src.errors import GrambenchError
from src.importers.grammars.earlier import GOLD_PAGES, METADATA, VALUES, Earlier, read_earlier
from src.importers.grammars.finding import Found, find_grammars
from src.importers.grammars.gold import gold_pages, read_gold_rows
from src.importers.grammars.metadata import Known, read_metadata
from src.importers.grammars.noting import OF_ITSELF, note_book, said_of_itself
from src.importers.grammars.one_book import Outcome
from src.importers.grammars.reading import read_all
from src.importers.grammars.values import gold_values, read_value_rows
from src.importers.landing import Landed, land
from src.importers.report import Report, counted
from src.records import Document, Grammar, Paragraph

IMPORTER = "grammars"
VERSION = 1

_COPY = "the same content as another file"
_FEW = 10
_LICENCE = "each grammar's own (grammars.csv); do not redistribute texts that are not free"


@dataclass(frozen=True)
class Imported:
    """A pack of grammars, and how its files were come by; ``failed`` tells why, by file."""

    landed: Landed
    read: int
    unchanged: int
    failed: Mapping[str, str]

    def told(self) -> list[str]:
        """Return lines for people."""
        return [*self.landed.told(), f"Files: {self.unchanged} unchanged, {self.read} read."]

    def complaints(self) -> list[str]:
        """Return lines that name each file that could not be read, and why."""
        if not self.failed:
            return []
        number = len(self.failed) + self.read + self.unchanged
        lines = [f"  {file}: {why}" for file, why in self.failed.items()]
        return [f"{len(self.failed)} of {number} files could not be read:", *lines]


@dataclass(frozen=True)
class Wanted:
    """What to import: files and folders, tables about them, and how paragraphs are made.

    ``features`` are the ids that Grambench knows, to notice a misspelt one in the tables.
    """

    given: Sequence[Path]
    settings: ParagraphSettings
    metadata: Path | None = None
    gold_pages: Path | None = None
    values: Path | None = None
    features: Collection[str] = ()

    def tables(self) -> dict[str, Path]:
        """Return the tables that are given, by what they are of."""
        all_of = {
            METADATA: self.metadata,
            GOLD_PAGES: self.gold_pages,
            VALUES: self.values,
        }
        return {name: path for name, path in all_of.items() if path is not None}


def import_grammars(
    wanted: Wanted, folder: Path, *, jobs: int | None = None, replace: bool = False
) -> Imported:
    """Read grammars and make the pack ``folder`` of them.

    A file that cannot be read is left out and told of; of one that has not changed since the
    last import, the paragraphs are taken over.

    Raises:
        GrambenchError: a file or table is not there or of no use, no grammar could be read, or
            there is a pack already that would lose something. Nothing is written then.
    """
    report = Report()
    tables = wanted.tables()
    found = find_grammars(wanted.given, report, known=list(tables.values()))
    metadata = read_metadata(wanted.metadata, found, report) if wanted.metadata else {}
    gold = read_gold_rows(wanted.gold_pages, report) if wanted.gold_pages else None
    annotated = read_value_rows(wanted.values, report) if wanted.values else None
    report.problems().raise_any("Nothing was imported", "Put these tables right.")
    earlier = read_earlier(folder, IMPORTER)
    if not replace:
        earlier.check_tables(tables)
    outcomes = read_all(found, wanted.settings, earlier, jobs or _cores())
    books = _Books(earlier, keep=not replace)
    for one in found:
        books.add(one, outcomes[one.id], metadata.get(one.id, {}), report)
    books.check(replace)
    _note_copies(books.documents.values(), report)
    known = (found, books.documents, wanted.features, report)
    pack = PackTables(
        grammars=books.grammars,
        paragraphs=books.paragraphs,
        documents=list(books.documents.values()),
        gold_pages=gold_pages(gold, *known) if gold else {},
        values=gold_values(annotated, *known) if annotated else {},
    )
    about = _about(books.documents, wanted.settings)
    landed = land(folder, pack, about, report, replace, based_on=earlier.content)
    return Imported(landed, books.read, books.unchanged, books.failed)


class _Books:
    """The grammars as they are gathered, in the order in which they were given."""

    def __init__(self, earlier: Earlier, keep: bool) -> None:
        self._earlier = earlier
        self._keep = keep
        self.grammars: list[Grammar] = []
        self.paragraphs: list[Paragraph] = []
        self.documents: dict[str, Document] = {}
        self.failed: dict[str, str] = {}
        self.read = 0
        self.unchanged = 0

    def add(self, one: Found, outcome: Outcome, known: Known, report: Report) -> None:
        """Take in what came of a file."""
        if outcome.document is not None:
            self.read += 1
            note_book(outcome, outcome.document, report)
            self._take(outcome.document, outcome.paragraphs, outcome.metadata, known)
        elif outcome.unchanged:
            self.unchanged += 1
            self._take_over(one, known, report)
        else:
            self._fail(one, outcome.failed, known, report)

    def check(self, replace: bool) -> None:
        """Raise GrambenchError where nothing was read, or an earlier grammar would be lost."""
        if not self.documents:
            lines = [f"  {file}: {why}" for file, why in self.failed.items()]
            raise GrambenchError(
                "\n".join(["Nothing was imported: no file could be read.", *lines])
            )
        # Of a file that was only renamed, nothing is lost.
        there = {document.sha256 for document in self.documents.values()}
        lost = [
            document.grammar
            for document in self._earlier.documents.values()
            if document.grammar not in self.documents and document.sha256 not in there
        ]
        if lost and not replace:
            named = ", ".join(lost[:_FEW]) + (f" and {len(lost) - _FEW} more" * (len(lost) > _FEW))
            raise GrambenchError(
                f"The pack that is there has grammars that were not given now: {named}. "
                "Give their files too, choose another --name, or drop them with --replace."
            )

    def _fail(self, one: Found, why: str, known: Known, report: Report) -> None:
        why, kept = why.removeprefix(f"{one.path.name} "), ""
        if self._keep and self._earlier.stamp(one.id, one.file):
            kept = " (the pack keeps what an earlier import read of it)"
            self._take_over(one, known, report)
        self.failed[one.file] = f"{why}{kept}"
        report.error(one.file, "could not be read", f"{why}{kept}")

    def _take_over(self, one: Found, known: Known, report: Report) -> None:
        noted = self._earlier.entries.get(one.file, ())
        entries = [e for e in noted if e.level != "error" and e.what != _COPY]
        report.entries.extend(entries)
        document, paragraphs = self._earlier.documents[one.id], self._earlier.paragraphs[one.id]
        self._take(document, paragraphs, said_of_itself(entries), known)

    def _take(
        self,
        document: Document,
        paragraphs: Sequence[Paragraph],
        itself: Mapping[str, str],
        known: Known,
    ) -> None:
        of_itself = {name: itself[name] for name in OF_ITSELF if name in itself}
        facts = {"language": document.grammar, **of_itself, **known}
        self.grammars.append(Grammar(id=document.grammar, **facts))
        self.documents[document.grammar] = document
        self.paragraphs.extend(paragraphs)


def _note_copies(documents: Iterable[Document], report: Report) -> None:
    first: dict[str, Document] = {}
    for document in documents:
        same = first.setdefault(document.sha256, document)
        if same is not document:
            report.warning(document.file, _COPY, same.file)


def _about(documents: Mapping[str, Document], settings: ParagraphSettings) -> dict[str, object]:
    contents = "".join(f"{d.file}\0{d.sha256}\n" for d in documents.values())
    return {
        "origin": f"{counted(len(documents), 'file')} of your own",
        "files": [document.file for document in documents.values()],
        "licence": _LICENCE,
        "redistribute": False,
        "digest": hashlib.sha256(contents.encode()).hexdigest(),
        "importer": IMPORTER,
        "importer_version": VERSION,
        "paragraphs": settings.key(),
    }


def _cores() -> int:
    if hasattr(os, "sched_getaffinity"):
        return len(os.sched_getaffinity(0))
    return os.cpu_count() or 1
