"""What an importer skipped, missed or did not expect, row by row."""

from __future__ import annotations

import dataclasses
from collections.abc import Sequence
from dataclasses import dataclass
from pathlib import Path

from src.corpus.problems import Problems
from src.corpus.tables import write_csv
from src.corpus.text import readable

_LEVELS = ("error", "skipped", "warning", "info")
_CASE = 120  # characters
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

    def case(self) -> str:
        """Return where and why on one line, shortened."""
        case = " ".join(f"{self.where()}: {self.why}".removesuffix(": ").split())
        return readable(case if len(case) <= _CASE else f"{case[:_CASE]}...")


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
        """Return a line a kind: how often it was noted, and its first case; the gravest first."""
        kinds: dict[tuple[str, str], list[Entry]] = {}
        for entry in self.entries:
            kinds.setdefault((entry.level, entry.what), []).append(entry)
        ranked = sorted(kinds.values(), key=lambda of: (_LEVELS.index(of[0].level), -len(of)))
        return [_line(of) for of in ranked]

    def write(self, path: Path) -> None:
        """Write the entries as CSV: level, file, row, column, what, why."""
        rows = [dataclasses.asdict(entry) for entry in self.entries]
        columns = {
            name: ["" if row[name] is None else readable(str(row[name])) for row in rows]
            for name in _FIELDS
        }
        write_csv(path, columns)


def counted(number: int, thing: str, things: str = "") -> str:
    """Return a number and what is counted, as in ``1 file`` or ``2 files``."""
    return f"{number} {thing if number == 1 else things or f'{thing}s'}"


def _line(kind: Sequence[Entry]) -> str:
    first, number = kind[0], len(kind)
    line = f"{first.level}: {first.what}, {number} x"
    if first.level == "info":
        return line
    return f"{line} ({'e.g. ' * (number > 1)}{first.case()})"
