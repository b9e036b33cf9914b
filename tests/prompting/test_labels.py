"""When two spellings of a label are the same."""

from __future__ import annotations

import pytest
from hypothesis import given
from hypothesis import strategies as st

from src.prompting.labels import normal


@pytest.mark.parametrize(
    ("text", "expected"),
    [
        ("SOV", "sov"),
        ("  No  dominant\u00a0order. ", "no dominant order"),
        ("6–7 cases", "6 7 cases"),
        ("6 - 7 cases", "6 7 cases"),
        ("Clause\u2011final\tparticle", "clause final particle"),
        ("**VSO**", "vso"),
        ("“Tone”,", "tone"),
        ("(1)", "1"),
        ("ＳＶＯ", "svo"),
        ("no dom\u00adinant or\u200bder", "no dominant order"),
        ("STRASSE", "strasse"),
        ("Straße", "strasse"),
        ("-", "-"),
        ("?", "?"),
        ("", ""),
        ("10+ cases", "10+ cases"),
    ],
)
def test_spellings(text, expected):
    assert normal(text) == expected


@given(st.text(max_size=20))
def test_what_is_normal_stays_as_it_is(text):
    assert normal(normal(text)) == normal(text)


@given(st.text(alphabet="aBc-– .", max_size=12))
def test_case_does_not_matter(text):
    assert normal(text.upper()) == normal(text.lower())
