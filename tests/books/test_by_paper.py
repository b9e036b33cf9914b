"""MTOB's rule for paragraphs, in cases worked out by hand."""

from __future__ import annotations

from pathlib import Path

import pytest
from hypothesis import given
from hypothesis import strategies as st

from src.books.book import Book, Page
from src.books.by_paper import by_paper
from src.books.plain import read_plain


def paragraphs(*pages: str, paged: bool = True) -> list[tuple[str, tuple[int, ...]]]:
    book = Book([], [Page(n, text) for n, text in enumerate(pages, 1)], paged=paged)
    return [(piece.text, piece.pages) for piece in by_paper(book)]


@pytest.mark.parametrize("end", [*".?!…", "..."])
@pytest.mark.parametrize("mark", ["", *"”’\"'»›“‘«‹"])
def test_an_ended_piece_is_a_paragraph(end: str, mark: str) -> None:
    assert paragraphs(f"One{end}{mark}\n\nTwo.") == [(f"One{end}{mark}", (1,)), ("Two.", (1,))]


@pytest.mark.parametrize("end", ["", ":", ";", ",", ".)", ".”’", "“", "1"])
def test_another_end_is_none(end: str) -> None:
    assert paragraphs(f"One{end}\n\nTwo.") == [(f"One{end}Two.", (1,))]


@pytest.mark.parametrize(
    ("piece", "joined"),
    [
        ("two.", True),
        ("(12) two.", True),
        ("“two.", True),
        ("ŋa two.", True),
        ("ʔaka two.", True),  # ʔ has no case
        ("ʰA two.", False),
        ("Ŋa two.", False),
        ("ǃXóõ two.", False),
        ("12.", False),
        ("語法.", False),
        ("слово.", False),
        ("слово and.", True),
    ],
)
def test_a_small_first_latin_letter_goes_on(piece: str, joined: bool) -> None:
    expected = [f"One.{piece}"] if joined else ["One.", piece]
    assert [text for text, _ in paragraphs(f"One.\n\n{piece}")] == expected


def test_without_a_latin_letter_the_end_before_counts() -> None:
    assert paragraphs("One\n\n12\n\n語.\n\n34.") == [("One12語.", (1,)), ("34.", (1,))]


def test_a_paragraph_over_three_pages() -> None:
    assert paragraphs("A.\n\nIt goes\n", "\non and\n", "on.\n\nEnd.") == [
        ("A.", (1,)),
        ("It goeson andon.", (1, 2, 3)),
        ("End.", (3,)),
    ]


def test_equal_paragraphs_collapse_into_the_first() -> None:
    assert paragraphs("Kuti.\n\nA.", "B.\n\nKuti.", "", "Kuti.\n\nA.\n\nKuti.") == [
        ("Kuti.", (1, 2, 4)),
        ("A.", (1, 4)),
        ("B.", (2,)),
    ]


def test_text_stands_as_it_is() -> None:
    text = "  The  verb\n\tis last.\r"
    assert paragraphs(f"\n \n{text}\n \t\n\n  Two \n\n three.") == [
        (text.strip(), (1,)),
        ("Two  three.", (1,)),
    ]


def test_the_first_has_none_before_it() -> None:
    assert paragraphs("", "and so.\n\nOn.") == [("and so.", (2,)), ("On.", (2,))]


def test_nothing() -> None:
    assert paragraphs() == paragraphs("", " \n \n") == []


def test_without_pages() -> None:
    assert paragraphs("A.", "A.\n\nB.", paged=False) == [("A.", ()), ("B.", ())]


_PIECE = st.text(alphabet="aA1 ", max_size=5)
_END = st.sampled_from(["", ".", "!”", ",", "...", " "])
_BREAK = st.sampled_from(["\n\n", "\n \n\n", "\f"])


@given(st.lists(st.tuples(_PIECE, _END, _BREAK), min_size=1, max_size=12))
def test_nothing_is_lost_or_doubled(drawn: list[tuple[str, str, str]]) -> None:
    # A sign of its own in each piece: no two paragraphs are equal.
    text = "".join(
        f"{piece}{chr(0x4E00 + n)}{end}{after}" for n, (piece, end, after) in enumerate(drawn)
    )
    pages = text.split("\f")
    found = paragraphs(*pages)
    assert "".join("".join(text for text, _ in found).split()) == "".join(text.split())
    for paragraph, numbers in found:
        for sign in filter(lambda sign: sign >= "\u4e00", paragraph):
            assert next(n for n, page in enumerate(pages, 1) if sign in page) in numbers
        assert list(numbers) == sorted(set(numbers))


def test_pages_of_plain_text_are_taken_as_they_stand(tmp_path: Path) -> None:
    """What repeats at the top of pages is a header to `blocks`, and a paragraph to this rule."""
    path = tmp_path / "book.txt"
    path.write_text("Twin piece.\n\nOne.\n\fTwin piece.\n\nTwo.\n", encoding="utf-8")
    pieces = [(piece.text, piece.pages) for piece in by_paper(read_plain(path))]
    assert pieces == [("Twin piece.", (1, 2)), ("One.", (1,)), ("Two.", (2,))]
