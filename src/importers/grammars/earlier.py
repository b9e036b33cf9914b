"""What an earlier import read, so that only files that changed are read again."""

from __future__ import annotations

import dataclasses
from collections.abc import Collection, Mapping, Sequence
from dataclasses import dataclass, field
from pathlib import Path

from src.corpus.digest import pack_files
from src.corpus.pack import Pack, load_pack
from src.corpus.tables import parse_csv
from src.corpus.text import decode
from src.errors import GrambenchError
from src.importers.grammars.noting import OF_ITSELF, said_of_itself
from src.importers.landing import REPORT
from src.importers.report import Entry
from src.records import Document, Grammar, Paragraph

GOLD_PAGES, METADATA, VALUES = "gold pages", "metadata", "values"


@dataclass(frozen=True)
class Earlier:
    """The grammars of a pack that this importer made, and what its report says of each file.

    ``content`` is the pack's digest, ``""`` where there is none that this importer made;
    ``from_tables`` what it has from tables: gold pages, values, metadata.
    """

    documents: Mapping[str, Document] = field(default_factory=dict)
    paragraphs: Mapping[str, Sequence[Paragraph]] = field(default_factory=dict)
    entries: Mapping[str, Sequence[Entry]] = field(default_factory=dict)
    content: str = ""
    from_tables: Collection[str] = ()

    def check_tables(self, given: Collection[str]) -> None:
        """Raise GrambenchError if the pack has something from a table that is not given now."""
        lost = [name for name in self.from_tables if name not in given]
        if lost:
            options = " and ".join(f"--{name.replace(' ', '-')}" for name in lost)
            raise GrambenchError(
                f"The pack that is there has {' and '.join(lost)} that this import would drop. "
                f"Give {options} again, choose another --name, or drop them with --replace."
            )

    def stamp(self, grammar: str, file: str) -> tuple[str, str] | None:
        """Return content and settings with which a grammar was read from a file of that name."""
        document = self.documents.get(grammar)
        if document is None or document.file != file or grammar not in self.paragraphs:
            return None
        return document.sha256, document.made_with


def read_earlier(folder: Path, importer: str) -> Earlier:
    """Read the pack that is there already; one that is not as it was made gives nothing."""
    if not folder.is_dir() or not pack_files(folder):
        return Earlier()
    try:
        pack = load_pack(folder)
    except (GrambenchError, OSError):
        return Earlier()
    if pack.source.get("importer") != importer or pack.source.get("content") != pack.digest:
        return Earlier()
    try:
        entries = _entries(folder / REPORT)
    except (OSError, ValueError, KeyError):
        # Without its report it cannot be taken over, but must not be lost either.
        return Earlier(pack.documents, content=pack.digest, from_tables=_from_tables(pack, {}))
    tables = _from_tables(pack, entries)
    return Earlier(pack.documents, _by_grammar(pack), entries, pack.digest, tables)


def _by_grammar(pack: Pack) -> dict[str, list[Paragraph]]:
    found: dict[str, list[Paragraph]] = {}
    for paragraph in pack.paragraphs.values():
        found.setdefault(paragraph.grammar, []).append(paragraph)
    return found


def _from_tables(pack: Pack, entries: Mapping[str, Sequence[Entry]]) -> list[str]:
    described = any(
        _is_described(grammar, entries.get(pack.documents[grammar.id].file))
        for grammar in pack.grammars
        if grammar.id in pack.documents
    )
    there = {GOLD_PAGES: pack.gold, VALUES: pack.annotations, METADATA: described}
    return [name for name, held in there.items() if held]


def _is_described(grammar: Grammar, entries: Sequence[Entry] | None) -> bool:
    """Tell whether a table said something of a grammar; without ``entries`` its book may have."""
    itself = {"id": grammar.id, "language": grammar.id, **said_of_itself(entries or ())}
    return any(
        value and value.split() != itself.get(name, "").split()
        for name, value in dataclasses.asdict(grammar).items()
        if entries or name not in OF_ITSELF
    )


def _entries(path: Path) -> dict[str, list[Entry]]:
    header, *rows = parse_csv(decode(path.read_bytes()))
    found: dict[str, list[Entry]] = {}
    for row in rows:
        cells = dict(zip(header, row, strict=True))
        number = int(cells["row"]) if cells["row"] else None
        entry = Entry(
            cells["level"], cells["file"], cells["what"], cells["why"], number, cells["column"]
        )
        found.setdefault(entry.file, []).append(entry)
    return found
