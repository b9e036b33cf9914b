from __future__ import annotations

import numpy as np
from hypothesis import given
from hypothesis import strategies as st

from src.retrieval.lexical import best_first


@given(st.lists(st.sampled_from([0.0, -0.0, 0.5, 1.0, -2.0, 3.0])), st.integers(1, 12))
def test_best_first_is_the_head_of_a_stable_sort(scores: list[float], k: int) -> None:
    ranking = best_first(np.array(scores), k)
    expected = sorted(range(len(scores)), key=lambda i: -scores[i])[:k]
    assert ranking.order.tolist() == expected
    assert ranking.scores.tolist() == [scores[i] for i in expected]
