"""Cells of tables and the columns in which they stand."""

from __future__ import annotations

from pathlib import Path

import pytest

from src.books.pdf import read_pdf
from src.books.pdf.grid import heads, table_rows
from src.books.pdf.lines import Word
from tests.books.pdf.writer import FULL, LEFT, WIDTH, Sheet, write_pdf

LETTER = 10 * WIDTH
PITCH = 80


def centred(x: float, text: str) -> float:
    return x - LETTER * len(text) / 2


def flushed(x: float, text: str) -> float:
    return x - LETTER * len(text)


def table_of(tmp_path: Path, *rows: str, align: str = "llll") -> str:
    """Set rows, whose cells are parted by ``|``, in columns; return the table that is read."""
    sheet = Sheet().lines(LEFT, 100, *FULL, "it.").text(LEFT, 170, "Table 1. Sounds")
    for number, row in enumerate(rows):
        for column, cell in enumerate(row.split("|")):
            x = LEFT + 40 + PITCH * column
            place = {"l": x, "c": centred(x, cell), "r": flushed(x, cell)}[align[column]]
            if cell:
                sheet.text(place, 190 + 12 * number, cell)
    sheet.lines(LEFT, 300, *FULL, "it.")
    book = read_pdf(write_pdf(tmp_path / "book.pdf", sheet))
    (table,) = [block.text for block in book.blocks if block.kind == "table"]
    return table


@pytest.mark.parametrize("align", ["llll", "lccc", "lrrr", "rlcr", "cccc"])
def test_an_empty_cell_is_an_empty_field(tmp_path: Path, align: str) -> None:
    table = table_of(
        tmp_path,
        "|Labial|Coronal|Dorsal",
        "Plosive|p|t|k",
        "Fricative||s|h",
        "Lateral||l|",
        "|w||j",
        align=align,
    )
    assert table.split("\n") == [
        "\tLabial\tCoronal\tDorsal",
        "Plosive\tp\tt\tk",
        "Fricative\t\ts\th",
        "Lateral\t\tl",
        "\tw\t\tj",
    ]


def test_a_title_over_two_columns_stands_over_the_first(tmp_path: Path) -> None:
    sheet = Sheet().lines(LEFT, 100, *FULL, "it.").text(LEFT, 170, "Table 1. Pronouns")
    for x, title in ((180, "Singular"), (300, "Plural")):
        sheet.text(centred(x, title), 190, title)
    for row, cells in enumerate((("", "nom", "acc", "nom", "acc"), ("2", "ke", "", "keta", ""))):
        for x, cell in zip((80, 150, 210, 270, 330), cells, strict=True):
            if cell:
                sheet.text(centred(x, cell), 204 + 12 * row, cell)
    book = read_pdf(write_pdf(tmp_path / "book.pdf", sheet))
    (table,) = [block.text for block in book.blocks if block.kind == "table"]
    assert table.split("\n") == ["\tSingular\t\tPlural", "\tnom\tacc\tnom\tacc", "2\tke\t\tketa"]


def test_a_title_of_a_group_may_come_right_after_the_head(tmp_path: Path) -> None:
    table = table_of(tmp_path, "Form|Gloss|Source", "Spatial", "tu|under|noun", "re||verb")
    assert table == "Form\tGloss\tSource\nSpatial\ntu\tunder\tnoun\nre\t\tverb"


def test_a_cell_of_the_last_column_may_fill_lines_up_to_the_margin(tmp_path: Path) -> None:
    sheet = Sheet().lines(LEFT, 100, *FULL, "it.").text(LEFT, 170, "Table 1. Markers")
    # the text is forty letters wide: the last column ends with it
    rows = [("Marker", "Function", "Remark"), ("=si", "focus", "it is rare")]
    rows += [("", "", "in any text"), ("=ka", "", "it is found")]
    rows += [("", "", "in all the songs"), ("=ro", "topic", "")]
    for row, cells in enumerate(rows):
        for x, cell in zip((LEFT, LEFT + 60, LEFT + 144), cells, strict=True):
            if cell:
                sheet.text(x, 190 + 12 * row, cell)
    sheet.lines(LEFT, 300, *FULL, "it.")
    book = read_pdf(write_pdf(tmp_path / "book.pdf", sheet))
    assert [block.text for block in book.blocks if block.kind == "table"] == [
        "\n".join("\t".join(cells).rstrip("\t") for cells in rows)
    ]


def cell(x0: float, text: str) -> list[Word]:
    return [Word(text, x0, x0 + LETTER * len(text))]


def test_a_cell_with_a_wide_blank_makes_no_column() -> None:
    rows = [[cell(0, "a"), cell(60, "long words here")] for _ in range(3)]
    rows.append([cell(0, "b"), cell(60, "long"), cell(120, "words")])
    assert table_rows(rows, 6) == ["a\tlong words here"] * 3 + ["b\tlong words"]


def test_lines_without_columns_just_follow_each_other() -> None:
    rows = [[cell(0 + 40 * n, "ka"), cell(300 + 40 * n, "ni")] for n in range(5)]
    assert table_rows(rows, 6) == ["ka\tni"] * 5


def test_titles_reach_over_columns() -> None:
    below = [cell(0, "aaa"), cell(60, "bbb"), cell(120, "ccc")]
    assert heads([cell(0, "x"), cell(70, "two titles")], below, 6)
    assert heads([cell(0, "x"), cell(83, "title")], [*below[:2], cell(116, "c")], 6)  # between
    assert not heads([cell(0, "x"), cell(60, "y")], below, 6)
    assert not heads([cell(300, "x"), cell(70, "two titles")], below, 6)


def test_a_narrow_title_between_two_wide_columns_is_no_column() -> None:
    rows = [[cell(0, "Root"), cell(105, "X")], [cell(0, "ka"), cell(60, "ni"), cell(150, "no")]]
    rows.append([cell(0, "ta"), cell(150, "na")])
    assert table_rows(rows, 6) == ["Root\tX", "ka\tni\tno", "ta\t\tna"]
