"""What a CSV file says of the grammars: language, codes, family, author and so on."""

from __future__ import annotations

import re
from collections.abc import Sequence
from pathlib import Path

from src.corpus.text import nfc
from src.errors import suggest
from src.importers.foreign import Sheet
from src.importers.grammars.finding import Found
from src.importers.grammars.matching import Names
from src.importers.grammars.near import Hints
from src.importers.grammars.oddities import oddity
from src.importers.grammars.sheets import read_sheet
from src.importers.report import Report

Known = dict[str, str]

KEYS = ("file", "filename", "key", "bibkey", "id")
FIELDS = (
    "language", "title", "author", "year", "glottocode", "iso", "family", "genus", "macroarea",
    "licence",
)  # fmt: skip
_ALSO = {
    "iso6393": "iso",
    "iso6393code": "iso",
    "isocode": "iso",
    "license": "licence",
    "authors": "author",
    "languagename": "language",
    "glottologcode": "glottocode",
}


def read_metadata(file: Path, found: Sequence[Found], report: Report) -> dict[str, Known]:
    """Read what is known of each grammar, by id: its fields, without the empty ones.

    What is odd is a warning; what makes the file useless is an error in the report.
    """
    sheet = read_sheet(file, report)
    if sheet is None:
        return {}
    columns = _columns(sheet, report)
    key = _key_column(sheet, report)
    if key is None:
        return {}
    rows = _rows_by_grammar(sheet, key, Names(found), report)
    _without_row(sheet, key, found, set(rows), report)
    return {
        grammar: _fields(sheet.file, number, row, columns, report)
        for grammar, (number, row) in rows.items()
    }


def _plain(name: str) -> str:
    """Return a column's name without what people write differently."""
    return re.sub(r"[\W_]+", "", nfc(name).casefold())


def _columns(sheet: Sheet, report: Report) -> dict[str, int]:
    """Return the position of each field's column; unknown columns are warned of."""
    found: dict[str, int] = {}
    for position, name in enumerate(sheet.header):
        plain = _plain(name)
        field = _ALSO.get(plain, plain)
        if field in FIELDS and field not in found:
            found[field] = position
        elif field in FIELDS:
            report.warning(sheet.file, "second column for the same, not read", column=name)
        elif plain and plain not in KEYS:
            hint = suggest(name, [field for field in FIELDS if field not in found])
            report.warning(sheet.file, "unknown column, not read", hint.strip(), column=name)
    return found


def _key_column(sheet: Sheet, report: Report) -> int | None:
    names = [_plain(name) for name in sheet.header]
    for key in KEYS:
        if key in names:
            return names.index(key)
    there = ", ".join(map(repr, sheet.header[:8])) or "nothing"
    report.error(sheet.file, f"no column that says which file: {', '.join(KEYS)}", f"has {there}")
    return None


def _rows_by_grammar(
    sheet: Sheet, key: int, names: Names, report: Report
) -> dict[str, tuple[int, Sequence[str]]]:
    found: dict[str, tuple[int, Sequence[str]]] = {}
    for number, row in sheet.rows:
        name = row[key].strip()
        one = names.find(name) if name else None
        if not name:
            report.warning(sheet.file, "row without a file's name", row=number)
        elif one is None:
            why = f"'{name}'.{names.hint(name)}"
            report.warning(sheet.file, "row for a file that is not there", why, row=number)
        elif one.id in found:
            why = f"'{name}': row {found[one.id][0]} counts"
            report.warning(sheet.file, "second row for the same file", why, row=number)
        else:
            found[one.id] = (number, row)
    return found


def _without_row(
    sheet: Sheet, key: int, found: Sequence[Found], told: set[str], report: Report
) -> None:
    hints = Hints([row[key] for _, row in sheet.rows])
    for one in found:
        if one.id not in told:
            why = f"{one.file}.{hints.near(one.id)}"
            report.warning(sheet.file, "no row for a file", why)


def _fields(
    file: str, number: int, row: Sequence[str], columns: dict[str, int], report: Report
) -> Known:
    values = {field: nfc(row[position]).strip() for field, position in columns.items()}
    for field, value in values.items():
        if value and (odd := oddity(field, value)):
            report.warning(file, *odd, row=number, column=field)
    return {field: value for field, value in values.items() if value}
