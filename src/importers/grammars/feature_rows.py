"""Rows of somebody's table about a grammar and a feature, and which grammar that is."""

from __future__ import annotations

import re
from collections.abc import Collection, Iterator, Mapping, Sequence
from pathlib import Path

from src.corpus.text import nfc
from src.importers.foreign import Sheet
from src.importers.grammars.finding import Found
from src.importers.grammars.matching import Names
from src.importers.grammars.near import Hints
from src.importers.grammars.sheets import read_sheet
from src.importers.report import Report
from src.records import Document

# What the columns may be called, without case, spaces and signs.
Columns = Mapping[str, Sequence[str]]
ABOUT: Columns = {
    "grammar": ("grammar", "file", "filename", "key", "bibkey", "id"),
    "feature": ("feature",),
}


def read_rows(
    file: Path, columns: Columns, needed: Sequence[Sequence[str]], report: Report
) -> Sheet | None:
    """Read a table; ``None``, and errors in the report, where it cannot be used.

    Of the columns of each member of ``needed`` one must be there.
    """
    sheet = read_sheet(file, report)
    if sheet is None:
        return None
    found = positions(sheet, columns)
    lacking = [names[0] for names in needed if not any(name in found for name in names)]
    there = ", ".join(map(repr, sheet.header[:8])) or "nothing"
    for name in lacking:
        report.error(sheet.file, f"no column '{name}'", f"the header has {there}")
    return None if lacking else sheet


def positions(sheet: Sheet, columns: Columns) -> dict[str, int]:
    """Return where each column is that is there."""
    plain = [re.sub(r"[\W_]+", "", name.casefold()) for name in sheet.header]
    return {
        column: next(plain.index(name) for name in names if name in plain)
        for column, names in columns.items()
        if any(name in plain for name in names)
    }


class FeatureRows:
    """Finds the grammars that rows speak of, among ``documents``, which were read.

    ``features`` are the ids that Grambench knows; others are warned of, and used. ``what`` is
    what the table is about, for messages.
    """

    def __init__(
        self,
        found: Sequence[Found],
        documents: Mapping[str, Document],
        features: Collection[str],
        what: str,
        report: Report,
    ) -> None:
        self._documents = documents
        self._features = features
        self._what = what
        self._report = report
        self._names, self._hints = Names(found), Hints(features)
        self._strange: set[str] = set()

    def of(self, sheet: Sheet, columns: Columns) -> Iterator[tuple[int, dict[str, str], Document]]:
        """Yield row number, cells and grammar; rows that cannot count are reported."""
        places = positions(sheet, columns)
        for number, row in sheet.rows:
            cells = {name: nfc(row[place]).strip() for name, place in places.items()}
            one = self._names.find(cells["grammar"]) if cells["grammar"] else None
            document = self._documents.get(one.id) if one else None
            if document is None or not cells["feature"]:
                what, why = self._fault(cells, one)
                self._report.warning(sheet.file, what, why, row=number)
                continue
            self._look_at(cells["feature"], sheet.file, number)
            yield number, cells, document

    def _fault(self, cells: Mapping[str, str], one: Found | None) -> tuple[str, str]:
        grammar = cells["grammar"]
        if not grammar or not cells["feature"]:
            return "row without a grammar or a feature", ""
        if one is None:
            why = f"'{grammar}'.{self._names.hint(grammar)}"
            return f"{self._what} of a grammar that is not there", why
        return f"{self._what} of a grammar that could not be read", grammar

    def _look_at(self, feature: str, file: str, number: int) -> None:
        if feature in self._features or feature in self._strange:
            return
        self._strange.add(feature)
        why = f"'{feature}': no file in conf/feature has that id.{self._hints.near(feature)}"
        self._report.warning(file, "feature that Grambench does not know", why, row=number)
