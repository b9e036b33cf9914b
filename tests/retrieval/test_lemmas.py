from __future__ import annotations

import importlib.util

import pytest
from hypothesis import given
from hypothesis import strategies as st

from src.errors import GrambenchError
from src.retrieval.lemmas import _load, cut
from src.retrieval.terms import get_terms

HAS_SPACY = importlib.util.find_spec("spacy") is not None
HAS_MODEL = HAS_SPACY and importlib.util.find_spec("en_core_web_sm") is not None
needs_spacy = pytest.mark.skipif(not HAS_SPACY, reason="spaCy is not installed")
needs_model = pytest.mark.skipif(not HAS_MODEL, reason="en_core_web_sm is not installed")


@pytest.mark.skipif(HAS_SPACY, reason="spaCy is installed")
def test_missing_spacy_is_named_with_what_to_do() -> None:
    with pytest.raises(GrambenchError, match=r"pip install spacy.*download en_core_web_sm.*words"):
        get_terms("lemmas")(["Verbs come last."])


@needs_spacy
@pytest.mark.parametrize("model", ["en_core_web_none", "no/such/folder"])
def test_missing_model_is_named_with_what_to_do(model: str) -> None:
    with pytest.raises(GrambenchError, match=f"'{model}'.*lemmas_model.*Get it.*words"):
        get_terms("lemmas", model)(["Verbs come last."])


@needs_spacy
def test_a_pipeline_without_lemmas_is_refused(tmp_path_factory: pytest.TempPathFactory) -> None:
    import spacy

    folder = tmp_path_factory.mktemp("models") / "blank"
    spacy.blank("en").to_disk(folder)
    with pytest.raises(GrambenchError, match=r"no lemmatizer.*nothing"):
        get_terms("lemmas", str(folder))(["Verbs come last."])


@needs_model
def test_lemmas_are_lower_case_alphabetic_and_no_stop_words() -> None:
    batch = get_terms("lemmas")
    texts = ["In these Languages the verbs of 12 clauses follow.", "", "The dogs ran; item5!"]
    assert batch(texts) == [["language", "verb", "clause", "follow"], [], ["dog", "run"]]
    assert batch([]) == []


@needs_model
def test_texts_beyond_the_limit_of_spacy_are_read_in_pieces(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    monkeypatch.setattr(_load("en_core_web_sm"), "max_length", 40)
    text = "Subjects precede verbs.\nObjects follow verbs.\nAdverbs follow objects."
    assert get_terms("lemmas")(["Verbs", text, "dogs"]) == [
        ["verb"],
        ["subject", "precede", "verb", "object", "follow", "verb", "adverb", "follow", "object"],
        ["dog"],
    ]


@needs_model
def test_what_is_switched_off_changes_no_lemma() -> None:
    import spacy

    text = (
        "Speakers left having seen the singing birds; what they saw was a saw, becoming rarer"
        " in lower clauses. Does the marking agree? It is marked, having been marked before."
    )
    whole = [
        token.lemma_.lower()
        for token in spacy.load("en_core_web_sm")(text)
        if token.is_alpha and not token.is_stop
    ]
    assert get_terms("lemmas")([text]) == [whole]


@pytest.mark.parametrize(
    ("text", "pieces"),
    [
        ("", [""]),
        ("ab cd", ["ab cd"]),
        ("ab cd ef", ["ab cd", " ef"]),
        ("a\nb cd ef", ["a", "\nb cd", " ef"]),
        ("abcdefghijklm", ["abcdef", "ghijkl", "m"]),
    ],
)
def test_cut(text: str, pieces: list[str]) -> None:
    assert list(cut(text, 6)) == pieces


@given(st.text("ab \n"), st.integers(1, 9))
def test_cut_loses_nothing(text: str, limit: int) -> None:
    pieces = list(cut(text, limit))
    assert "".join(pieces) == text
    assert all(len(piece) <= limit for piece in pieces)
