from __future__ import annotations

import importlib.util

import pytest

from src.errors import GrambenchError
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
    texts = ["The Verbs of 12 languages have two subjects.", "", "Dogs ran; the mat-5!"]
    assert batch(texts) == [["verb", "language", "subject"], [], ["dog", "run", "mat-5"][:2]]
    assert batch([]) == []


@needs_model
def test_texts_beyond_the_limit_of_spacy_are_read() -> None:
    assert len(get_terms("lemmas")(["verb " * 210_000])[0]) == 210_000


@needs_model
def test_unneeded_components_change_no_lemma() -> None:
    import spacy

    text = (
        "Speakers left the singing birds that had been seen by them; left branching is found"
        " in lower clauses, and what they saw was a saw. Does the marking agree? It is marked."
    )
    whole = [
        token.lemma_.lower()
        for token in spacy.load("en_core_web_sm")(text)
        if token.is_alpha and not token.is_stop
    ]
    assert get_terms("lemmas")([text]) == [whole]
