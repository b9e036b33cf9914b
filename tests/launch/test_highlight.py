from __future__ import annotations

import pytest
from hypothesis import given
from hypothesis import strategies as st

from src.launch.highlight import marked_terms, spans
from src.retrieval.terms import words


def marked(text: str, *terms: str) -> list[str]:
    return [text[start:end] for start, end in spans(text, terms)]


@pytest.mark.parametrize(
    ("text", "terms", "found"),
    [
        ("The Verb precedes the verb-final verbs.", ["verb"], ["Verb", "verb"]),
        ("-ka and ka, then =ka.", ["-ka"], ["-ka"]),
        ("-ka and ka, then =ka.", ["ka"], ["ka"]),
        ("mbi=ka 'one'", ["=ka"], ["=ka"]),
        ("the speaker’s word", ["speaker's"], ["speaker’s"]),
        ("(S,O,V)", ["s", "v"], ["S", "V"]),
        ("Straße", ["strasse"], ["Straße"]),
        ("Order. ORDER! Orders?", ["order"], ["Order", "ORDER"]),
        ("nothing here", ["order"], []),
        ("ŋàla, Ŋàla\nNGALA", ["ŋàla"], ["ŋàla", "Ŋàla"]),
    ],
)
def test_terms_are_found_as_retrievers_fold_them(text, terms, found):
    assert marked(text, *terms) == found


@given(st.text(alphabet="aAbßİŋŊ'’-=~. \nk\u0301", max_size=30))
def test_a_text_is_marked_where_it_has_the_term_and_nowhere_else(text):
    for term in set(words(text)):
        assert spans(text, [term])
    assert spans(text, ["zzz"]) == []


def test_words_that_stand_everywhere_are_marked_only_where_there_are_no_others():
    assert marked_terms("Order of the verb") == {"order", "verb"}
    assert marked_terms("not the") == {"not"}
    assert marked_terms("of the") == {"of", "the"}
