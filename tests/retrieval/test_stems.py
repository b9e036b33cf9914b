"""Stems by hand; the stemmer's own list of examples is Snowball's business."""

import numpy as np
import pytest

from src.errors import GrambenchError
from src.records import Paragraph, Search
from src.retrieval.bm25_fast import BM25sRetriever
from src.retrieval.terms import get_terms


def test_english_words_are_cut_and_others_left() -> None:
    (terms,) = get_terms("stems")(["Serial verb constructions: kitábs -ing mata=s evidentials 3s"])
    assert terms == [
        "serial",
        "verb",
        "construct",
        "kitábs",
        "-ing",
        "mata",
        "=s",
        "evidenti",
        "3s",
    ]


def test_a_plural_finds_its_singular() -> None:
    texts = ["On tone.", "The evidential is a suffix.", "Verbs of motion.", "A word on stress."]
    paragraphs = [Paragraph(f"g/{n:04}", "g", text) for n, text in enumerate(texts, 1)]
    search = Search("x", "evidentials", "mine")
    words = BM25sRetriever(k=1).rank(search, paragraphs)
    cut = BM25sRetriever(k=1, terms="stems").rank(search, paragraphs)
    assert words.scores.tolist() == [0] and cut.order.tolist() == [1]
    assert np.all(cut.scores > 0)


def test_the_name_is_known_and_misspelt_ones_are_told() -> None:
    assert get_terms("stems")(["Verbs"]) == [["verb"]]
    with pytest.raises(GrambenchError, match="Did you mean 'stems'"):
        get_terms("stem")
