"""Glyphs into words and lines: blanks, accents, raised type."""

import dataclasses

import numpy as np
from hypothesis import given
from hypothesis import strategies as st

from src.books.pdf.glyphs import Glyphs
from src.books.pdf.lines import RAISED, lines_of
from src.books.pdf.pieces import pieces_of

# letter, left, right, height, type size
Glyph = tuple[str, float, float, float, float]


def glyphs(*found: Glyph) -> Glyphs:
    text, left, right, origin, size = zip(*found, strict=True)
    nothing = np.zeros(len(found), dtype=np.bool_)
    return Glyphs(
        list(text),
        np.array(left),
        np.array(right),
        np.array(origin),
        np.array(size),
        nothing,
        nothing,
    )


def word(text: str, x: float, y: float = 100, size: float = 10) -> list[Glyph]:
    width = size * 0.6
    return [(c, x + width * n, x + width * (n + 1), y, size) for n, c in enumerate(text)]


def texts(*found: Glyph) -> list[str]:
    return [line.text for line in lines_of(pieces_of(glyphs(*found)))]


def test_a_gap_of_a_fifth_is_a_blank_and_a_tenth_is_none() -> None:
    assert texts(*word("ab", 0), *word("cd", 14)) == ["ab cd"]
    assert texts(*word("ab", 0), *word("cd", 13)) == ["abcd"]


def test_the_letters_of_a_ligature_share_a_box() -> None:
    assert texts(("f", 0, 7, 100, 10), ("i", 0, 7, 100, 10), *word("sh", 7)) == ["fish"]


def test_a_mark_stays_on_its_letter() -> None:
    assert texts(*word("e", 0), ("̪", 6, 6, 101, 10), *word("na", 6)) == ["e̪na"]


def test_a_mark_that_is_drawn_after_its_line_goes_to_its_letter() -> None:
    assert texts(*word("na-mi", 0), ("̪", 2, 4, 101, 10)) == ["n̪a-mi"]


def test_a_mark_that_is_drawn_after_the_next_letter_goes_back() -> None:
    assert texts(*word("t", 0), *word("e", 6), ("̪", 2, 5, 100, 10)) == ["t̪e"]


def test_a_second_mark_that_is_drawn_late_stands_after_the_first() -> None:
    found = word("na", 0)
    tilde, acute = ("\u0303", 7, 11, 100, 10), ("\u0301", 7, 11, 98, 10)
    assert texts(*found, tilde, *word("mi", 12), acute) == ["na\u0303\u0301mi"]


def test_a_blank_that_pdfium_sees_beside_lowered_type_is_none() -> None:
    found = glyphs(*word("it", 0), ("j", 12, 15, 102, 6), (",", 15.5, 18, 100, 10))
    seen = dataclasses.replace(found, spaced=np.array([False, False, False, True]))
    assert [line.text for line in lines_of(pieces_of(seen))] == ["itj,"]


def test_an_accent_that_is_set_over_a_letter_combines_with_it() -> None:
    found = ("´", 7, 11, 98, 10)
    first, second = word("na", 0)
    assert texts(first, found, second) == ["na\u0301"]


def test_an_accent_that_stands_for_itself_stays() -> None:
    assert texts(*word("ab", 0), ("´", 12, 16, 100, 10)) == ["ab´"]


def test_raised_type_belongs_to_its_line() -> None:
    lines = lines_of(
        pieces_of(glyphs(*word("one", 0), *word("3", 18, 96.5, 6), *word("two", 0, 112)))
    )
    assert [line.text for line in lines] == ["one3", "two"]
    assert RAISED in lines[0].words[0].text


def test_small_capitals_are_no_word_of_their_own() -> None:
    assert texts(*word("A", 0), *word("CC", 6, size=8)) == ["ACC"]


ROWS = st.lists(
    st.lists(st.text("abŋʔ", min_size=1, max_size=5), min_size=1, max_size=6), min_size=1
)


@given(ROWS, st.randoms(use_true_random=False))
def test_words_come_back_whatever_their_order_in_the_file(
    rows: list[list[str]], random: st.DrawFn
) -> None:
    found = []
    for number, row in enumerate(rows):
        x = 50.0
        for text in row:
            found.append(word(text, x, 100 + 12 * number))
            x += 6 * len(text) + 3
    random.shuffle(found)  # type: ignore[attr-defined]
    assert texts(*(glyph for piece in found for glyph in piece)) == [" ".join(row) for row in rows]
