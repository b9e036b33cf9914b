from __future__ import annotations

import pytest

from src.errors import GrambenchError
from src.records import Paragraph, Search
from src.retrieval.given import GivenRetriever

SEARCH = Search("wals_81a", "word order", "term")
PARAGRAPHS = [Paragraph(f"g/{i:03}", "g", f"text {i}") for i in range(1, 5)]


@pytest.mark.parametrize(("k", "order"), [(1, [0]), (3, [0, 1, 2]), (4, [0, 1, 2, 3])])
def test_the_candidate_order_is_kept(k: int, order: list[int]) -> None:
    ranking = GivenRetriever(k=k).rank(SEARCH, PARAGRAPHS)
    assert ranking.order.tolist() == order
    assert ranking.scores.tolist() == [-i for i in order]


def test_k_above_the_number_of_paragraphs_and_none_at_all() -> None:
    assert GivenRetriever(k=50).rank(SEARCH, PARAGRAPHS).order.tolist() == [0, 1, 2, 3]
    assert GivenRetriever().rank(SEARCH, []).order.tolist() == []
    assert GivenRetriever(k=None).rank(SEARCH, PARAGRAPHS).order.tolist() == [0, 1, 2, 3]


@pytest.mark.parametrize("k", [0, -1, 2.5])
def test_k_must_be_a_whole_number_above_0(k: int) -> None:
    with pytest.raises(GrambenchError, match=r"retriever\.k is"):
        GivenRetriever(k=k)
