"""Which line-end hyphens are dropped."""

from __future__ import annotations

import pytest
from hypothesis import given
from hypothesis import strategies as st

from src.books.hyphens import join_lines, words_of


def test_words_are_letters_and_folded() -> None:
    text = "The Kuti-speaking folk (3 of 12) say ŋ̊abo’s t͡ʃa."
    assert words_of([text]) == {
        *("the", "kuti", "speaking", "folk", "of", "say", "ŋ̊abo", "s", "t͡ʃa")
    }


def test_halves_of_broken_words_are_no_words() -> None:
    assert words_of(["the gram-\nmar of", "a lan-"]) == {"the", "of", "a"}


@pytest.mark.parametrize(
    ("lines", "joined"),
    [
        (["the gram-", "mar of Kuti"], "the grammar of Kuti"),
        (["the syn-", "tax of Kuti"], "the syn-tax of Kuti"),  # not in the book
        (["Gram-", "mar"], "Grammar"),
        (["GRAM-", "MAR"], "GRAMMAR"),
        (["Gram-", "Mar"], "Gram-Mar"),
        (["(gram-", "mar) is"], "(grammar) is"),
        (["non-gram-", "mar"], "non-grammar"),
        (["the gram\u00ad", "mar"], "the grammar"),
        (["the syn\u00ad", "tax"], "the syn-tax"),
        (["in 1990-", "1995"], "in 1990-1995"),
        (["ka-", "ŋa is"], "ka-ŋa is"),
        (["a dash -", "here"], "a dash - here"),
        (["-", "mar"], "- mar"),
        (["one ", "", "  two"], "one two"),
        (["ends in gram-"], "ends in gram-"),
        (["gram-", "", "mar"], "grammar"),
        ([], ""),
    ],
)
def test_joins(lines: list[str], joined: str) -> None:
    assert join_lines(lines, {"grammar"}) == joined


def test_a_large_text_without_spaces_takes_no_longer() -> None:
    text = "ŋ" * 300_000
    assert words_of([text, f"{text} a-\nb"]) == {text}
    assert join_lines([f"{text}1-", text], {text}) == f"{text}1-{text}"


@given(st.lists(st.text(alphabet="abŋ-‐ \u00ad1A("), max_size=8))
def test_loses_nothing_but_hyphens_and_spaces(lines: list[str]) -> None:
    joined = join_lines(lines, frozenset())
    plain = "".join(lines).replace("\u00ad", "-")
    assert joined.replace(" ", "").replace("\u00ad", "-") == plain.replace(" ", "")
