from __future__ import annotations

import inspect
import math
from collections.abc import Callable

import pytest

from src.errors import GrambenchError
from src.records import Paragraph, Ranking, Search
from src.retrieval.bm25 import BM25Retriever
from src.retrieval.bm25_fast import BM25sRetriever
from src.retrieval.given import GivenRetriever
from src.retrieval.no_retriever import NoRetriever
from src.retrieval.oracle import OracleRetriever
from tests.composing import composed

BOTH = pytest.mark.parametrize("make", [BM25Retriever, BM25sRetriever])
Make = Callable[..., BM25Retriever | BM25sRetriever]


def rank(retriever: BM25Retriever | BM25sRetriever, query: str, *texts: str) -> Ranking:
    paragraphs = [Paragraph(f"g/{i:03}", "g", text) for i, text in enumerate(texts, 1)]
    return retriever.rank(Search("wals_81a", query, "term"), paragraphs)


@BOTH
def test_scores_by_hand(make: Make) -> None:
    """Four paragraphs of 2, 4, 3 and 3 terms: the mean is 3."""
    ranking = rank(make(), "verb order", "verb order", "verb verb a b", "noun a b", "case a b")
    idf_verb = math.log(2.5) - math.log(2.5)  # in 2 of 4 paragraphs
    idf_order = math.log(3.5) - math.log(1.5)  # in 1 of 4
    one_of_two = 1 * 2.5 / (1 + 1.5 * (0.25 + 0.75 * 2 / 3))
    assert idf_verb == 0
    assert ranking.order.tolist() == [0, 1, 2, 3]
    assert ranking.scores.tolist() == pytest.approx([idf_order * one_of_two, 0, 0, 0], rel=1e-12)


@BOTH
def test_common_terms_weigh_epsilon_times_the_mean_idf(make: Make) -> None:
    """``a`` stands in 3 of 4 paragraphs (idf log 1.5/3.5), the other terms in one each."""
    texts = ["a b", "a c", "a d", "e f"]
    mean = (-math.log(3.5 / 1.5) + 5 * math.log(3.5 / 1.5)) / 6
    for epsilon in (0.0, 0.25, 1.0):
        ranking = rank(make(epsilon=epsilon), "a", *texts)
        assert ranking.scores.tolist() == pytest.approx([epsilon * mean] * 3 + [0], rel=1e-12)


@BOTH
def test_repeats_in_the_query_count(make: Make) -> None:
    texts = ["verb a a", "noun b b", "case c c", "tone d d", "mood e e"]
    once = rank(make(), "verb noun", *texts)
    assert once.order.tolist()[:2] == [0, 1]
    assert once.scores[0] == once.scores[1]
    twice = rank(make(), "Noun verb noun", *texts)
    assert twice.order.tolist()[:2] == [1, 0]
    assert twice.scores[0] == pytest.approx(2 * once.scores[1], rel=1e-12)


@BOTH
@pytest.mark.parametrize("query", ["", " ... ", "absent"])
def test_a_query_that_finds_nothing_keeps_the_candidate_order(make: Make, query: str) -> None:
    ranking = rank(make(k=3), query, "b", "a", "", "c")
    assert ranking.order.tolist() == [0, 1, 2]
    assert ranking.scores.tolist() == [0, 0, 0]


@BOTH
@pytest.mark.parametrize("b", [0.0, 0.75, 1.0])
def test_an_empty_paragraph_scores_0(make: Make, b: float) -> None:
    ranking = rank(make(b=b), "verb", "", "noun a", "verb a", "…", "tone b")
    assert ranking.order.tolist() == [2, 0, 1, 3, 4]
    assert ranking.scores[0] > 0
    assert ranking.scores[1:].tolist() == [0, 0, 0, 0]


@BOTH
def test_no_paragraphs_and_nothing_but_empty_ones(make: Make) -> None:
    assert rank(make(), "verb").order.tolist() == []
    empty = rank(make(), "verb", "", " – ", "")
    assert (empty.order.tolist(), empty.scores.tolist()) == ([0, 1, 2], [0, 0, 0])


@BOTH
@pytest.mark.parametrize("k", [1, 2, 4, 50])
def test_k_best_and_ties_keep_the_candidate_order(make: Make, k: int) -> None:
    texts = ["noun a", "verb b", "tone c", "verb d", "case e", "mood f"]
    ranking = rank(make(k=k), "verb", *texts)
    assert ranking.order.tolist() == [1, 3, 0, 2, 4, 5][:k]
    assert len(ranking.scores) == len(ranking.order)


@BOTH
@pytest.mark.parametrize(
    ("setting", "value"),
    [("k", 0), ("k1", 0), ("k1", float("nan")), ("b", 1.1), ("b", -0.1), ("epsilon", -1)],
)
def test_settings_that_make_no_sense_are_refused(make: Make, setting: str, value: float) -> None:
    with pytest.raises(GrambenchError, match=rf"retriever\.{setting} is {value}, but must"):
        make(**{setting: value})


@BOTH
def test_unknown_terms_are_refused(make: Make) -> None:
    with pytest.raises(GrambenchError, match="Did you mean 'words'"):
        make(terms="word")


@pytest.mark.parametrize(
    "make", [GivenRetriever, OracleRetriever, NoRetriever, BM25Retriever, BM25sRetriever]
)
def test_the_card_names_every_setting_with_its_default(make: type) -> None:
    defaults = {name: p.default for name, p in inspect.signature(make).parameters.items()}
    folders = {"indexes": "cache/indexes/demo", "pack": "data/demo"}
    assert composed(f"retriever={defaults['name']}")["retriever"] == {
        "_target_": f"{make.__module__}.{make.__qualname__}",
        **defaults,
        "inputs": list(defaults["inputs"]),
        **{name: folder for name, folder in folders.items() if name in defaults},
    }
