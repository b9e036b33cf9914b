"""Pages of two columns of which one is short, and what only looks like them."""

from pathlib import Path

import pytest

from src.books.book import Book
from src.books.pdf import read_pdf
from tests.books.pdf.writer import FULL, LEFT, Sheet, write_pdf

RIGHT = LEFT + 240
LENGTHS = [(30, 1), (30, 2), (30, 3), (30, 5), (30, 10), (2, 30), (2, 2)]


def read(tmp_path: Path, *sheets: Sheet) -> Book:
    return read_pdf(write_pdf(tmp_path / "book.pdf", *sheets))


def column(side: str, rows: int) -> list[str]:
    return [f"the {side} column has much to say, {row:02}" for row in range(rows)]


def headed(sheet: Sheet, x: float, number: int, lines: list[str]) -> None:
    sheet.text(x, 104, f"{number} Case", size=14, bold=True)
    sheet.lines(x, 126, *lines)


@pytest.mark.parametrize(
    ("left", "right", "heads"),
    [
        *((left, right, heads) for left, right in LENGTHS for heads in (True, False)),
        (1, 30, True),
    ],
)
def test_a_short_column_is_read_by_itself(
    tmp_path: Path, left: int, right: int, heads: bool
) -> None:
    sheet = Sheet()
    sides = column("left", left), column("right", right)
    for number, (x, lines) in enumerate(zip((LEFT, RIGHT), sides, strict=True), start=1):
        if heads:
            headed(sheet, x, number, lines)
        else:
            sheet.lines(x, 104, *lines)
    sheet.text((LEFT + RIGHT) / 2 + 115, 700, "7")
    book = read(tmp_path, sheet)
    assert book.column_pages == (1,)
    found = [line for line in book.pages[0].text.split("\n") if "column" in line]
    assert found == sides[0] + sides[1]
    headings = [block.text for block in book.blocks if block.kind == "heading"]
    assert headings == (["1 Case", "2 Case"] if heads else [])


def test_a_title_stands_above_both_columns(tmp_path: Path) -> None:
    sheet = Sheet().text(LEFT + 80, 60, "A grammar sketch of Tavelo", size=16, bold=True)
    left, right = column("left", 20), column("right", 2)
    sheet.lines(LEFT, 110, *left).lines(RIGHT, 110, *right)
    lines = [line for line in read(tmp_path, sheet).pages[0].text.split("\n") if line]
    assert lines == ["A grammar sketch of Tavelo", *left, *right]


def test_rows_of_a_table_are_no_columns(tmp_path: Path) -> None:
    """The file writes all lines of a cell before the next cell."""
    sheet = Sheet()
    for row in range(2):
        for side, x, lines in (("left", LEFT, 2), ("right", RIGHT, 1)):
            sheet.lines(x, 100 + 24 * row, *column(side, lines))
    book = read(tmp_path, sheet)
    assert book.column_pages == ()


@pytest.mark.parametrize("rows", [1, 2, 3])
def test_a_list_of_words_with_meanings_is_no_column(tmp_path: Path, rows: int) -> None:
    sheet = Sheet().lines(LEFT, 100, *FULL, "it:")
    for row in range(rows):
        sheet.text(LEFT, 160 + 12 * row, f"tama {row}").text(RIGHT, 160 + 12 * row, f"a man {row}")
    assert read(tmp_path, sheet).column_pages == ()


def test_words_over_glosses_are_no_columns(tmp_path: Path) -> None:
    """As TeX writes them: each word and then its gloss; two of them are long and far apart."""
    sheet = Sheet().text(LEFT, 100, "(1)")
    for x in (LEFT + 30, LEFT + 190):
        sheet.lines(x, 100, "tama-nalo-sukel-a-no", "man-fish-canoe-ACC-PL")
    sheet.text(LEFT + 30, 124, "‘A man has taken the fish.’")
    assert read(tmp_path, sheet).column_pages == ()
