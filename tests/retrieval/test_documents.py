from __future__ import annotations

from collections import Counter

from hypothesis import given
from hypothesis import strategies as st

from src.retrieval.documents import Counted, Documents

LISTS = st.lists(st.lists(st.sampled_from(["a", "b", "ŋa", "-ka"]), max_size=6), max_size=6)


def test_counts_by_hand() -> None:
    counted = Documents([["b", "a", "b"], [], ["c", "b"]]).counted
    assert counted.vocabulary == ["b", "a", "c"]
    assert counted.frequencies.tolist() == [2, 1, 1]
    assert counted.terms.tolist() == [0, 0, 1, 2]
    assert counted.places.tolist() == [0, 2, 0, 2]
    assert counted.counts.tolist() == [2, 1, 1, 1]
    assert counted.lengths.tolist() == [3, 0, 2]


@given(LISTS)
def test_lists_made_of_counts_have_the_same_bags_of_words(lists: list[list[str]]) -> None:
    counted = Documents(lists).counted
    again = Documents(counted=counted)
    assert [Counter(one) for one in again.lists] == [Counter(one) for one in lists]
    assert len(again) == len(lists)
    assert again.any() == any(lists) == Documents(lists).any()
    assert alike(Documents(again.lists).counted, counted)


def alike(one: Counted, other: Counted) -> bool:
    return one.vocabulary == other.vocabulary and all(
        getattr(one, name).tolist() == getattr(other, name).tolist()
        for name in ("frequencies", "places", "counts", "lengths")
    )
