from __future__ import annotations

import itertools

import numpy as np
import pytest
from scipy.stats import binomtest
from sklearn.metrics import f1_score

from src.errors import GrambenchError
from src.metrics.agreement import macro_f1_test, mcnemar
from src.metrics.classification import encode

CLASSES = ("SOV", "SVO", "VSO")
GOLD = ["SOV", "SOV", "SVO", "SVO", "VSO", "SOV", "SVO"]
A = ["SOV", "SOV", "SVO", "SVO", "VSO", "SVO", "SOV"]
B = ["SVO", "SOV", "SOV", "SVO", "SOV", "SOV", "SOV"]


def test_mcnemar_by_hand() -> None:
    # 4 rows only a has right, 1 only b: 2 * (C(5, 0) + C(5, 1)) / 2^5
    found = mcnemar([1, 1, 1, 1, 0, 1, 0], [0, 0, 0, 0, 1, 1, 0])
    assert (found.both, found.only_a, found.only_b, found.neither) == (1, 4, 1, 1)
    assert found.p == pytest.approx(2 * 6 / 32)


@pytest.mark.parametrize(("only_a", "only_b"), [(0, 0), (3, 3), (9, 2), (0, 12), (40, 61)])
def test_mcnemar_is_the_binomial_test(only_a, only_b) -> None:
    a = [True] * only_a + [False] * only_b + [True, False]
    b = [False] * only_a + [True] * only_b + [True, False]
    total = only_a + only_b
    expected = binomtest(only_a, total, 0.5).pvalue if total else 1.0
    assert mcnemar(a, b).p == pytest.approx(expected)
    assert mcnemar(b, a).p == pytest.approx(expected)


def brute(gold, a, b) -> tuple[float, float]:
    def difference(one, two):
        scored = [f1_score(gold, run, average="macro", zero_division=0) for run in (one, two)]
        return scored[0] - scored[1]

    observed = difference(a, b)
    found = []
    for swaps in itertools.product((False, True), repeat=len(gold)):
        one = [y if swap else x for x, y, swap in zip(a, b, swaps, strict=True)]
        two = [x if swap else y for x, y, swap in zip(a, b, swaps, strict=True)]
        found.append(abs(difference(one, two)) >= abs(observed) - 1e-10)
    return observed, float(np.mean(found))


def test_all_swaps_of_a_few_rows() -> None:
    found = macro_f1_test(encode(GOLD, A, CLASSES), encode(GOLD, B, CLASSES), seed=0)
    difference, p = brute(GOLD, A, B)
    assert found.method == "exact" and found.n == len(GOLD)
    assert (found.difference, found.p) == pytest.approx((difference, p))


def test_random_swaps_come_near_all_of_them(monkeypatch) -> None:
    one, two = encode(GOLD, A, CLASSES), encode(GOLD, B, CLASSES)
    monkeypatch.setattr("src.metrics.agreement._MOST_EXACT", 2)
    found = macro_f1_test(one, two, seed=0, resamples=20_000)
    assert found.method == "sampled"
    assert found.p == pytest.approx(brute(GOLD, A, B)[1], abs=0.02)
    assert found == macro_f1_test(one, two, seed=0, resamples=20_000)


def test_the_same_answers_do_not_differ() -> None:
    one = encode(GOLD, [None, *A[1:]], CLASSES)
    found = macro_f1_test(one, one, seed=0)
    assert (found.difference, found.p) == (0, 1)


def test_a_clear_difference_is_found_and_swapping_the_runs_turns_it() -> None:
    gold = list(CLASSES) * 15
    worse = encode(gold, ["SOV"] * 45, CLASSES)
    better = encode(gold, gold, CLASSES)
    found = macro_f1_test(better, worse, seed=0, resamples=500)
    assert found.difference == pytest.approx(1 - 1 / 6) and found.p == 1 / 501
    turned = macro_f1_test(worse, better, seed=0, resamples=500)
    assert (turned.difference, turned.p) == pytest.approx((-found.difference, found.p))


def test_other_rows_cannot_be_compared() -> None:
    one = encode(GOLD, A, CLASSES)
    with pytest.raises(GrambenchError, match="7 and 6 rows"):
        macro_f1_test(one, encode(GOLD[1:], A[1:], CLASSES), seed=0)
    with pytest.raises(GrambenchError, match="other gold labels"):
        macro_f1_test(one, encode(A, A, CLASSES), seed=0)
    with pytest.raises(GrambenchError, match="2 and 1 rows"):
        mcnemar([True, False], [True])
