from __future__ import annotations

import csv
import json
import math
import sys
import unicodedata
from collections.abc import Iterator
from pathlib import Path

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from src.errors import GrambenchError
from src.records import Paragraph, Ranking, Search
from src.retrieval.bm25 import BM25Retriever
from src.retrieval.bm25_fast import BM25sRetriever

# Few distinct terms and short texts, so that ties and terms in most of them are common.
TEXTS = st.lists(st.lists(st.sampled_from("aaabcdefghijkl"), max_size=8).map(" ".join), max_size=12)
QUERY = st.lists(st.sampled_from("abcdefghijklz"), max_size=15).map(" ".join)
FEATURES = ("WALS 81A", "GB 107", "WALS 116A", "WALS 49A")
TERM_QUERY = "Dominant word order (Order of Subject, Object, and Verb)"


def rank(
    retriever: BM25Retriever | BM25sRetriever, query: str, texts: list[str], name: str = "g"
) -> Ranking:
    paragraphs = [Paragraph(f"{name}/{i:03}", name, text) for i, text in enumerate(texts, 1)]
    return retriever.rank(Search("wals_81a", query, "term"), paragraphs)


@given(
    TEXTS,
    QUERY,
    st.sampled_from([0.5, 1, 1.2, 1.5]),
    st.sampled_from([0, 0.4, 0.75, 1]),
    st.sampled_from([0, 0.25, 1.0]),
)
def test_okapi_is_rank_bm25(
    texts: list[str], query: str, k1: float, b: float, epsilon: float
) -> None:
    slow = rank(BM25Retriever(k1=k1, b=b, epsilon=epsilon), query, texts)
    fast = rank(BM25sRetriever(k1=k1, b=b, epsilon=epsilon), query, texts)
    assert fast.order.tolist() == slow.order.tolist()
    assert fast.scores.tolist() == slow.scores.tolist()


@given(TEXTS, QUERY, st.sampled_from([0.5, 1.5]), st.sampled_from([0, 0.75, 1]))
def test_lucene_is_that_of_bm25s(texts: list[str], query: str, k1: float, b: float) -> None:
    import bm25s

    ranking = rank(BM25sRetriever(variant="lucene", k1=k1, b=b), query, texts)
    documents = [text.split() for text in texts]
    known = [term for term in query.split() if any(term in document for document in documents)]
    expected = np.zeros(len(texts))
    if known:
        bare = bm25s.BM25(method="lucene", k1=k1, b=b, dtype="float64")
        bare.index(documents, show_progress=False)
        expected = bare.get_scores(known)
    assert ranking.scores.tolist() == pytest.approx(expected[ranking.order].tolist(), abs=1e-9)
    assert ranking.scores.tolist() == pytest.approx(sorted(expected, reverse=True), abs=1e-9)


def test_lucene_by_hand() -> None:
    ranking = rank(BM25sRetriever(variant="lucene"), "a b", ["a", "a a b", "a c"])
    norms = [1.5 * (0.25 + 0.75 * length / 2) for length in (1, 3, 2)]
    idf_a, idf_b = math.log(1 + 0.5 / 3.5), math.log(1 + 2.5 / 1.5)
    assert ranking.order.tolist() == [1, 0, 2]
    assert ranking.scores.tolist() == pytest.approx(
        [
            idf_a * 2 / (2 + norms[1]) + idf_b * 1 / (1 + norms[1]),
            idf_a * 1 / (1 + norms[0]),
            idf_a * 1 / (1 + norms[2]),
        ],
        rel=1e-12,
    )


@pytest.mark.parametrize("delta", [0.0, 0.5, 1.0])
def test_bm25plus_by_hand(delta: float) -> None:
    """Only terms that a paragraph has count, each for at least delta times its idf."""
    ranking = rank(BM25sRetriever(variant="bm25plus", delta=delta), "a b z", ["c c", "a", "a a b"])
    norms = [1.5 * (0.25 + 0.75 * length / 2) for length in (2, 1, 3)]
    idf_a, idf_b = math.log(4 / 2), math.log(4 / 1)
    assert ranking.order.tolist() == [2, 1, 0]
    assert ranking.scores.tolist() == pytest.approx(
        [
            idf_a * (delta + 2 * 2.5 / (2 + norms[2])) + idf_b * (delta + 2.5 / (1 + norms[2])),
            idf_a * (delta + 2.5 / (1 + norms[1])),
            0,
        ],
        rel=1e-12,
    )


def test_delta_lets_a_long_paragraph_that_has_the_terms_win() -> None:
    """The point of BM25+: two rare terms in a very long text against one in a short text."""
    texts = ["a a", "a b " + "c " * 300, "d", "e"]
    assert rank(BM25sRetriever(variant="bm25plus", delta=0), "a b", texts).order[0] == 0
    assert rank(BM25sRetriever(variant="bm25plus", delta=1), "a b", texts).order[0] == 1


@given(TEXTS, QUERY)
def test_bm25plus_without_delta_is_that_of_rank_bm25(texts: list[str], query: str) -> None:
    from rank_bm25 import BM25Plus

    ranking = rank(BM25sRetriever(variant="bm25plus", delta=0, b=0.5), query, texts)
    expected = np.zeros(len(texts))
    if any(text.split() for text in texts):
        oracle = BM25Plus([text.split() for text in texts], b=0.5, delta=0)
        expected = oracle.get_scores(query.split())
    assert ranking.scores.tolist() == pytest.approx(expected[ranking.order].tolist(), abs=1e-9)
    assert ranking.scores.tolist() == pytest.approx(sorted(expected, reverse=True), abs=1e-9)


@pytest.mark.parametrize("variant", ["lucene", "bm25plus"])
def test_empty_queries_and_paragraphs_in_every_variant(variant: str) -> None:
    retriever = BM25sRetriever(variant=variant, k=2)
    for query, texts in [("", ["a", "b", "c"]), ("z", ["a", "b", "c"]), ("a", ["", "–", ""])]:
        ranking = rank(retriever, query, texts)
        assert (ranking.order.tolist(), ranking.scores.tolist()) == ([0, 1], [0, 0])
    assert rank(retriever, "a", []).order.tolist() == []
    assert rank(retriever, "a", ["", "a", "b"]).order.tolist() == [1, 0]


def test_settings_count_although_the_paragraphs_were_indexed_before() -> None:
    texts = ["a b", "a", "b c c", "d e", "f g"]
    settings = [{"variant": v} for v in ("okapi", "lucene", "bm25plus")] + [{"k1": 0.9}, {"b": 0.1}]
    found = {tuple(rank(BM25sRetriever(**one), "a c", texts).scores) for one in settings}
    assert len(found) == len(settings)


def test_unknown_variants_are_refused() -> None:
    with pytest.raises(GrambenchError, match=r"okapi, lucene, bm25plus.*mean 'lucene'\?"):
        BM25sRetriever(variant="Lucene4")
    with pytest.raises(GrambenchError, match=r"retriever\.delta is -1"):
        BM25sRetriever(variant="bm25plus", delta=-1)


def grammars(data: Path) -> Iterator[tuple[str, list[str]]]:
    """Every grammar's candidate texts, with the name of its file."""
    csv.field_size_limit(sys.maxsize)
    files = sorted(data.glob("mtob/Grammars Paragraphs/*/Wikipedia 50/*.csv"))
    for file in files + sorted(data.glob("mtob/rerankers_benchmark/*.csv")):
        with file.open(encoding="utf-8", newline="") as rows:
            texts = [row["Paragraph"] for row in csv.DictReader(rows)]
        yield str(file), [unicodedata.normalize("NFC", text) for text in texts]


def summary(data: Path, feature: str) -> str:
    """The text after the line that introduces the definition in the feature's prompts."""
    file = data / "mtob" / "RAG Prompts" / feature / "baseline.jsonl"
    with file.open(encoding="utf-8") as lines:
        prompt = json.loads(next(lines))["body"]["messages"][-1]["content"]
    _, _, rest = prompt.partition("\nDefinition of ")
    return str(rest.partition("\n")[2]).strip()


@pytest.mark.realdata
def test_okapi_is_rank_bm25_on_real_paragraphs(real_data: Path) -> None:
    queries = [TERM_QUERY, *(summary(real_data, feature) for feature in FEATURES)]
    assert all(len(query) > 500 for query in queries[1:])
    compared = 0
    for name, texts in grammars(real_data):
        for query in queries:
            slow = rank(BM25Retriever(), query, texts, name)
            fast = rank(BM25sRetriever(), query, texts, name)
            assert fast.order.tolist() == slow.order.tolist(), name
            assert fast.scores.tolist() == slow.scores.tolist(), name
            compared += 1
    assert compared >= 5 * 100
