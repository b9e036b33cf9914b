"""What an importer skipped, missed or did not expect, row by row."""

from __future__ import annotations

import dataclasses
from collections import Counter
from dataclasses import dataclass
from pathlib import Path

from src.corpus.problems import Problems
from src.corpus.tables import write_csv

_FIELDS = ["level", "file", "row", "column", "what", "why"]


@dataclass(frozen=True, slots=True)
class Entry:
    """One line of the report; ``row`` counts as a spreadsheet does, the header being row 1.

    ``level`` is ``error`` (the file's data cannot be used), ``skipped`` (left out for that
    reason), ``warning`` (unexpected or missing, but used) or ``info``.
    """

    level: str
    file: str
    what: str
    why: str = ""
    row: int | None = None
    column: str = ""

    def where(self) -> str:
        """Return the place that the entry speaks of: file, row and column."""
        row = "" if self.row is None else f", row {self.row}"
        column = f", column '{self.column}'" if self.column else ""
        return f"{self.file}{row}{column}"

    def said(self) -> str:
        """Return what the entry says of its place."""
        return f"{self.what} ({self.why})" if self.why else self.what


class Report:
    """Collects the entries of one import."""

    def __init__(self) -> None:
        self.entries: list[Entry] = []

    def error(
        self, file: str, what: str, why: str = "", row: int | None = None, column: str = ""
    ) -> None:
        """Note a fault for which the file's data cannot be used."""
        self.entries.append(Entry("error", file, what, why, row, column))

    def warning(
        self, file: str, what: str, why: str = "", row: int | None = None, column: str = ""
    ) -> None:
        """Note what is missing or was not expected, and does not stand in the way."""
        self.entries.append(Entry("warning", file, what, why, row, column))

    def info(
        self, file: str, what: str, why: str = "", row: int | None = None, column: str = ""
    ) -> None:
        """Note what somebody may want to know."""
        self.entries.append(Entry("info", file, what, why, row, column))

    def skipped(self, file: str, what: str, why: str) -> None:
        """Note what is left out."""
        self.entries.append(Entry("skipped", file, what, why))

    def is_bad(self, file: str) -> bool:
        """Tell whether a file has an error."""
        return any(entry.level == "error" and entry.file == file for entry in self.entries)

    def problems(self) -> Problems:
        """Return the errors."""
        problems = Problems()
        for entry in self.entries:
            if entry.level == "error":
                problems.add(entry.where(), entry.said())
        return problems

    def summary(self) -> list[str]:
        """Return lines that say how often each thing was noted, the gravest first."""
        order = ["error", "skipped", "warning", "info"]
        counts = Counter((entry.level, entry.what) for entry in self.entries)
        ranked = sorted(counts.items(), key=lambda item: (order.index(item[0][0]), -item[1]))
        return [f"{level}: {what}, {number} x" for (level, what), number in ranked]

    def write(self, path: Path) -> None:
        """Write the entries as CSV: level, file, row, column, what, why."""
        rows = [dataclasses.asdict(entry) for entry in self.entries]
        columns = {
            name: ["" if row[name] is None else row[name] for row in rows] for name in _FIELDS
        }
        write_csv(path, columns)
