"""Tables about grammars as spreadsheets write them: commas, semicolons or tabs, old encodings."""

from __future__ import annotations

import csv
from collections import Counter
from pathlib import Path

from src.books.decoding import decode
from src.corpus.tables import parse_csv
from src.errors import GrambenchError
from src.importers.foreign import Sheet
from src.importers.report import Report

_BETWEEN = (",", ";", "\t")


def read_sheet(file: Path, report: Report) -> Sheet | None:
    """Read a table; ``None``, and errors in the report, where it cannot be used.

    Rows and, at the right end, columns that are empty count for nothing, as spreadsheets leave
    them behind.
    """
    try:
        text, remark = decode(file.read_bytes(), file.name)
        rows = parse_csv(text, _between(text))
    except OSError as error:
        report.error(file.name, "cannot be read", error.strerror or str(error))
        return None
    except GrambenchError:
        why = "it holds no text: save the table as CSV, in UTF-8"
        report.error(file.name, "cannot be read", why)
        return None
    except ValueError as error:
        report.error(file.name, "cannot be read", str(error))
        return None
    if remark:
        report.warning(file.name, "encoding", remark)
    sheet = _sheet(file.name, rows)
    _check(sheet, report)
    return None if report.is_bad(file.name) else sheet


def _between(text: str) -> str:
    """Return what stands between the fields of the header; commas if that cannot be told."""
    first = text.lstrip("\r\n").partition("\n")[0].rstrip("\r")
    return max(_BETWEEN, key=lambda sign: len(next(csv.reader([first], delimiter=sign), ())))


def _sheet(file: str, rows: list[list[str]]) -> Sheet:
    filled = [(number, row) for number, row in enumerate(rows, 1) if any(map(str.strip, row))]
    header = [name.strip() for name in filled[0][1]] if filled else []
    while header and not header[-1]:
        header.pop()
    width = len(header)
    body = [(n, row if any(map(str.strip, row[width:])) else row[:width]) for n, row in filled[1:]]
    return Sheet(file, header, body)


def _check(sheet: Sheet, report: Report) -> None:
    for name, count in Counter(filter(None, sheet.header)).items():
        if count > 1:
            report.error(sheet.file, "a column stands there twice", column=name)
    width = len(sheet.header)
    for number, row in sheet.rows:
        if len(row) != width:
            why = f"{len(row)} fields, the header has {width}; put quotes around commas"
            report.error(sheet.file, "row of another length", why, row=number)
