from __future__ import annotations

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from src.records import Paragraph, Scores
from src.retrieval.lexical import Index, RecentIndexes, best_first


@given(st.lists(st.sampled_from([0.0, -0.0, 0.5, 1.0, -2.0, 3.0])), st.integers(1, 12))
def test_best_first_is_the_head_of_a_stable_sort(scores: list[float], k: int) -> None:
    ranking = best_first(np.array(scores), k)
    expected = sorted(range(len(scores)), key=lambda i: -scores[i])[:k]
    assert ranking.order.tolist() == expected
    assert ranking.scores.tolist() == [scores[i] for i in expected]


class Counting:
    """Makes indexes and counts them."""

    def __init__(self) -> None:
        self.built = 0

    def __call__(self) -> Index:
        self.built += 1
        number = float(self.built)

        def index(query: list[str]) -> Scores:
            return np.array([number])

        return index


def paragraphs(grammar: str, n: int, text: str = "text") -> list[Paragraph]:
    return [Paragraph(f"{grammar}/{i}", grammar, text) for i in range(n)]


def test_equal_paragraphs_under_equal_settings_are_indexed_once() -> None:
    recent, build = RecentIndexes(limit=100), Counting()
    for texts in (paragraphs("g", 5), tuple(paragraphs("h", 5))):
        first = recent.get("a", texts, build)
        assert recent.get("a", texts[:], build) is first
    assert recent.get("a", paragraphs("g", 5), build) is not first
    assert build.built == 2


@pytest.mark.parametrize(
    ("settings", "other"),
    [
        ("b", paragraphs("g", 5)),
        ("a", paragraphs("g", 4)),
        ("a", paragraphs("g", 5, "another text")),
        ("a", paragraphs("g", 5)[::-1]),
    ],
)
def test_what_differs_is_indexed_anew(settings: str, other: list[Paragraph]) -> None:
    recent, build = RecentIndexes(limit=100), Counting()
    first = recent.get("a", paragraphs("g", 5), build)
    assert recent.get(settings, other, build) is not first
    assert recent.get("a", paragraphs("g", 5), build) is first


def test_a_list_that_was_changed_is_indexed_anew() -> None:
    recent, build = RecentIndexes(limit=100), Counting()
    texts = paragraphs("g", 5)
    first = recent.get("a", texts, build)
    texts[2] = paragraphs("g", 1, "another text")[0]
    assert recent.get("a", texts, build) is not first


def test_what_was_used_longest_ago_goes_first() -> None:
    recent, build = RecentIndexes(limit=10), Counting()
    for grammar in "ghigk":
        recent.get("a", paragraphs(grammar, 3), build)
    assert build.built == 4
    recent.get("a", paragraphs("g", 3), build)
    assert build.built == 4
    recent.get("a", paragraphs("h", 3), build)
    assert build.built == 5


def test_two_indexes_are_kept_however_large() -> None:
    recent, build = RecentIndexes(limit=10), Counting()
    for settings in "abcbc":
        recent.get(settings, paragraphs("g", 50), build)
    assert build.built == 3
    recent.get("a", paragraphs("g", 50), build)
    assert build.built == 4
