"""Headers, footers and page numbers of plain text with page breaks."""

from pathlib import Path

from src.books.book import Page
from src.books.plain import read_plain
from src.books.plain_edges import without_furniture


def texts(*pages: str) -> list[str]:
    numbered = [Page(number, text) for number, text in enumerate(pages, start=1)]
    return [page.text for page in without_furniture(numbered)]


def test_what_repeats_up_to_digits_goes() -> None:
    assert texts(
        "A grammar of Tavelo   3\n\nThe verb is last.",
        "A grammar of Tavelo   4\n\nNothing follows it.",
    ) == ["The verb is last.", "Nothing follows it."]


def test_headers_of_left_and_right_pages() -> None:
    heads = ["Tavelo", "Word order"] * 3
    bodies = [f"Page {letter} it is." for letter in "abcdef"]
    pages = [f"{head}\n\n{body}" for head, body in zip(heads, bodies, strict=True)]
    assert texts(*pages) == bodies


def test_headers_that_change_go_by_their_page_number() -> None:
    assert texts(
        "12  Sounds\nIt is so.", "Nouns  13\nThey decline.", "14  Verbs\nThese conjugate."
    ) == ["It is so.", "They decline.", "These conjugate."]


def test_page_numbers_and_the_line_inside_them() -> None:
    assert texts("It is.\n\nDraft 2019\n- 7 -", "They are.\n\nDraft 2019\n- 8 -") == [
        "It is.",
        "They are.",
    ]


def test_lines_of_text_stay() -> None:
    pages = ["The verb is last\nand that is all", "The noun is first\nand 3 more", "So it ends."]
    assert texts(*pages) == pages


def test_a_line_that_ends_in_a_number_stays() -> None:
    pages = ["It was in 1806\nthat they came.", "In all there were 12\nof them.", "No."]
    assert texts(*pages) == pages


def test_blocks_go_on_over_a_header(tmp_path: Path) -> None:
    path = tmp_path / "book.txt"
    path.write_bytes(
        b"A grammar   1\n\nThe verb of this language comes last, and what\nfollows it is\f"
        b"A grammar   2\n\nnothing at all.\n\f"
    )
    book = read_plain(path)
    assert [(block.text, block.pages) for block in book.blocks] == [
        (
            "The verb of this language comes last, and what follows it is nothing at all.",
            (1, 2),
        )
    ]


def test_a_text_without_page_breaks_keeps_its_lines(tmp_path: Path) -> None:
    path = tmp_path / "book.txt"
    path.write_bytes(b"7\n\nThe verb is last.\n\n8\n")
    assert [page.text for page in read_plain(path).pages] == ["7\n\nThe verb is last.\n\n8\n"]


def test_pages_that_are_nothing_but_alike_lines_stay() -> None:
    pages = ["Verse 1 of the song.", "Verse 2 of the song.", "Verse 3 of the song."]
    assert texts(*pages) == pages


def test_heads_and_numbers_apart_from_each_other() -> None:
    """As pdftotext writes them: the number of a right page stands below the title."""
    heads = ["2.4 Stress\n\n13", "14 3 Nouns", "3.3 Case\n\n15", "16 3 Nouns", "3.5 Number\n\n17"]
    bodies = [f"Page {letter} it is." for letter in "abcde"]
    texts_ = [f"{head}\n\n{body}" for head, body in zip(heads, bodies, strict=True)]
    assert texts(*texts_) == bodies


def test_an_example_number_alone_stays() -> None:
    pages = [f"(4{letter})\n\ntowi {letter} it is." for letter in "abc"]
    assert texts(*pages) == pages
