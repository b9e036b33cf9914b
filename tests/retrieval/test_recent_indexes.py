from __future__ import annotations

from dataclasses import dataclass

import pytest

from src.records import Paragraph
from src.retrieval.recent_indexes import RecentIndexes


@dataclass(frozen=True)
class Fake:
    """An index that is nothing but its size."""

    number: int
    nbytes: int


class Counting:
    """Makes indexes of a size and counts them."""

    def __init__(self, nbytes: int = 3) -> None:
        self.built = 0
        self.nbytes = nbytes

    def __call__(self) -> Fake:
        self.built += 1
        return Fake(self.built, self.nbytes)


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
    recent, build = RecentIndexes(limit=10), Counting(nbytes=50)
    for settings in "abcbc":
        recent.get(settings, paragraphs("g", 50), build)
    assert build.built == 3
    recent.get("a", paragraphs("g", 50), build)
    assert build.built == 4
