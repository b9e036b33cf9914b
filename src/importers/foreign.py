"""Foreign files, read as they are: text, CSV rows, and a digest of all that was read."""

from __future__ import annotations

import hashlib
from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from pathlib import Path

from src.corpus.tables import parse_csv
from src.corpus.text import decode
from src.importers.report import Report


@dataclass(frozen=True)
class Sheet:
    """A CSV file's header and rows; ``rows`` are (row number with the header as 1, fields)."""

    file: str
    header: Sequence[str]
    rows: Sequence[tuple[int, Sequence[str]]]

    def column(self, name: str) -> list[str]:
        """Return the fields of a column that is there."""
        position = self.header.index(name)
        return [fields[position] for _, fields in self.rows]

    def optional(self, name: str) -> list[str]:
        """Return the fields of a column, or empty ones where there is no such column."""
        return self.column(name) if name in self.header else [""] * len(self.rows)


class Source:
    """A folder with foreign files, which remembers what was read from it."""

    def __init__(self, folder: Path, report: Report) -> None:
        self.folder = folder
        self.report = report
        self._read: dict[str, str] = {}

    def files(self, pattern: str) -> Iterator[str]:
        """Yield the files that match, by their paths inside the folder, in order; no hidden ones.

        A ``*`` matches within one name.
        """
        for path in sorted(self.folder.glob(pattern)):
            if path.is_file() and not path.name.startswith("."):
                yield path.relative_to(self.folder).as_posix()

    def text(self, file: str) -> str | None:
        """Read a file whole; ``None``, and an error in the report, where it is no UTF-8 text."""
        try:
            data = (self.folder / file).read_bytes()
            self._read[file] = hashlib.sha256(data).hexdigest()
            return decode(data)
        except (OSError, ValueError) as error:
            self.report.error(file, "cannot be read", str(error))
            return None

    def sheet(self, file: str, needed: Sequence[str] = ()) -> Sheet | None:
        """Read a CSV file; ``None``, and errors in the report, where it cannot be used."""
        text = self.text(file)
        if text is None:
            return None
        try:
            rows = parse_csv(text)
        except ValueError as error:
            self.report.error(file, "cannot be read", str(error))
            return None
        header = rows[0] if rows else []
        body = [(number, row) for number, row in enumerate(rows[1:], start=2) if row]
        sheet = Sheet(file, header, body)
        self._check(sheet, needed)
        return None if self.report.is_bad(file) else sheet

    def digest(self) -> str:
        """Return the SHA-256 (hex) over the names and contents of all files read."""
        lines = (f"{file}\0{digest}\n" for file, digest in sorted(self._read.items()))
        return hashlib.sha256("".join(lines).encode()).hexdigest()

    def _check(self, sheet: Sheet, needed: Sequence[str]) -> None:
        for name in needed:
            if name not in sheet.header:
                there = ", ".join(map(repr, sheet.header[:8])) or "nothing"
                self.report.error(sheet.file, f"no column '{name}'", f"the header has {there}")
        for name in sorted({name for name in sheet.header if sheet.header.count(name) > 1}):
            self.report.error(sheet.file, "a column stands there twice", column=name)
        width = len(sheet.header)
        for number, row in sheet.rows:
            if len(row) != width:
                why = f"{len(row)} fields, the header has {width}"
                self.report.error(sheet.file, "row of another length", why, row=number)
