"""Where sentences end, and how text is cut."""

from __future__ import annotations

import pytest
from hypothesis import given
from hypothesis import strategies as st

from src.books.sentences import cut, sentences


@pytest.mark.parametrize(
    "whole",
    [
        "Some verbs, e.g. Motion verbs, do.",
        "It is lost, cf. Kroeger's view of it.",
        "See Fig. 3 and Figs. 4 and 5.",
        "So do Dixon et al. 2003 and Evans et al. (2010).",
        "It was seen by J. R. Firth and by A. Meillet.",
        "As shown in 3.2 and §3.2.1 above.",
        "The form is 1SG.POSS in pp. 33 and 34.",
        "It ends in -na. and goes on.",
        "What? asked he.",
        "(See Ch. Four.)",
        "1. Vowels are few.",
        "3.2. Vowels are few.",
        "Kuti has ... three vowels.",
        "",
    ],
)
def test_no_end(whole: str) -> None:
    assert list(sentences(whole)) == ([whole] if whole else [])


@pytest.mark.parametrize(
    "parts",
    [
        ["It is so.", "It was so."],
        ["He said ‘It is so.’", "It was."],
        ["It is so (and was.)", "It was."],
        ["It is.”)", "[It was]."],
        ["Is it?", "It is!", "‘So be it.’", "It is …", "It was..."],
        ["This is 1SG.POSS.", "It agrees."],
        ["It was so in 1990.", "Then it changed."],
        ["It is in §3.2.", "The rest is not."],
        ["1. Vowels are few.", "2. Consonants are not."],
        ["It has a, b, c, etc.", "There are more."],
        ["There are many.", "12 are verbs."],
        ["语言。", "语法。"],
    ],
)
def test_ends(parts: list[str]) -> None:
    assert list(sentences(" ".join(parts))) == parts


def test_a_long_sentence_is_cut_at_spaces() -> None:
    assert cut("Short. One two three four", 9) == ["Short.", "One two", "three", "four"]


def test_a_long_word_is_cut_before_no_mark() -> None:
    assert cut("aaaaŋ̊bbb", 5) == ["aaaa", "ŋ̊bbb"]


_TEXTS = st.text(alphabet="abAŋ\u030a .?!…”’)]12,\n\t", max_size=200)


@given(_TEXTS, st.integers(1, 40))
def test_cut_loses_nothing_and_fits(text: str, room: int) -> None:
    pieces = cut(text, room)
    assert "".join("".join(pieces).split()) == "".join(text.split())
    assert all(piece.strip() == piece != "" for piece in pieces)
    assert all(len(piece) <= room for piece in pieces)


@given(_TEXTS)
def test_sentences_are_cut_at_white_space(text: str) -> None:
    assert " ".join(" ".join(sentences(text)).split()) == " ".join(text.split())


@pytest.mark.parametrize(
    "text", ["." * 300_000, "x" * 300_000 + ".", "A.\n" * 100_000, "! " * 100_000]
)
def test_large_texts_without_sentences_are_cut_in_linear_time(text: str) -> None:
    assert "".join("".join(cut(text, 1500)).split()) == "".join(text.split())
