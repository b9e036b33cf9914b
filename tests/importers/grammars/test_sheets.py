from __future__ import annotations

from pathlib import Path

import pytest

from src.importers.grammars.sheets import read_sheet
from src.importers.report import Report


def read(tmp_path: Path, content: bytes) -> tuple[list[list[str]] | None, list[str]]:
    path = tmp_path / "table.csv"
    path.write_bytes(content)
    report = Report()
    sheet = read_sheet(path, report)
    rows = sheet and [list(sheet.header), *(list(row) for _, row in sheet.rows)]
    return rows, [f"{entry.level} {entry.row}: {entry.said()}" for entry in report.entries]


@pytest.mark.parametrize("between", [",", ";", "\t"])
@pytest.mark.parametrize("end", ["\n", "\r\n"])
@pytest.mark.parametrize("mark", [b"", b"\xef\xbb\xbf"])
def test_tables_as_spreadsheets_write_them(tmp_path, between, end, mark):
    rows = [["file", " Language ", ""], ["a.pdf", "Ŋa", ""], ["", " ", ""], ["b", '"x, y; z"', ""]]
    text = end.join(between.join(row) for row in rows)
    read_rows, said = read(tmp_path, mark + text.encode())
    assert read_rows == [["file", "Language"], ["a.pdf", "Ŋa"], ["b", "x, y; z"]]
    assert said == []


def test_rows_are_counted_as_the_spreadsheet_does(tmp_path):
    _, said = read(tmp_path, b"file,pages\n,\n\na,11, 12\n")
    assert said == [
        "error 4: row of another length (3 fields, the header has 2; put quotes around commas)"
    ]


def test_old_encodings(tmp_path):
    rows, said = read(tmp_path, "file;author\na;Schäfer\n".encode("cp1252"))
    assert rows == [["file", "author"], ["a", "Schäfer"]]
    assert len(said) == 1
    assert said[0].startswith("warning None: encoding (is not UTF-8")
    rows, said = read(tmp_path, "file\tauthor\r\na\tŊa\r\n".encode("utf-16"))
    assert (rows, said) == ([["file", "author"], ["a", "Ŋa"]], [])


def test_columns_without_a_name_may_stand_between(tmp_path):
    assert read(tmp_path, b"file,,language,\na,,b,\n") == (
        [["file", "", "language"], ["a", "", "b"]],
        [],
    )


@pytest.mark.parametrize("content", [b"", b"\n \n", b"PK\x03\x04\0\0\0", b'file,x\n"a,b\n'])
def test_what_is_no_table_is_an_error(tmp_path, content):
    rows, said = read(tmp_path, content)
    assert rows is None
    assert len(said) == 1
    assert said[0].startswith("error None: cannot be read")
