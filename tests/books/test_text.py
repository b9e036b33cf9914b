"""What is cleaned from a book's text, and what is not touched."""

from __future__ import annotations

import unicodedata

import pytest
from hypothesis import given
from hypothesis import strategies as st

from src.books.text import clean


@pytest.mark.parametrize(
    ("raw", "kept"),
    [
        ("ﬁne aﬄuent oﬃce oﬀ ﬂow ﬅar ﬆone", "fine affluent office off flow star stone"),
        ("e\u0301", "é"),
        ("gram\u00admar", "grammar"),
        ("gram\u00ad\nmar", "gram-\nmar"),
        ("gram\u00ad \r\nmar", "gram- \nmar"),
        ("a\x00b\x02c\x7fd\x85e\x0cf", "abcdef"),
        ("a\tb\nc\r\nd\re", "a\tb\nc\nd\ne"),
        ("tʰ ᵐb kʷ ŋ̊ ǃχ ŋǂ t͡ʃ ˈa.ˌba ʔ ɓ … ½ №", "tʰ ᵐb kʷ ŋ̊ ǃχ ŋǂ t͡ʃ ˈa.ˌba ʔ ɓ … ½ №"),
        ("ﬁ\u0301", "fi\u0301"),
        ("\u200bﷺ\u200d", "\u200bﷺ\u200d"),
        ("", ""),
    ],
)
def test_cleans_by_the_list_and_nothing_else(raw: str, kept: str) -> None:
    assert clean(raw) == unicodedata.normalize("NFC", kept)


def test_marks_that_come_together_are_composed() -> None:
    assert clean("e\u00ad\u0301") == "é"


@given(st.text())
def test_is_nfc_and_idempotent(text: str) -> None:
    once = clean(text)
    assert clean(once) == once
    assert unicodedata.is_normalized("NFC", once)
    assert not any(
        unicodedata.category(character) == "Cc" and character not in "\n\t" for character in once
    )
