"""What LaTeX makes of grammars: wrapped glosses, stretched pages, floats over two columns."""

from pathlib import Path

import pytest

from src.books.book import Book
from src.books.pdf import read_pdf
from tests.books.pdf.writer import FULL, LEFT, Sheet, write_pdf


def read(tmp_path: Path, *sheets: Sheet) -> Book:
    return read_pdf(write_pdf(tmp_path / "book.pdf", *sheets))


def texts(book: Book, kind: str) -> list[str]:
    return [block.text for block in book.blocks if block.kind == kind]


def example(number: str, *rows: str, y: float = 160, x: float = LEFT + 10) -> Sheet:
    """A page with running text above and below an example; rows are a line of 12 points each."""
    sheet = Sheet().lines(LEFT, 100, *FULL, "it:").text(x, y, number)
    sheet.lines(x + 40, y, *rows)
    return sheet.lines(LEFT, y + 12 * len(rows) + 24, *FULL, "it.")


@pytest.mark.parametrize(
    ("rows", "read_as"),
    [
        (
            ["[...] tama  nalo", "      man   fish", "sukela", "canoe", "‘A man’s fish.’"],
            ["[...] tama nalo sukela", "man fish canoe", "‘A man’s fish.’"],
        ),
        (
            ["tamana", "father", "nalo-na  sukel-a", "fish-ACC canoe-ACC", "‘Father.’"],
            ["tamana nalo-na sukel-a", "father fish-ACC canoe-ACC", "‘Father.’"],
        ),
        (
            ["Tama nalon ‘e’.", "tama  nalo-n", "man   fish-ACC", "e", "Q", "‘Is it?’"],
            ["Tama nalon ‘e’.", "tama nalo-n e", "man fish-ACC Q", "‘Is it?’"],
        ),
    ],
    ids=["a word without a gloss", "a first pair of one word each", "a free line above"],
)
def test_wrapped_glosses(tmp_path: Path, rows: list[str], read_as: list[str]) -> None:
    found = texts(read(tmp_path, example("(5)", *rows)), "example")
    assert found == ["\n".join(["(5) " + read_as[0], *read_as[1:]])]


def test_a_number_alone_on_its_line(tmp_path: Path) -> None:
    rows = ["", "tama  nalo-n", "man   fish-ACC", "‘A man’s fish.’"]
    found = texts(read(tmp_path, example("(16)", *rows)), "example")
    assert found == ["(16) tama nalo-n\nman fish-ACC\n‘A man’s fish.’"]


def test_white_space_that_is_stretched_inside_an_example(tmp_path: Path) -> None:
    rows = ["Tama nalon.", "", "", "tama  nalo-n", "man   fish-ACC", "", "‘A fish.’"]
    found = texts(read(tmp_path, example("(5)", *rows)), "example")
    assert found == ["(5) Tama nalon.\ntama nalo-n\nman fish-ACC\n‘A fish.’"]


def test_an_example_goes_on_after_a_page_of_tables(tmp_path: Path) -> None:
    first = Sheet().lines(LEFT, 100, *FULL, "it:").text(LEFT + 10, 160, "(5)")
    first.text(LEFT + 40, 160, "a.").lines(LEFT + 60, 160, "tama  nalo", "man   fish", "‘A man.’")
    table = Sheet().text(LEFT + 90, 100, "Table 1. Kinship terms")
    for row in range(4):
        table.text(LEFT + 90, 120 + 12 * row, f"term {row}").text(LEFT + 190, 120 + 12 * row, "kin")
    last = Sheet()
    for row, label in enumerate(("b.", "c.")):
        last.text(LEFT + 41 - row, 100 + 36 * row, label)
        last.lines(LEFT + 60, 100 + 36 * row, "tama  sukela", "man   canoe", "‘A canoe.’")
    last.lines(LEFT, 190, *FULL, "it.")
    found = texts(read(tmp_path, first, table, last), "example")
    assert len(found) == 1
    assert [line[:2] for line in found[0].split("\n")[::3]] == ["(5", "b.", "c."]


def test_a_page_of_examples_has_the_margin_of_the_others(tmp_path: Path) -> None:
    """Its number is all that is near the margin, and text follows on no line."""
    pages = [Sheet().lines(LEFT, 100, *FULL, "it.") for _ in range(3)]
    pages[2].text(LEFT + 10, 160, "(5)").lines(LEFT + 40, 160, "tama  nalo", "man   fish")
    pages.append(Sheet().text(LEFT + 40, 100, "‘A man’s fish.’").text(LEFT + 10, 124, "(6)"))
    pages[3].lines(LEFT + 40, 124, "tama  sukela", "man   canoe", "‘A man’s canoe.’")
    pages.insert(0, Sheet().lines(LEFT, 100, *FULL, "it."))
    pages.insert(0, Sheet().lines(LEFT, 100, *FULL, "it."))
    found = texts(read(tmp_path, *pages), "example")
    assert found == [
        "(5) tama nalo\nman fish\n‘A man’s fish.’",
        "(6) tama sukela\nman canoe\n‘A man’s canoe.’",
    ]


def columns(sheet: Sheet, y: float) -> tuple[list[str], list[str]]:
    left = [f"the left column of this page, line {letter}" for letter in "abcdefgh"]
    right = [f"the right column of the page, line {letter}" for letter in "abcdefgh"]
    sheet.lines(40, y, *left, size=9).lines(300, y, *right, size=9)
    return left, right


def test_a_table_above_columns(tmp_path: Path) -> None:
    sheet = Sheet()
    for row in range(6):
        for x in (60, 160, 330, 430):
            sheet.text(x, 60 + 12 * row, f"cell {row}", size=9)
    left, right = columns(sheet, 170)
    lines = [line for line in read(tmp_path, sheet).pages[0].text.split("\n") if line]
    assert lines[6:] == left + right
    assert lines[0] == "cell 0 cell 0 cell 0 cell 0"


def test_the_gutter_is_not_between_numbers_and_words(tmp_path: Path) -> None:
    """A table reaches over the gutter, which more of its lines cross than the gap beside it."""
    sheet = Sheet()
    for row in range(5):
        sheet.text(40, 60 + 12 * row, f"a line of a table that is wide {row} and long", size=9)
        sheet.text(302, 60 + 12 * row, "gloss", size=9)
    for row in range(24):
        sheet.text(40, 140 + 12 * row, f"the left column has much to say {row:02} here", size=9)
    for row in range(24):
        sheet.text(290, 140 + 12 * row, f"({row + 10})", size=9)
        sheet.text(330, 140 + 12 * row, f"words of an example {row:02}", size=9)
    lines = read(tmp_path, sheet).pages[0].text.split("\n")
    assert not any("left column" in line and "example" in line for line in lines)
    assert next(line for line in lines if "example" in line) == "(10) words of an example 00"


def test_a_heading_over_the_columns_of_the_first_page_is_a_heading(tmp_path: Path) -> None:
    sheet = Sheet().text(40, 60, "1 A heading over both of the columns", size=16, bold=True)
    columns(sheet, 100)
    assert texts(read(tmp_path, sheet), "heading") == ["1 A heading over both of the columns"]


def test_a_reference_that_begins_a_ragged_line_is_no_caption(tmp_path: Path) -> None:
    sheet = Sheet().lines(
        LEFT,
        100,
        *FULL,
        "it. Order is shown in the summary of",
        "Table 1. It is fixed in all",
        "of.",
    )
    assert texts(read(tmp_path, sheet), "caption") == []


def test_titles_of_groups_are_rows_of_a_table(tmp_path: Path) -> None:
    sheet = Sheet().lines(LEFT, 100, *FULL, "it.").text(LEFT, 170, "Table 1. Verbs")
    y = 190
    for title in ("Transitive", "Intransitive"):
        sheet.text(LEFT, y, title)
        for row in range(1, 4):
            sheet.text(LEFT, y + 12 * row, f"verb {row}").text(LEFT + 120, y + 12 * row, "to do")
        y += 62
    rows = ["verb 1\tto do", "verb 2\tto do", "verb 3\tto do"]
    assert texts(read(tmp_path, sheet), "table") == [
        "\n".join(["Transitive", *rows, "Intransitive", *rows])
    ]


def test_a_heading_below_a_table_is_no_row(tmp_path: Path) -> None:
    sheet = Sheet().lines(LEFT, 100, *FULL, "it.").text(LEFT, 170, "Table 1. Verbs")
    for row in range(3):
        sheet.text(LEFT, 190 + 12 * row, f"verb {row}").text(LEFT + 120, 190 + 12 * row, "to do")
    sheet.text(LEFT, 240, "7.2", size=12, bold=True).text(LEFT + 40, 240, "Negation", 12, bold=True)
    sheet.lines(LEFT, 260, *FULL, "it.")
    assert texts(read(tmp_path, sheet), "heading") == ["7.2 Negation"]


def test_rows_of_a_table_do_not_make_text_ragged(tmp_path: Path) -> None:
    sheet = Sheet().lines(LEFT, 100, *FULL, "it.").text(LEFT, 170, "Table 1. Verbs")
    for row in range(8):
        sheet.text(LEFT, 190 + 12 * row, f"verb {row}").text(LEFT + 90, 190 + 12 * row, "to do")
    # Both are indented, and the first one is too short for the second to go on with it.
    sheet.text(LEFT + 15, 310, "There are four of these (7).")
    sheet.text(LEFT + 15, 322, "The next ones are used as a head, and")
    sheet.lines(LEFT, 334, *FULL, "it.")
    found = texts(read(tmp_path, sheet), "text")
    assert found[1:] == [
        "There are four of these (7).",
        " ".join(["The next ones are used as a head, and", *FULL, "it."]),
    ]
