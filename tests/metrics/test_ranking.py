"""Ranking measures by hand, against ir-measures and scikit-learn, and by law."""

from __future__ import annotations

import itertools
import math

import ir_measures
import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from ir_measures import AP, RR, P, Qrel, R, ScoredDoc, nDCG
from sklearn.metrics import ndcg_score

from src.errors import GrambenchError
from src.metrics.ranking import (
    average_precision_at,
    expected_ndcg_curve,
    mean_curve,
    ndcg_at,
    ndcg_curve,
    precision_at,
    recall_at,
    reciprocal_rank_at,
)

GAINS = ["linear", "exponential"]
LOG3 = math.log2(3)
grade_lists = st.lists(st.integers(0, 5), min_size=1, max_size=30)


# --- NDCG by hand


def test_linear_gains_by_hand() -> None:
    # DCG 0, 5/log2 3, 5/log2 3 + 3/2; ideal order 5, 3, 0: 5, 5 + 3/log2 3, the same.
    best = 5 + 3 / LOG3
    expected = [0.0, 5 / LOG3 / best, (5 / LOG3 + 1.5) / best]
    assert ndcg_curve([0, 5, 3]) == pytest.approx(expected, abs=1e-15)


def test_exponential_gains_by_hand() -> None:
    # Grades 1, 3 gain 1, 7.
    expected = [1 / 7, (1 + 7 / LOG3) / (7 + 1 / LOG3)]
    assert ndcg_curve([1, 3], gain="exponential") == pytest.approx(expected, abs=1e-15)


def test_after_the_last_ranked_paragraph_dcg_stays_and_the_ideal_grows() -> None:
    # Ranked: 4 alone. Ideal 4, 2, 0: 4, 4 + 2/log2 3, the same.
    expected = [1.0, 4 / (4 + 2 / LOG3), 4 / (4 + 2 / LOG3)]
    assert ndcg_curve([4], ideal=[0, 2, 4]) == pytest.approx(expected, abs=1e-15)


def test_nothing_ranked_has_found_nothing() -> None:
    assert ndcg_curve([], ideal=[0, 3]).tolist() == [0.0, 0.0]


@pytest.mark.parametrize("gain", GAINS)
def test_no_gain_among_the_candidates_is_undefined(gain) -> None:
    assert np.isnan(ndcg_curve([0, 0, 0], gain=gain)).tolist() == [True] * 3
    assert np.isnan(expected_ndcg_curve([0, 0, 0], gain=gain)).tolist() == [True] * 3


def test_without_candidates_the_curve_is_empty_and_has_no_value() -> None:
    assert ndcg_curve([]).size == 0
    assert expected_ndcg_curve([]).size == 0
    assert math.isnan(ndcg_at(ndcg_curve([]), 20))


def test_the_curve_is_float64_whatever_the_integers() -> None:
    curve = ndcg_curve(np.array([3, 5], dtype=np.int8), gain="exponential")
    assert curve.dtype == np.float64
    assert curve.tolist() == ndcg_curve([3, 5], gain="exponential").tolist()


def test_value_at_k_is_the_last_one_beyond_the_candidates() -> None:
    curve = np.array([0.25, 0.5, 0.75])
    assert [ndcg_at(curve, k) for k in (1, 3, 4, 1000)] == [0.25, 0.75, 0.75, 0.75]


def test_expected_curve_by_hand() -> None:
    # Grades 4, 0: a mean gain of 2 at each rank, against 4, 4.
    assert expected_ndcg_curve([0, 4]) == pytest.approx([0.5, 0.5 * (1 + 1 / LOG3)], abs=1e-15)


def test_mean_curve_prolongs_the_shorter_and_leaves_out_the_undefined() -> None:
    curves = [np.array([0.0, 1.0]), np.array([1.0, 0.5, 0.25, 0.0]), np.full(6, np.nan)]
    assert mean_curve(curves).tolist() == [0.5, 0.75, 0.625, 0.5]
    assert mean_curve([*curves, np.array([])]).tolist() == [0.5, 0.75, 0.625, 0.5]


def test_mean_of_undefined_curves_is_undefined() -> None:
    assert np.isnan(mean_curve([np.full(2, np.nan), np.full(3, np.nan)])).tolist() == [True] * 3


# --- Binary relevance by hand: relevant (4, 5) stand at ranks 2 and 3 of 4; one was not ranked.

RANKED = [3, 4, 5, 0]
ALL = [3, 4, 5, 0, 4, 1]


def test_precision_by_hand_divides_by_k_also_beyond_the_ranking() -> None:
    values = [precision_at(RANKED, k) for k in (1, 2, 3, 4, 8)]
    assert values == pytest.approx([0, 1 / 2, 2 / 3, 2 / 4, 2 / 8])


def test_recall_by_hand() -> None:
    values = [recall_at(RANKED, k, ALL) for k in (1, 2, 3, 4, 8)]
    assert values == pytest.approx([0, 1 / 3, 2 / 3, 2 / 3, 2 / 3])
    assert recall_at(RANKED, 3) == 1.0


def test_average_precision_by_hand_divides_by_all_relevant_candidates() -> None:
    # Precision 1/2 at rank 2, 2/3 at rank 3; three candidates are relevant.
    values = [average_precision_at(RANKED, k, ALL) for k in (1, 2, 3, 8)]
    assert values == pytest.approx([0, 1 / 6, 7 / 18, 7 / 18])
    # The divisor is not min(k, relevant): a perfect first rank has a third.
    assert average_precision_at([5, 4, 4], 1) == pytest.approx(1 / 3)


def test_reciprocal_rank_by_hand() -> None:
    assert [reciprocal_rank_at(RANKED, k, ALL) for k in (1, 2, 9)] == [0.0, 0.5, 0.5]
    assert reciprocal_rank_at(RANKED, 9, relevant=3) == 1.0


def test_without_a_relevant_candidate_only_precision_is_defined() -> None:
    assert precision_at([3, 0], 2) == 0.0
    for measure in (recall_at, average_precision_at, reciprocal_rank_at):
        assert math.isnan(measure([3, 0], 2))
        assert math.isnan(measure([], 2))


def test_relevant_but_not_ranked_is_a_miss_not_undefined() -> None:
    for measure in (recall_at, average_precision_at, reciprocal_rank_at):
        assert measure([0], 5, [0, 5]) == 0.0
        assert measure([], 5, [0, 5]) == 0.0


# --- What cannot be


@pytest.mark.parametrize(
    ("call", "message"),
    [
        (lambda: ndcg_at(np.ones(3), 0), "at least 1, not 0"),
        (lambda: precision_at([5], 0), "at least 1, not 0"),
        (lambda: recall_at([5], -1), "at least 1, not -1"),
        (lambda: average_precision_at([5], 0), "at least 1"),
        (lambda: reciprocal_rank_at([5], 0), "at least 1"),
        (lambda: mean_curve([]), "no curve"),
        (lambda: ndcg_curve([1], gain="exponent"), "Did you mean 'exponential'"),
        (lambda: expected_ndcg_curve([0], gain="Linear"), "Did you mean 'linear'"),
        (lambda: ndcg_curve([0, 5, -1]), "number 3 is -1"),
        (lambda: ndcg_curve([2.4, 1.0]), "whole numbers"),
        (lambda: ndcg_curve([[1, 2]]), "plain list"),
        (lambda: ndcg_curve([5, 5], ideal=[5, 0, 0]), "1 more paragraph(s) of grade 5"),
        (lambda: recall_at([5, 1], 1, [5, 0, 0]), "1 more paragraph(s) of grade 1"),
    ],
)
def test_what_cannot_be_is_refused(call, message) -> None:
    with pytest.raises(GrambenchError) as caught:
        call()
    assert message in str(caught.value)


# --- Oracles


@st.composite
def truncated(draw) -> tuple[list[int], list[int]]:
    """Candidates in ranked order, and the first few of them that a ranker kept."""
    candidates = draw(grade_lists)
    return candidates[: draw(st.integers(1, len(candidates)))], candidates


def _trec(measure, ranked: list[int], candidates: list[int]) -> float:
    qrels = [Qrel("q", str(i), grade) for i, grade in enumerate(candidates)]
    run = [ScoredDoc("q", str(i), float(len(candidates) - i)) for i in range(len(ranked))]
    return ir_measures.calc_aggregate([measure], qrels, run)[measure]


@settings(max_examples=60, deadline=None)
@given(case=truncated(), k=st.integers(1, 40), gain=st.sampled_from(GAINS))
def test_ndcg_agrees_with_ir_measures(case, k, gain) -> None:
    ranked, candidates = case
    # ir-measures' exp-log2 needs another program; the same gains as a table need not.
    gains = {} if gain == "linear" else {"gains": {g: 2**g - 1 for g in range(6)}}
    ours = ndcg_at(ndcg_curve(ranked, candidates, gain), k)
    if not any(candidates):
        assert math.isnan(ours)
    else:
        assert ours == pytest.approx(_trec(nDCG(**gains) @ k, ranked, candidates), abs=1e-12)


@settings(max_examples=40, deadline=None)
@given(case=truncated(), k=st.integers(1, 40), relevant=st.integers(1, 5))
def test_binary_measures_agree_with_ir_measures(case, k, relevant) -> None:
    ranked, candidates = case
    ours = {
        P(rel=relevant) @ k: precision_at(ranked, k, relevant=relevant),
        R(rel=relevant) @ k: recall_at(ranked, k, candidates, relevant=relevant),
        AP(rel=relevant) @ k: average_precision_at(ranked, k, candidates, relevant=relevant),
        RR(rel=relevant) @ k: reciprocal_rank_at(ranked, k, candidates, relevant=relevant),
    }
    for measure, value in ours.items():
        if measure.NAME != "P" and max(candidates) < relevant:
            assert math.isnan(value)
        else:
            assert value == pytest.approx(_trec(measure, ranked, candidates), abs=1e-12), measure


@settings(max_examples=60, deadline=None)
@given(grades=st.lists(st.integers(0, 5), min_size=2, max_size=30).filter(any), data=st.data())
def test_ndcg_agrees_with_scikit_learn_where_no_scores_tie(grades, data) -> None:
    k = data.draw(st.integers(1, len(grades)))
    scores = np.arange(len(grades), 0, -1.0)
    oracle = ndcg_score([grades], [scores], k=k, ignore_ties=False)
    assert ndcg_at(ndcg_curve(grades), k) == pytest.approx(oracle, abs=1e-12)


def test_scikit_learn_averages_tied_scores_where_we_keep_the_candidate_order() -> None:
    # Grades 5, 0 with equal scores: kept in order, the ideal. Averaged, each has gain 2.5.
    assert ndcg_curve([5, 0])[1] == 1.0
    averaged = 2.5 * (1 + 1 / LOG3) / 5
    assert averaged == pytest.approx(0.815465, abs=1e-6)
    assert ndcg_score([[5, 0]], [[1.0, 1.0]]) == pytest.approx(averaged, abs=1e-12)


# --- Laws


@settings(deadline=None)
@given(case=truncated(), gain=st.sampled_from(GAINS))
def test_ndcg_lies_between_0_and_1_at_each_candidate(case, gain) -> None:
    ranked, candidates = case
    curve = ndcg_curve(ranked, candidates, gain)
    assert curve.size == len(candidates)
    if any(candidates):
        assert curve.min() >= 0
        assert curve.max() <= 1 + 1e-12


@settings(deadline=None)
@given(grades=grade_lists.filter(any), gain=st.sampled_from(GAINS))
def test_the_ideal_order_has_1_throughout(grades, gain) -> None:
    curve = ndcg_curve(sorted(grades, reverse=True), grades, gain)
    assert curve.tolist() == [1.0] * len(grades)


@settings(deadline=None)
@given(case=truncated(), gain=st.sampled_from(GAINS), data=st.data())
def test_the_order_of_the_candidates_and_of_equal_grades_is_nothing_to_ndcg(
    case, gain, data
) -> None:
    ranked, candidates = case
    # Paragraphs of equal grade change places, all others stay.
    grade = data.draw(st.sampled_from(ranked))
    places = [i for i, other in enumerate(ranked) if other == grade]
    paragraphs = list(range(len(ranked)))
    for place, paragraph in zip(places, data.draw(st.permutations(places)), strict=True):
        paragraphs[place] = paragraph
    moved = [ranked[paragraph] for paragraph in paragraphs]
    shuffled = data.draw(st.permutations(candidates))
    curve = ndcg_curve(ranked, candidates, gain)
    np.testing.assert_array_equal(ndcg_curve(moved, shuffled, gain), curve)


@settings(deadline=None)
@given(grades=grade_lists.filter(any), gain=st.sampled_from(GAINS), data=st.data())
def test_putting_a_better_paragraph_higher_never_lowers_ndcg(grades, gain, data) -> None:
    low = data.draw(st.integers(0, len(grades) - 1))
    high = data.draw(st.integers(0, low))
    swapped = list(grades)
    if grades[low] > grades[high]:
        swapped[low], swapped[high] = swapped[high], swapped[low]
    gap = ndcg_curve(swapped, gain=gain) - ndcg_curve(grades, gain=gain)
    assert gap.min() >= -1e-12


@settings(max_examples=12, deadline=None)
@given(
    grades=st.lists(st.integers(0, 5), min_size=1, max_size=6).filter(any),
    gain=st.sampled_from(GAINS),
)
def test_the_expected_curve_is_the_mean_over_all_orders(grades, gain) -> None:
    curves = [ndcg_curve(order, gain=gain) for order in itertools.permutations(grades)]
    assert expected_ndcg_curve(grades, gain) == pytest.approx(np.mean(curves, axis=0), abs=1e-12)


@settings(deadline=None)
@given(curves=st.lists(grade_lists.filter(any), min_size=1, max_size=6))
def test_the_mean_curve_is_the_mean_of_the_values_at_k(curves) -> None:
    built = [ndcg_curve(grades) for grades in curves]
    mean = mean_curve(built)
    assert mean.size == max(map(len, curves))
    for k in range(1, mean.size + 1):
        assert mean[k - 1] == pytest.approx(np.mean([ndcg_at(c, k) for c in built]), abs=1e-12)
