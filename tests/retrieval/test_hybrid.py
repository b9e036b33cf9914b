"""Reciprocal-rank fusion: by hand, and the laws that it must keep."""

from __future__ import annotations

from collections.abc import Sequence

import numpy as np
import pytest
from hydra.errors import HydraException
from hypothesis import given
from hypothesis import strategies as st
from omegaconf.errors import OmegaConfBaseException

from src.errors import GrambenchError
from src.launch.choices import unknown_choice
from src.records import Paragraph, Ranking, Search
from src.retrieval.bm25_fast import BM25sRetriever
from src.retrieval.dense import DenseRetriever
from src.retrieval.hybrid import HybridRetriever
from src.retrieval.lexical import best_first
from src.tasks.components import build
from tests.composing import composed, config

SEARCH = Search("wals_81a", "word order", "term")


class Scored:
    """A retriever whose scores are known."""

    def __init__(self, scores: Sequence[float], k: int = 50) -> None:
        self.scores = np.array(scores, dtype=np.float64)
        self.k = k

    def rank(self, search: Search, paragraphs: Sequence[Paragraph]) -> Ranking:
        return best_first(self.scores[: len(paragraphs)], self.k)


def book(n: int) -> list[Paragraph]:
    return [Paragraph(f"g/{i:04}", "g", f"text {i}") for i in range(1, n + 1)]


def test_fusion_by_hand() -> None:
    """Ranks from 1: lexical finds 2, 0, 1; dense finds only 1, 3."""
    parts = {"lexical": Scored([2, 1, 3, 0], k=3), "dense": Scored([0, 4, -1, 2], k=2)}
    ranking = HybridRetriever(parts).rank(SEARCH, book(4))
    assert ranking.order.tolist() == [1, 2, 0, 3]
    expected = [1 / 63 + 1 / 61, 1 / 61, 1 / 62, 1 / 62]
    assert ranking.scores.tolist() == pytest.approx(expected, rel=1e-12)


def test_weights_and_the_rank_constant_by_hand() -> None:
    parts = {"lexical": Scored([2, 1, 3]), "dense": Scored([0, 4, 1])}
    hybrid = HybridRetriever(parts, rank_constant=0, weights={"dense": 0.5}, k=2)
    ranking = hybrid.rank(SEARCH, book(3))
    assert ranking.order.tolist() == [2, 1]
    assert ranking.scores.tolist() == pytest.approx([1 + 0.5 / 2, 1 / 3 + 0.5], rel=1e-12)


def test_what_no_part_ranks_is_not_found() -> None:
    parts = {"a": Scored([5, 1, 0, 0], k=1), "b": Scored([5, 0, 0, 1], k=2)}
    assert HybridRetriever(parts).rank(SEARCH, book(4)).order.tolist() == [0, 3]
    assert HybridRetriever(parts).rank(SEARCH, []).order.tolist() == []


SCORES = st.lists(st.integers(-3, 3), min_size=1, max_size=12)
TWO = st.integers(1, 12).flatmap(
    lambda n: st.tuples(*[st.lists(st.integers(-3, 3), min_size=n, max_size=n)] * 2)
)


@given(SCORES, st.integers(1, 14), st.sampled_from([0, 1, 60]))
def test_fusion_of_one_part_is_its_order(scores: list[int], k: int, constant: float) -> None:
    part = Scored(scores, k)
    ranking = HybridRetriever({"one": part}, rank_constant=constant).rank(SEARCH, book(len(scores)))
    assert ranking.order.tolist() == part.rank(SEARCH, book(len(scores))).order.tolist()


@given(TWO, st.sampled_from([0.001, 7.0, 1e6]), st.integers(1, 12), st.integers(1, 12))
def test_scales_of_the_parts_scores_make_no_difference(
    scores: tuple[list[int], list[int]], scale: float, depth: int, k: int
) -> None:
    first, second = scores
    parts = {"a": Scored(first, depth), "b": Scored(second)}
    other = {"a": Scored([scale * score + 11 for score in first], depth), "b": Scored(second)}
    one = HybridRetriever(parts, k=k).rank(SEARCH, book(len(first)))
    two = HybridRetriever(other, k=k).rank(SEARCH, book(len(first)))
    assert one.order.tolist() == two.order.tolist()
    assert one.scores.tolist() == two.scores.tolist()


@given(TWO, st.integers(1, 12), st.integers(1, 12), st.integers(1, 12))
def test_fusion_is_the_sum_over_the_parts(
    scores: tuple[list[int], list[int]], depth: int, other_depth: int, k: int
) -> None:
    """Against a plain reading of the formula, in whole numbers' fractions."""
    from fractions import Fraction

    n = len(scores[0])
    sums: dict[int, Fraction] = {}
    for part, its_depth in zip(scores, (depth, other_depth), strict=True):
        order = sorted(range(n), key=lambda i: -part[i])[:its_depth]
        for rank, place in enumerate(order, 1):
            sums[place] = sums.get(place, Fraction(0)) + Fraction(1, 60 + rank)
    parts = {"a": Scored(scores[0], depth), "b": Scored(scores[1], other_depth)}
    ranking = HybridRetriever(parts, k=k).rank(SEARCH, book(n))
    found = [sums[place] for place in ranking.order.tolist()]
    assert found == sorted(sums.values(), reverse=True)[:k]
    assert ranking.scores.tolist() == pytest.approx([float(one) for one in found], rel=1e-12)


def test_ties_keep_the_candidate_order() -> None:
    """Swapped ranks: 1/61 + 1/62 for both, and the first of the list comes first."""
    parts = {"a": Scored([1, 2, 0]), "b": Scored([2, 1, 0])}
    ranking = HybridRetriever(parts).rank(SEARCH, book(3))
    assert ranking.order.tolist() == [0, 1, 2]
    assert ranking.scores[0] == ranking.scores[1]


@pytest.mark.parametrize(
    ("wrong", "message"),
    [
        ({"parts": {}}, r"retriever\.parts is empty"),
        ({"k": 0}, r"retriever\.k is 0"),
        ({"rank_constant": -1}, r"rank_constant is -1"),
        ({"rank_constant": float("nan")}, r"rank_constant is nan"),
        ({"weights": {"dens": 1}}, r"'dens', which is none of the parts: dense\. Did you mean"),
        ({"weights": {"dense": -1}}, r"weights\.dense is -1"),
        ({"weights": {"dense": 0}}, "all 0"),
    ],
)
def test_what_makes_no_sense_is_refused(wrong: dict[str, object], message: str) -> None:
    with pytest.raises(GrambenchError, match=message):
        HybridRetriever(**{"parts": {"dense": Scored([1])}, **wrong})  # type: ignore[arg-type]


@pytest.mark.parametrize(
    ("overrides", "path", "name"),
    [
        (["retriever=dense", "reranker@retriever.encoder=bge_m3"], ["encoder"], "bge_m3"),
        (["retriever=hybrid"], ["parts", "lexical"], "bm25s"),
        (["retriever=hybrid"], ["parts", "dense", "encoder"], "minilm"),
        (
            ["retriever=hybrid", "retriever@retriever.parts.lexical=bm25"],
            ["parts", "lexical"],
            "bm25",
        ),
        (
            ["retriever=hybrid", "reranker@retriever.parts.dense.encoder=bge_m3"],
            ["parts", "dense", "encoder"],
            "bge_m3",
        ),
        (
            ["retriever=hybrid", "+retriever@retriever.parts.other=bm25"],
            ["parts", "other"],
            "bm25",
        ),
    ],
)
def test_parts_and_encoders_are_chosen_by_name(
    overrides: list[str], path: list[str], name: str
) -> None:
    assert unknown_choice(overrides) == ""
    found = composed(*overrides)["retriever"]
    for key in path:
        found = found[key]
    assert found["name"] == name
    assert found["_target_"].startswith("src.retrieval.")


@pytest.mark.parametrize(
    "override",
    [
        "retriever.ks=1",
        "retriever.parts.dense.ks=1",
        "retriever.parts.lexical.k1=high",
        "retriever.parts.dense.encoder.max_token=1",
        "retriever.parts.dense.encoder.max_tokens=many",
        "retriever.weights.dens=1",
        "retriever.rank_constant=some",
    ],
)
def test_unknown_keys_and_wrong_types_are_refused_at_any_depth(override: str) -> None:
    with pytest.raises((HydraException, OmegaConfBaseException)):
        composed("retriever=hybrid", override)


def test_settings_of_parts_reach_them() -> None:
    chosen = ["retriever.parts.dense.k=7", "retriever.weights.lexical=2", "retriever.k=9"]
    hybrid = build(config("retriever=hybrid", *chosen).retriever)
    assert isinstance(hybrid, HybridRetriever)
    assert isinstance(hybrid.parts["dense"], DenseRetriever)
    assert (hybrid.k, hybrid.parts["dense"].k) == (9, 7)
    assert hybrid.weights == {"lexical": 2, "dense": 1}


def test_a_lexical_part_finds_only_what_shares_a_term() -> None:
    """Of ten paragraphs the query's word stands in the last alone."""
    paragraphs = [*book(9), Paragraph("g/0010", "g", "the particle")]
    alone = HybridRetriever({"lexical": BM25sRetriever(k=10)})
    found = alone.rank(Search("wals_116a", "particle", "term"), paragraphs)
    assert found.order.tolist() == [9]
