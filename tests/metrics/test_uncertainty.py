"""Intervals and paired tests by hand, against scipy, and by law."""

from __future__ import annotations

import itertools
import math

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from scipy import stats

from src.errors import GrambenchError
from src.metrics import uncertainty
from src.metrics.uncertainty import Interval, PairedTest, bootstrap_interval, paired_permutation_p

NINE = [0.61, 0.83, 0.47, 0.92, 0.75, 0.58, 0.88, 0.69, 0.71]
numbers = st.floats(-1, 1, allow_subnormal=False).map(lambda x: round(x, 6))


def brute_force(differences: list[float]) -> float:
    """Every sign pattern, one after the other; whole numbers, so that sums are exact."""
    observed = abs(sum(differences))
    patterns = list(itertools.product((1, -1), repeat=len(differences)))
    reaching = sum(
        abs(sum(s * d for s, d in zip(signs, differences, strict=True))) >= observed
        for signs in patterns
    )
    return reaching / len(patterns)


def scipy_p(differences: np.ndarray) -> float:
    found = stats.permutation_test(
        (differences,),
        np.mean,
        permutation_type="samples",
        vectorized=True,
        n_resamples=np.inf,
        alternative="two-sided",
    )
    return float(found.pvalue)


# --- Interval


@pytest.mark.parametrize("values", [[], [0.7]])
def test_fewer_than_two_values_have_no_interval(values) -> None:
    interval = bootstrap_interval(values, seed=1)
    assert math.isnan(interval.low)
    assert math.isnan(interval.high)
    assert interval.n == len(values)


def test_equal_values_have_an_interval_of_no_width() -> None:
    assert bootstrap_interval([0.5] * 4, seed=1) == Interval(0.5, 0.5, 0.95, 10_000, 4)


def test_two_values_by_hand() -> None:
    # Means of two draws from {0, 1}: 0, .5, 1 with chances 1/4, 1/2, 1/4. The inner 40 % of them
    # is .5 alone, the inner 95 % the whole range.
    narrow = bootstrap_interval([0, 1], confidence=0.4, seed=3)
    wide = bootstrap_interval([0, 1], seed=3)
    assert (narrow.low, narrow.high) == (0.5, 0.5)
    assert (wide.low, wide.high) == (0.0, 1.0)


@pytest.mark.parametrize("confidence", [0.5, 0.95])
def test_interval_agrees_with_scipy(confidence) -> None:
    ours = bootstrap_interval(NINE, confidence=confidence, resamples=2_000, seed=7)
    oracle = stats.bootstrap(
        (NINE,),
        np.mean,
        method="percentile",
        confidence_level=confidence,
        n_resamples=2_000,
        rng=np.random.Generator(np.random.PCG64(7)),
    ).confidence_interval
    assert (ours.low, ours.high) == pytest.approx((oracle.low, oracle.high), abs=1e-12)


def test_interval_depends_on_the_seed_alone_not_on_the_blocks(monkeypatch) -> None:
    whole = bootstrap_interval(NINE, seed=5)
    assert bootstrap_interval(NINE, seed=5) == whole
    assert bootstrap_interval(NINE, seed=6) != whole
    monkeypatch.setattr(uncertainty, "_BLOCK", 1000)
    assert bootstrap_interval(NINE, seed=5) == whole


def test_more_confidence_is_wider() -> None:
    widths = [
        (i.high - i.low)
        for c in (0.5, 0.9, 0.99)
        for i in [bootstrap_interval(NINE, confidence=c, seed=1)]
    ]
    assert widths == sorted(widths)
    assert widths[0] > 0


@settings(max_examples=40, deadline=None)
@given(values=st.lists(numbers, min_size=2, max_size=20), seed=st.integers(0, 2**32))
def test_interval_lies_within_the_values(values, seed) -> None:
    interval = bootstrap_interval(values, resamples=500, seed=seed)
    assert min(values) - 1e-12 <= interval.low <= interval.high <= max(values) + 1e-12


@settings(max_examples=30, deadline=None)
@given(half=st.lists(numbers, min_size=1, max_size=10), centre=numbers)
def test_interval_of_symmetric_values_holds_their_mean(half, centre) -> None:
    values = [centre + x for x in half] + [centre - x for x in half]
    interval = bootstrap_interval(values, resamples=2_000, seed=11)
    assert interval.low - 1e-12 <= np.mean(values) <= interval.high + 1e-12


# --- Paired test


def test_three_pairs_by_hand() -> None:
    # Of the eight sums +-1 +-2 +-3 the two outermost alone reach 6.
    assert paired_permutation_p([1, 2, 3], seed=0) == PairedTest(2.0, 0.25, "exact", 3)


def test_equal_sums_count_by_hand() -> None:
    # 1 + 2 - 3 = 0 is the observed sum: nothing is nearer to 0.
    assert paired_permutation_p([1, 2, -3], seed=0).p == 1.0
    # +-.1 +-.2 +-.3 with the sum .4 (.2 + .3 - .1): 0.6 and .4, both signs, 4 of 8; added up in
    # another order .4 differs in its last bit.
    assert paired_permutation_p([0.2, 0.3, -0.1], seed=0).p == 0.5
    assert paired_permutation_p([-0.1, 0.2, 0.3], seed=0).p == 0.5


def test_smallest_p_of_fourteen_pairs() -> None:
    test = paired_permutation_p(np.linspace(0.01, 0.3, 14), seed=0)
    assert (test.p, test.method, test.n) == (2 / 2**14, "exact", 14)


def test_without_pairs_there_is_no_p() -> None:
    test = paired_permutation_p([], seed=0)
    assert (test.method, test.n) == ("none", 0)
    assert math.isnan(test.p)
    assert math.isnan(test.difference)


def test_pairs_without_a_difference() -> None:
    assert paired_permutation_p([0.0], seed=0) == PairedTest(0.0, 1.0, "exact", 1)
    assert paired_permutation_p([0.0] * 30, seed=0, resamples=99) == PairedTest(
        0.0, 1.0, "sampled", 30
    )
    # A zero has two equal patterns: 2/8 stays 4/16.
    assert paired_permutation_p([1, 2, 3, 0], seed=0).p == 0.25
    assert paired_permutation_p([0.4], seed=0).p == 1.0


def test_sampled_beyond_the_limit_with_the_observed_counted_in() -> None:
    # No random pattern of 40 equal signs is to be expected: (0 + 1) / (999 + 1).
    test = paired_permutation_p([1.0] * 40, seed=0, resamples=999)
    assert test == PairedTest(1.0, 0.001, "sampled", 40)


def test_exact_up_to_twenty_by_default() -> None:
    assert paired_permutation_p([1.0] * 20, seed=0) == PairedTest(1.0, 2 / 2**20, "exact", 20)
    assert paired_permutation_p([1.0] * 21, seed=0, resamples=9).method == "sampled"
    assert paired_permutation_p([1.0] * 21, seed=0, exact_up_to=21).p == 2 / 2**21


def test_the_exact_p_of_equal_differences_is_the_sign_test() -> None:
    # 15 up, 5 down: as far from even as 15 of 20 heads.
    p = paired_permutation_p([1.0] * 15 + [-1.0] * 5, seed=0).p
    assert p == pytest.approx(stats.binomtest(15, 20).pvalue, abs=1e-15)


def test_sampled_p_is_near_the_exact_and_does_not_depend_on_the_blocks(monkeypatch) -> None:
    differences = np.array([0.3, -0.1, 0.25, 0.05, -0.2, 0.15, 0.4, -0.05, 0.1, 0.2])
    exact = paired_permutation_p(differences, seed=1)
    sampled = paired_permutation_p(differences, seed=1, exact_up_to=0)
    assert sampled.method == "sampled"
    # Six standard errors of a share of 100,000.
    assert abs(sampled.p - exact.p) < 6 * math.sqrt(exact.p * (1 - exact.p) / 100_000)
    assert paired_permutation_p(differences, seed=1, exact_up_to=0) == sampled
    monkeypatch.setattr(uncertainty, "_BLOCK", 800)
    assert paired_permutation_p(differences, seed=1, exact_up_to=0) == sampled


@settings(max_examples=60, deadline=None)
@given(differences=st.lists(st.integers(-6, 6), min_size=1, max_size=9))
def test_exact_p_is_that_of_every_pattern_in_turn(differences) -> None:
    # Tenths are not exact in binary: sums that tie must still be counted as ties.
    tenths = [d / 10 for d in differences]
    p = brute_force(differences)
    assert paired_permutation_p(differences, seed=0).p == p
    assert paired_permutation_p(tenths, seed=0).p == p


@pytest.mark.parametrize("n", [2, 5, 8, 11])
def test_exact_p_agrees_with_scipy(n) -> None:
    for shift in (0.0, 0.5, 1.0):
        differences = np.random.default_rng(n).normal(shift, 1, n)
        ours = paired_permutation_p(differences, seed=0)
        assert ours.p == pytest.approx(scipy_p(differences), abs=1e-12)
        assert ours.difference == pytest.approx(differences.mean())


@settings(max_examples=60, deadline=None)
@given(
    differences=st.lists(numbers, min_size=1, max_size=24),
    exact_up_to=st.sampled_from([0, 20]),
    data=st.data(),
)
def test_p_is_a_chance_and_knows_neither_direction_nor_unit(differences, exact_up_to, data) -> None:
    def p(values: list[float]) -> float:
        return paired_permutation_p(values, seed=2, exact_up_to=exact_up_to, resamples=200).p

    value = p(differences)
    assert 0 < value <= 1
    assert p([-d for d in differences]) == value
    assert p([100 * d for d in differences]) == value
    if len(differences) <= exact_up_to:
        assert p(data.draw(st.permutations(differences))) == value


# --- What cannot be


@pytest.mark.parametrize(
    ("call", "message"),
    [
        (lambda: bootstrap_interval([0.5, math.nan], seed=0), "number 2 of 2 is nan"),
        (lambda: bootstrap_interval([[0.5]], seed=0), "plain list"),
        (lambda: bootstrap_interval([1, 2], confidence=95, seed=0), "between 0 and 1, not be 95"),
        (lambda: bootstrap_interval([1, 2], resamples=0, seed=0), "at least 1 resample"),
        (lambda: paired_permutation_p([math.inf], seed=0), "number 1 of 1 is inf"),
        (lambda: paired_permutation_p([1], seed=0, resamples=0), "at least 1 resample"),
        (lambda: paired_permutation_p([1], seed=0, exact_up_to=64), "0 .. 40, not be 64"),
    ],
)
def test_what_cannot_be_is_refused(call, message) -> None:
    with pytest.raises(GrambenchError) as caught:
        call()
    assert message in str(caught.value)
