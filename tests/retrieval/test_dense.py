"""Dense retrieval is its encoder's reranking, encoded once; and what hybrid makes of it."""

from __future__ import annotations

from pathlib import Path

import numpy as np
import pytest

from src.errors import GrambenchError
from src.retrieval.bm25_fast import BM25sRetriever
from src.retrieval.dense import DenseRetriever
from src.retrieval.hybrid import HybridRetriever
from src.retrieval.none import NoReranker
from src.retrieval.recent_indexes import RECENT
from src.retrieval.shared import forget_models
from tests.retrieval.encoder_help import SEARCH, TEXTS, minilm, paragraphs

pytestmark = pytest.mark.usefixtures("fresh")


@pytest.mark.parametrize("k", [1, 3, 50])
def test_it_ranks_as_the_reranker_scores(tmp_path: Path, k: int) -> None:
    scores = minilm(vectors=tmp_path).score(SEARCH, paragraphs())
    expected = np.argsort(-scores, kind="stable")[:k]
    ranking = DenseRetriever(minilm(vectors=tmp_path), k=k).rank(SEARCH, paragraphs())
    assert ranking.order.tolist() == expected.tolist()
    assert ranking.scores.tolist() == scores[expected].tolist()


def test_a_score_does_not_depend_on_its_neighbours_and_equal_texts_tie() -> None:
    """More texts than are compared at a time."""
    many = [TEXTS[i % len(TEXTS)] for i in range(2500)]
    ranking = DenseRetriever(minilm(), k=2500).rank(SEARCH, paragraphs(many))
    single = minilm().score(SEARCH, paragraphs(TEXTS))
    expected = np.array([single[i % len(TEXTS)] for i in range(2500)])
    assert ranking.order.tolist() == np.argsort(-expected, kind="stable").tolist()
    assert ranking.scores.tolist() == expected[ranking.order].tolist()


def test_retriever_and_reranker_of_one_model_encode_once(tmp_path: Path) -> None:
    retriever, reranker = DenseRetriever(minilm(vectors=tmp_path)), minilm(vectors=tmp_path)
    retriever.prepare(paragraphs())
    retriever.rank(SEARCH, paragraphs())
    reranker.prepare(paragraphs())
    reranker.score(SEARCH, paragraphs())
    assert (retriever.documents_encoded, retriever.queries_encoded) == (len(TEXTS), 1)
    assert (reranker.documents_encoded, reranker.queries_encoded) == (0, 0)


def test_vectors_in_memory_that_are_gone_are_made_anew() -> None:
    first = DenseRetriever(minilm()).rank(SEARCH, paragraphs())
    forget_models()
    retriever = DenseRetriever(minilm())
    assert retriever.rank(SEARCH, paragraphs()).scores.tolist() == first.scores.tolist()
    assert retriever.documents_encoded == len(TEXTS)


def test_no_paragraphs() -> None:
    assert DenseRetriever(minilm()).rank(SEARCH, []).order.tolist() == []


def test_texts_are_hashed_once_a_list(monkeypatch: pytest.MonkeyPatch) -> None:
    book = tuple(paragraphs())
    DenseRetriever(minilm()).rank(SEARCH, book)
    kept = len(RECENT._kept)
    again = DenseRetriever(minilm())
    monkeypatch.setattr(again.encoder, "texts", lambda _: 1 / 0)
    assert len(again.rank(SEARCH, book).order) == len(TEXTS)
    assert len(RECENT._kept) == kept


def test_only_embedding_models_can_encode() -> None:
    with pytest.raises(GrambenchError, match=r"retriever\.encoder is 'none', which gives"):
        DenseRetriever(NoReranker())  # type: ignore[arg-type]
    with pytest.raises(GrambenchError, match=r"retriever\.k is 0"):
        DenseRetriever(minilm(), k=0)


def test_hybrid_prepares_counts_and_tells_what_was_sent() -> None:
    hybrid = HybridRetriever({"lexical": BM25sRetriever(), "dense": DenseRetriever(minilm())})
    hybrid.prepare(paragraphs())
    assert (hybrid.documents_encoded, hybrid.queries_encoded) == (len(TEXTS), 0)
    ranking = hybrid.rank(SEARCH, paragraphs())
    assert (hybrid.documents_encoded, hybrid.queries_encoded) == (len(TEXTS), 1)
    assert ranking.order[0] == 0  # "The verb comes last: the order of subject, object and verb ..."
    assert sorted(ranking.order.tolist()) == list(range(len(TEXTS)))
    assert hybrid.templates is not None
    assert hybrid.templates.query_text(SEARCH) == f"{SEARCH.instruct}\n{SEARCH.query}"
    assert HybridRetriever({"lexical": BM25sRetriever()}).templates is None
