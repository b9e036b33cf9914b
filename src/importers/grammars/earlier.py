"""What an earlier import read, so that only files that changed are read again."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field
from pathlib import Path

from src.corpus.digest import pack_files
from src.corpus.pack import Pack, load_pack
from src.corpus.tables import parse_csv
from src.corpus.text import decode
from src.errors import GrambenchError
from src.importers.landing import REPORT
from src.importers.report import Entry
from src.records import Document, Paragraph


@dataclass(frozen=True)
class Earlier:
    """The grammars of a pack that this importer made, and what its report says of each file."""

    documents: Mapping[str, Document] = field(default_factory=dict)
    paragraphs: Mapping[str, Sequence[Paragraph]] = field(default_factory=dict)
    entries: Mapping[str, Sequence[Entry]] = field(default_factory=dict)

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
        entries = _entries(folder / REPORT)
    except (GrambenchError, OSError, ValueError):
        return Earlier()
    if pack.source.get("importer") != importer or pack.source.get("content") != pack.digest:
        return Earlier()
    return Earlier(pack.documents, _by_grammar(pack), entries)


def _by_grammar(pack: Pack) -> dict[str, list[Paragraph]]:
    found: dict[str, list[Paragraph]] = {}
    for paragraph in pack.paragraphs.values():
        found.setdefault(paragraph.grammar, []).append(paragraph)
    return found


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
