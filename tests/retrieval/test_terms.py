from __future__ import annotations

import unicodedata

import pytest
from hypothesis import example, given
from hypothesis import strategies as st

from src.errors import GrambenchError
from src.retrieval.terms import get_terms, words

# Half of the examples from what grammars are full of, half from all of Unicode.
GRAMMATICAL = st.text(
    "aáka ŋʼˀʷːɨSOV1'’-=~∼‐‑–. \n\u00ad\u200b\u200d\u0300\u0303\u0331ßİΣς", max_size=30
)
TEXTS = GRAMMATICAL | st.text(max_size=30)


@pytest.mark.parametrize(
    ("text", "terms"),
    [
        ("S, O and V: SOV, not s.o.v.", "s o and v sov not s o v"),
        ("Table 3.1: 1SG.POSS 2³", "table 3 1 1sg poss 2³"),
        ("Straße STRASSE", "strasse strasse"),
        ("ŋ́ à e\u0330\u0301 tɨ\u0300", "ŋ́ à \u1e1b\u0301 tɨ\u0300"),
        ("ʼŋa kʼ ˀkʷaː ⁿda má˥˩", "ʼŋa kʼ ˀkʷaː ⁿda má˥˩"),
        ("don't don’t 'mat' ‘mat’ nga'‘mat’ k' ", "don't don't mat mat nga mat k"),
        ("snake_case a/b (c)d", "snake case a b c d"),
        ("", ""),
        (" -- = ~ ' – ... \n", ""),
    ],
)
def test_words(text: str, terms: str) -> None:
    assert words(text) == terms.split()


@pytest.mark.parametrize(
    ("text", "terms"),
    [
        ("-ka ka- -ka- =ka ka= ~ka ka~ ka", "-ka ka- -ka- =ka ka= ~ka ka~ ka"),
        ("verb-final, subject-verb-object", "verb final subject verb object"),
        ("head- and dependent-marking", "head- and dependent marking"),
        ("mbi=ka ta~tak mbi-ra=ka=na", "mbi =ka ta ~tak mbi ra =ka =na"),
        ("-ka-ra ka-ra- =ka-ra", "-ka ra ka ra- =ka ra"),
        ("the suffix '-ra', (-ra) or -ra.", "the suffix -ra -ra or -ra"),
        ("tak'-ra ta-'ra mbi'=ka 'mbi-'", "tak ra ta ra mbi =ka mbi-"),
        ("so -- they say--it == goes---on a-=b", "so they say it goes on a b"),
        ("- one\n- two x = y ka ~ ga", "one two x y ka ga"),
        ("SOV–SVO —ka −ka", "sov svo ka ka"),
        ("‑ka ka‐ verb‑final ∼ka", "-ka ka- verb final ~ka"),
        ("an\u00ad\nother un\u00adseen \ufeffa\u200db c\u200bd", "another unseen ab c d"),
        ("sub-\nject", "sub- ject"),
    ],
)
def test_boundaries(text: str, terms: str) -> None:
    assert words(text) == terms.split()


@given(TEXTS)
@example("\u0345\u0301α")
def test_composed_and_decomposed_texts_have_equal_terms(text: str) -> None:
    composed = words(unicodedata.normalize("NFC", text))
    assert composed == words(unicodedata.normalize("NFD", text)) == words(text)
    assert all(unicodedata.is_normalized("NFC", term) for term in composed)


def letters(text: str) -> str:
    folded = unicodedata.normalize("NFC", unicodedata.normalize("NFC", text).casefold())
    return "".join(c for c in folded if c.isalnum())


@given(TEXTS)
def test_every_letter_and_digit_is_in_some_term(text: str) -> None:
    seen = "".join(c for c in text if unicodedata.category(c) != "Cf" or c == "\u200b")
    assert letters(" ".join(words(text))) == letters(seen)


@given(TEXTS)
def test_terms_are_whole_and_stay_as_they_are(text: str) -> None:
    terms = words(text)
    assert all(term and not any(c.isspace() for c in term) for term in terms)
    assert words(" ".join(terms)) == terms


@given(st.text("kaŋS1ɨ\u0301", min_size=1, max_size=5), st.sampled_from("-=~"))
def test_an_affix_is_never_the_word_it_looks_like(form: str, sign: str) -> None:
    variants = [form, sign + form, form + sign, sign + form + sign]
    terms = words(" ".join(variants))
    assert len(terms) == len(set(terms)) == 4


def test_get_terms() -> None:
    assert get_terms("words")(["A b", ""]) == [["a", "b"], []]
    assert get_terms("words")([]) == []
    with pytest.raises(GrambenchError, match=r"words, stems, lemmas.*Did you mean 'lemmas'\?"):
        get_terms("lemma")
