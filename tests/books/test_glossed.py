"""Examples that only their glosses tell."""

from __future__ import annotations

import pytest

from src.books.glossed import glossed_end


@pytest.mark.parametrize(
    ("lines", "end"),
    [
        (["towi ʔuno-lu", "child sleep-IPFV", "‘The child sleeps.’", "It is so."], 3),
        (["towi ʔuno-lu", "child sleep-IPFV", "‘The child", "sleeps.’", "It is so."], 4),
        (["towi ʔunolu", "towi ʔuno-lu", "child sleep-IPFV", "‘The child sleeps.’"], 4),
        (["towi ʔuno-lu", "child sleep-ipfv", "‘The child sleeps.’"], 3),  # aligned hyphens
        (["1. towi ne", "child Q"], 2),  # no translation, but nothing follows
        (["towi ne", "child Q", "It is so."], 0),
        (["a verb is", "the last word", "‘last’ of all"], 0),  # as many words, but no glosses
        (["that he said", "when I came", "“at last”"], 0),
        (["towi ʔuno-lu ne", "child sleep-IPFV", "‘The child sleeps.’"], 0),
        (["These are two:", "towi ʔuno-lu ne", "child sleep-IPFV Q"], 0),  # an introduction
        (["- (6) towi ne", "child Q", "‘A child?’"], 3),
        (["towi", "CHILD", "‘child’"], 0),  # a word alone is no sentence
    ],
)
def test_where_an_example_ends(lines: list[str], end: int) -> None:
    assert glossed_end(lines, 0) == end
