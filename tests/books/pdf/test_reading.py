"""Pages of text, set by hand, and what is read from them."""

from pathlib import Path
from random import Random

import pytest

from src.books.book import Block, Book
from src.books.pdf import read_pdf
from tests.books.pdf.writer import FULL, LEFT, WIDTH, Sheet, write_pdf


def read(tmp_path: Path, *sheets: Sheet) -> Book:
    return read_pdf(write_pdf(tmp_path / "book.pdf", *sheets))


def kinds(book: Book) -> list[tuple[str, str]]:
    return [(block.kind, block.text) for block in book.blocks]


def test_lines_are_joined_and_an_indentation_begins_a_paragraph(tmp_path: Path) -> None:
    sheet = Sheet().lines(LEFT, 100, *FULL, "it.")
    sheet.text(LEFT + 20, 148, "Nouns are not inflected, and there is")
    sheet.text(LEFT, 160, "no gender.")
    book = read(tmp_path, sheet)
    assert kinds(book) == [
        ("text", " ".join([*FULL, "it."])),
        ("text", "Nouns are not inflected, and there is no gender."),
    ]
    assert book.blocks[0].pages == (1,)
    assert book.pages[0].text.split("\n\n") == [
        "\n".join([*FULL, "it."]),
        "Nouns are not inflected, and there is\nno gender.",
    ]


def test_white_space_parts_paragraphs(tmp_path: Path) -> None:
    sheet = Sheet().lines(LEFT, 100, *FULL, "it.").lines(LEFT, 160, *FULL, "that.")
    assert [text for _, text in kinds(read(tmp_path, sheet))] == [
        " ".join([*FULL, "it."]),
        " ".join([*FULL, "that."]),
    ]


def test_hyphens_at_line_ends(tmp_path: Path) -> None:
    sheet = Sheet().lines(
        LEFT,
        100,
        "A language of this kind has a great vari-",
        "ety of nouns. Their variety is a surprise",
        "to whoever comes from one that is ill-",
        "provided with them.",
    )
    assert kinds(read(tmp_path, sheet)) == [
        (
            "text",
            "A language of this kind has a great variety of nouns. Their variety is a surprise "
            "to whoever comes from one that is ill-provided with them.",
        )
    ]


def numbered(number: int, *lines: str, head: str = "A grammar of Tavelo") -> Sheet:
    sheet = Sheet().text(LEFT, 40, f"{head}   {number}").lines(LEFT, 100, *lines)
    return sheet.text(300, 770, f"- {number} -")


def test_headers_and_footers_go(tmp_path: Path) -> None:
    book = read(tmp_path, *(numbered(n, f"This is page {'abcd'[n - 7]}.") for n in (7, 8, 9, 10)))
    assert [page.text for page in book.pages] == [f"This is page {letter}." for letter in "abcd"]
    assert [block.pages for block in book.blocks] == [(1,), (2,), (3,), (4,)]


def test_headers_that_change_go_by_their_page_number(tmp_path: Path) -> None:
    heads = ("Sounds", "Nouns", "Verbs", "Clauses")
    texts = ["It is so.", "They decline.", "These conjugate.", "So do they not."]
    sheets = [numbered(n + 1, texts[n], head=head) for n, head in enumerate(heads)]
    assert [page.text for page in read(tmp_path, *sheets).pages] == texts


def test_a_first_line_that_ends_in_a_number_stays(tmp_path: Path) -> None:
    first = [*FULL[:2], "and the nouns that were counted were 1806"]
    sheets = [Sheet().lines(LEFT, 100 + 9 * n, first[n], *FULL, "it.") for n in range(3)]
    assert "1806" in read(tmp_path, *sheets).pages[2].text


@pytest.mark.parametrize(
    ("last", "first", "indent", "joined"),
    [
        ("and the nouns that were counted were so", "many that it took years.", 0, True),
        ("and all the nouns that were counted were", "Lowan ones, they said.", 0, True),
        ("speaker of it will tell you all the time.", "The nouns are not so.", 0, True),
        ("speaker of it will tell you all the time.", "The nouns are not so.", 20, False),
        ("speaker of it will tell you.", "The nouns are not so.", 0, False),
    ],
)
def test_text_over_a_page_break(
    tmp_path: Path, last: str, first: str, indent: float, joined: bool
) -> None:
    # Two indented paragraphs on the first page show that the book indents them.
    one = Sheet().lines(LEFT, 100, *FULL, "it.")
    one.text(LEFT + 20, 148, "Nouns are not inflected.").text(LEFT + 20, 160, "There is no gender.")
    one.lines(LEFT, 172, FULL[0], last)
    two = Sheet().text(LEFT + indent, 100, first)
    two.text(LEFT + 20, 112, "Adverbs come before the verb, and they are")
    two.text(LEFT, 124, "never inflected.")
    book = read(tmp_path, one, two)
    ours = next(block for block in book.blocks if first in block.text)
    assert (last in ours.text) == joined
    assert ours.pages == ((1, 2) if joined else (2,))


def test_two_columns(tmp_path: Path) -> None:
    left = [f"the left column of this page, line {letter}" for letter in "abcdefgh"]
    right = [f"the right column of the page, line {letter}" for letter in "abcdefgh"]
    sheet = Sheet().text(40, 60, "7 A heading over both of the columns, from the left to the right")
    sheet.lines(40, 100, *left, size=9).lines(300, 100, *right, size=9)
    sheet.lines(40, 220, "Below them stands a line that goes over the width of the whole page.")
    book = read(tmp_path, sheet)
    assert book.column_pages == (1,)
    lines = [line for line in book.pages[0].text.split("\n") if line]
    assert lines[1:17] == left + right
    assert lines[0].startswith("7 A heading")
    assert lines[17].startswith("Below them")


def test_columns_written_line_by_line_as_by_ocr(tmp_path: Path) -> None:
    sheet = Sheet()
    for row in range(12):
        sheet.text(40, 100 + 12 * row, f"left column has much to say {row:>2} here", invisible=True)
        sheet.text(300, 100 + 12 * row, f"right column has more to say {row:>2}", invisible=True)
    book = read(tmp_path, sheet)
    assert book.column_pages == (1,)
    lines = [line for line in book.pages[0].text.split("\n") if line]
    assert all(line.startswith("left") for line in lines[:12])
    assert all(line.startswith("right") for line in lines[12:])


@pytest.mark.parametrize("columns", [1, 2])
def test_ocr_with_wavy_lines_and_guessed_type_sizes(tmp_path: Path, columns: int) -> None:
    """As OCR writes it: invisible, word by word, each as high as its letters happen to be."""
    random = Random(7)
    paragraphs = [[*FULL, f"him {letter}."] for letter in "abcdefghijkl"]
    per_column = len(paragraphs) // columns
    sheet = Sheet()
    for number, lines in enumerate(paragraphs):
        x, y = LEFT + 270 * (number // per_column), 60 + 58 * (number % per_column)
        for row, line in enumerate(lines):
            start = x
            for word in line.split():
                size = 10 + random.uniform(-1.2, 1.2)
                height = round(y + 12 * row + random.uniform(-1.2, 1.2), 2)
                wide = f"{10 / size:.4f} 0 0 1"
                sheet.text(start, height, word, round(size, 2), invisible=True, matrix=wide)
                start += 6 * (len(word) + 1)
    book = read(tmp_path, sheet)
    assert kinds(book) == [("text", " ".join(lines)) for lines in paragraphs]
    assert book.column_pages == ((1,) if columns == 2 else ())


def test_a_table_is_no_column(tmp_path: Path) -> None:
    sheet = Sheet().lines(LEFT, 100, *FULL, "Table 1. Kinship terms")
    rows = [(f"term{n}", f"a relative of some kind {n}") for n in range(12)]
    for row, (term, meaning) in enumerate(rows):
        sheet.text(LEFT, 150 + 12 * row, term).text(LEFT + 180, 150 + 12 * row, meaning)
    book = read(tmp_path, sheet)
    assert book.column_pages == ()
    table = next(block for block in book.blocks if block.kind == "table")
    assert table.text == "\n".join("\t".join(row) for row in rows)


def test_a_caption_stands_before_its_table(tmp_path: Path) -> None:
    sheet = Sheet().lines(LEFT, 100, *FULL, "it.").text(LEFT, 180, "Table 3. Orders")
    for row, (order, count) in enumerate([("SOV", "187"), ("OSV", "21"), ("SVO", "6")]):
        sheet.text(LEFT, 200 + 12 * row, order).text(LEFT + 120, 200 + 12 * row, count)
    assert kinds(read(tmp_path, sheet))[1:] == [
        ("caption", "Table 3. Orders"),
        ("table", "SOV\t187\nOSV\t21\nSVO\t6"),
    ]


def test_a_table_of_contents(tmp_path: Path) -> None:
    sheet = Sheet().lines(
        LEFT,
        100,
        "1 Sounds . . . . . . . . . . . . . . . 3",
        "2 Nouns  . . . . . . . . . . . . . . 12",
    )
    assert kinds(read(tmp_path, sheet)) == [("table", "1 Sounds\t3\n2 Nouns\t12")]


def test_headings(tmp_path: Path) -> None:
    sheet = Sheet().text(LEFT, 60, "Chapter 7", size=16).text(LEFT, 90, "The clause", size=20)
    sheet.lines(LEFT, 130, *FULL, "it.").text(LEFT, 200, "7.2 Polar questions", size=12, bold=True)
    sheet.lines(LEFT, 225, *FULL, "it.").text(LEFT, 300, "7.2.1 Tags")
    sheet.lines(LEFT, 325, *FULL, "it.")
    book = read(tmp_path, sheet)
    found = [(block.level, block.text) for block in book.blocks if block.kind == "heading"]
    assert found == [(1, "7 The clause"), (2, "7.2 Polar questions"), (3, "7.2.1 Tags")]


def test_a_footnote_follows_the_paragraph_with_its_mark(tmp_path: Path) -> None:
    sheet = Sheet().lines(LEFT, 100, *FULL, "Here is a mark")
    sheet.text(LEFT + 14 * 10 * WIDTH, 133, "3", size=6)
    sheet.text(LEFT + 20, 148, "Another paragraph follows, and there is")
    sheet.text(LEFT, 160, "no more.")
    sheet.text(LEFT + 10, 700, "3", size=5).text(
        LEFT + 15, 703, "The word is rare, and old", size=8
    )
    sheet.text(LEFT, 713, "people know it.", size=8)
    book = read(tmp_path, sheet)
    assert kinds(book) == [
        ("text", " ".join([*FULL, "Here is a mark"])),
        ("footnote", "3 The word is rare, and old people know it."),
        ("text", "Another paragraph follows, and there is no more."),
    ]


def test_raised_figures_that_are_no_marks_stay(tmp_path: Path) -> None:
    sheet = Sheet().text(LEFT, 100, "The word ma").text(LEFT + 66, 97, "55", size=6)
    sheet.text(LEFT + 66 + 7.2 + 6, 100, "has a high tone.")
    assert kinds(read(tmp_path, sheet)) == [("text", "The word ma55 has a high tone.")]


def test_small_capitals_are_joined_to_their_word(tmp_path: Path) -> None:
    sheet = Sheet().text(LEFT, 100, "fish-").text(LEFT + 30, 100, "ACC", size=7.5)
    sheet.text(LEFT + 30 + 3 * 4.5 + 6, 100, "is the object.")
    assert kinds(read(tmp_path, sheet)) == [("text", "fish-ACC is the object.")]


def glossed(sheet: Sheet, y: float, number: str, words: list[tuple[str, str]], quote: str) -> None:
    sheet.text(LEFT + 10, y, number)
    x = LEFT + 50.0
    for word, gloss in words:
        sheet.text(x, y, word).text(x, y + 12, gloss)
        x += (max(len(word), len(gloss)) + 1) * 10 * WIDTH
    sheet.text(LEFT + 50, y + 26, quote)


def test_a_glossed_example(tmp_path: Path) -> None:
    sheet = Sheet().lines(LEFT, 100, *FULL, "it:")
    words = [("tama", "father"), ("nalo-na", "fish-ACC"), ("hur-te-na", "catch-PFV-PST")]
    glossed(sheet, 160, "(61)", words, "‘Father caught a fish.’")
    glossed(sheet, 210, "(62)", words[1:], "‘He caught a fish.’")
    sheet.lines(LEFT, 260, *FULL, "it.")
    assert kinds(read(tmp_path, sheet))[1:3] == [
        (
            "example",
            "(61) tama nalo-na hur-te-na\nfather fish-ACC catch-PFV-PST\n‘Father caught a fish.’",
        ),
        ("example", "(62) nalo-na hur-te-na\nfish-ACC catch-PFV-PST\n‘He caught a fish.’"),
    ]


def test_a_wrapped_example_is_put_together(tmp_path: Path) -> None:
    sheet = Sheet().lines(LEFT, 100, *FULL, "it:")
    sheet.text(LEFT + 10, 160, "(5)")
    for row, (upper, lower) in enumerate(
        [("tama    nalo-na  sukel-a", "father  fish-ACC canoe-ACC"), ("hur-te-na", "catch-PFV-PST")]
    ):
        sheet.text(LEFT + 50, 160 + 26 * row, upper).text(LEFT + 50, 172 + 26 * row, lower)
    sheet.text(LEFT + 50, 214, "‘Father caught").text(LEFT + 50, 226, "a fish.’")
    sheet.lines(LEFT, 260, *FULL, "it.")
    assert kinds(read(tmp_path, sheet))[1] == (
        "example",
        "(5) tama nalo-na sukel-a hur-te-na\n"
        "father fish-ACC canoe-ACC catch-PFV-PST\n‘Father caught a fish.’",
    )


def test_an_example_that_is_set_like_text(tmp_path: Path) -> None:
    """No white space around it, no columns: as many words below, and a quotation."""
    sheet = Sheet().lines(LEFT, 100, *FULL, "it, as here:")
    sheet.lines(LEFT, 148, "(2) tama nalo-na hur-te-na", "father fish-ACC catch-PFV-PST")
    sheet.lines(LEFT, 172, "‘Father caught a fish.’", *FULL, "it.")
    assert kinds(read(tmp_path, sheet))[1] == (
        "example",
        "(2) tama nalo-na hur-te-na\nfather fish-ACC catch-PFV-PST\n‘Father caught a fish.’",
    )


def test_a_number_that_begins_a_line_of_text_is_no_example(tmp_path: Path) -> None:
    sheet = Sheet().lines(LEFT, 100, FULL[0], "(61) and (62) are what they all offered,", FULL[1])
    assert [block.kind for block in read(tmp_path, sheet).blocks] == ["text"]


def test_items_of_a_list(tmp_path: Path) -> None:
    sheet = Sheet().lines(LEFT, 100, *FULL, "these:")
    sheet.text(LEFT + 12, 150, "•").text(LEFT + 30, 150, "the marker =ka, which asks for it")
    sheet.text(LEFT + 30, 162, "to be confirmed")
    sheet.text(LEFT + 12, 174, "•").text(LEFT + 30, 174, "the marker =si")
    assert kinds(read(tmp_path, sheet))[1:] == [
        ("item", "• the marker =ka, which asks for it to be confirmed"),
        ("item", "• the marker =si"),
    ]


def test_reading_twice_gives_the_same(tmp_path: Path) -> None:
    sheets = [numbered(n, *FULL, "it.") for n in range(1, 5)]
    path = write_pdf(tmp_path / "book.pdf", *sheets)
    assert read_pdf(path) == read_pdf(path)


def test_blocks_have_text_and_pages(tmp_path: Path) -> None:
    book = read(tmp_path, *(numbered(n, *FULL, "it.") for n in range(1, 5)))
    assert all(isinstance(block, Block) and block.text and block.pages for block in book.blocks)


def test_nothing_stands_under_the_names_on_a_title_page(tmp_path: Path) -> None:
    title = Sheet().text(LEFT, 200, "A grammar of Tavelo", 20, bold=True)
    title.text(LEFT, 260, "Ilse Maro", 16, bold=True).text(LEFT, 600, "Oruhe 2021")
    chapter = Sheet().text(LEFT, 80, "1 Sounds", 16, bold=True).lines(LEFT, 120, *FULL, "it.")
    found = [block.kind for block in read(tmp_path, title, chapter).blocks]
    assert found == ["text", "text", "text", "heading", "text"]
    short = Sheet().text(LEFT, 80, "1 Sounds", 16, bold=True).text(LEFT, 120, "There are few.")
    assert read(tmp_path, short, chapter).blocks[0].kind == "heading"
