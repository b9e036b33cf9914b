from __future__ import annotations

import math

import numpy as np
import pytest
from sklearn.metrics import f1_score

from src.errors import GrambenchError
from src.metrics.class_bootstrap import draws, percentile_interval, resampled_f1s
from src.metrics.classification import F1S, encode

CLASSES = ("SOV", "SVO", "VSO")
RANDOM = np.random.default_rng(5)
GOLD = [str(x) for x in RANDOM.choice(CLASSES, 60, p=[0.6, 0.3, 0.1])]


def answered(share, seed):
    random = np.random.default_rng(seed)
    return [g if random.random() < share else str(random.choice(CLASSES)) for g in GOLD]


FIRST, SECOND = answered(0.6, 1), answered(0.7, 2)


@pytest.mark.parametrize("found", [FIRST, SECOND])
def test_each_resample_is_measured_as_by_scikit_learn(found) -> None:
    (ours,) = resampled_f1s([[encode(GOLD, found, CLASSES)]], resamples=50, seed=3)
    weights = np.concatenate(list(draws(len(GOLD), 50, 3))).astype(int)
    assert (weights.sum(axis=1) == len(GOLD)).all()
    for number, taken in enumerate(weights):
        gold, answers = np.repeat(GOLD, taken), np.repeat(found, taken)
        for name in F1S:
            average = name.removeprefix("f1_")
            theirs = f1_score(gold, answers, average=average, zero_division=0)
            assert ours[name][number] == pytest.approx(theirs, abs=1e-9)


def test_parts_and_repeats_are_resampled_together() -> None:
    one = encode(GOLD, FIRST, CLASSES)
    two = encode(["1" if g == "SOV" else "0" for g in GOLD], ["1"] * len(GOLD), ("1", "0"))
    three = encode(GOLD, SECOND, CLASSES)
    together = resampled_f1s([[one, three], [two]], "gold", resamples=40, seed=3)
    each = [resampled_f1s([[c]], "gold", resamples=40, seed=3)[0] for c in (one, three, two)]
    for name in F1S:
        assert together[0][name] == pytest.approx((each[0][name] + each[1][name]) / 2)
        assert together[1][name] == pytest.approx(each[2][name])


def test_blocks_change_nothing_but_the_draws(monkeypatch) -> None:
    coded = encode(GOLD, FIRST, CLASSES)
    monkeypatch.setattr("src.metrics.class_bootstrap._BLOCK", 7 * len(GOLD))
    (found,) = resampled_f1s([[coded]], resamples=25, seed=3)
    assert [len(values) for values in found.values()] == [25] * 3
    assert len(list(draws(len(GOLD), 25, 3))) == 4


def test_intervals_hold_the_figure_and_are_the_quantiles() -> None:
    coded = encode(GOLD, FIRST, CLASSES)
    (values,) = resampled_f1s([[coded]], resamples=2000, seed=3)
    (again,) = resampled_f1s([[coded]], resamples=2000, seed=3)
    for name in F1S:
        interval = percentile_interval(values[name], n=60, confidence=0.9)
        low, high = np.quantile(values[name], [0.05, 0.95])
        assert (interval.low, interval.high) == pytest.approx((low, high))
        average = name.removeprefix("f1_")
        assert interval.low < f1_score(GOLD, FIRST, average=average) < interval.high
        assert (interval.n, interval.resamples) == (60, 2000)
        assert (values[name] == again[name]).all()


def test_what_cannot_be_known_is_undefined() -> None:
    empty = encode([], [], CLASSES)
    (nothing,) = resampled_f1s([[empty]], resamples=10, seed=1)
    assert all(np.isnan(values).all() for values in nothing.values())
    dropped = encode(["SOV", "SVO"], [None, None], CLASSES, invalid="drop")
    (nothing,) = resampled_f1s([[dropped]], resamples=10, seed=1)
    for values, n in ((nothing["f1_macro"], 2), (np.array([0.5, 0.5]), 1)):
        interval = percentile_interval(values, n=n)
        assert math.isnan(interval.low) and math.isnan(interval.high)


def test_resamples_without_a_row_that_counts_are_left_out() -> None:
    coded = encode(["SOV", "SVO"], ["SOV", None], CLASSES, invalid="drop")
    (values,) = resampled_f1s([[coded]], resamples=200, seed=1)
    assert np.isnan(values["f1_micro"]).any()
    assert percentile_interval(values["f1_micro"], n=2).low == 1


def test_settings_that_say_nothing_are_refused() -> None:
    with pytest.raises(GrambenchError, match=r"between 0 and 1, not be 95"):
        percentile_interval(np.ones(3), n=3, confidence=95)
    with pytest.raises(GrambenchError, match="at least 1 resample"):
        resampled_f1s([[encode(GOLD, FIRST, CLASSES)]], resamples=0, seed=1)
