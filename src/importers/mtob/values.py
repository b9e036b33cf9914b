"""The gold values of the ground-truth tables, and which row of a table is about which language."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass

from src.corpus.text import nfc
from src.importers.foreign import Sheet
from src.importers.mtob.features import ORDER, feature_id
from src.importers.report import Report

Values = dict[str, dict[str, str]]

_PAGES = ": pdf pages"


@dataclass(frozen=True, slots=True)
class Line:
    """A row of a table; ``key`` is the grammar's, ``""`` where the row is left out."""

    language: str
    key: str


def lines_of(sheet: Sheet, keys: Mapping[int, str]) -> list[Line]:
    """Return the rows in their order: prompts are numbered by it."""
    languages = sheet.column("Language")
    return [Line(nfc(name).strip(), keys.get(place, "")) for place, name in enumerate(languages)]


def value_columns(sheet: Sheet) -> dict[str, str]:
    """Return the columns with values by feature: the four features' and those with PDF pages."""
    paged = {name.casefold() for name in sheet.header}
    return {
        feature_id(name): name
        for name in sheet.header
        if feature_id(name) in ORDER or name.strip().casefold() + _PAGES in paged
    }


def add_values(sheet: Sheet, keys: Mapping[int, str], values: Values, report: Report) -> None:
    """Take in a table's values as they are annotated; where two tables differ the first wins."""
    columns = value_columns(sheet)
    if not columns:
        report.warning(sheet.file, "no gold values", "no columns like 'WALS 81A'")
    for feature, column in columns.items():
        cells = sheet.column(column)
        of = values.setdefault(feature, {})
        for place, key in keys.items():
            row, value = sheet.rows[place][0], nfc(cells[place]).strip()
            if not value:
                report.warning(sheet.file, "no gold value", "the cell is empty", row, column)
            elif of.setdefault(key, value) != value:
                why = f"'{value}', but '{of[key]}' in the table before, which is used"
                report.warning(sheet.file, "gold values differ", why, row, column)
