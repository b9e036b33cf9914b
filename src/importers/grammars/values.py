"""Gold values from a CSV file: what annotators say of a grammar's language, row by row."""

from __future__ import annotations

from collections.abc import Collection, Mapping, Sequence
from pathlib import Path

from src.importers.foreign import Sheet
from src.importers.grammars.feature_rows import ABOUT, FeatureRows, read_rows
from src.importers.grammars.finding import Found
from src.importers.report import Report
from src.records import Document

Values = dict[str, dict[str, str]]

_COLUMNS = {**ABOUT, "value": ("value", "annotation")}
_NEEDED = (("grammar",), ("feature",), ("value",))


def read_value_rows(file: Path, report: Report) -> Sheet | None:
    """Read the file; ``None``, and errors in the report, where it cannot be used."""
    return read_rows(file, _COLUMNS, _NEEDED, report)


def gold_values(
    sheet: Sheet,
    found: Sequence[Found],
    documents: Mapping[str, Document],
    features: Collection[str],
    report: Report,
) -> Values:
    """Return the values by feature and grammar, as annotated; rows that cannot count are reported.

    ``documents`` are the grammars that were read, ``features`` the ids that Grambench knows;
    others are warned of, and used.
    """
    about = FeatureRows(found, documents, features, "values", report)
    values: Values = {}
    for number, cells, document in about.of(sheet, _COLUMNS):
        value = cells["value"]
        if not value:
            report.warning(sheet.file, "row without a value, left out", row=number)
            continue
        there = values.setdefault(cells["feature"], {}).setdefault(document.grammar, value)
        if there != value:
            why = f"'{value}' for {document.grammar}, which has '{there}' above"
            report.warning(sheet.file, "another value of the same feature, left out", why, number)
    return values
