import math
import statistics

import pytest

from src.metrics.repeats import mean_and_sd, vote


def test_mean_and_sample_sd_by_hand():
    assert mean_and_sd([1, 2, 6]) == pytest.approx((3, math.sqrt((4 + 1 + 9) / 2)))
    values = [0.55, 0.61, 0.48, 0.57]
    expected = (statistics.mean(values), statistics.stdev(values))
    assert mean_and_sd(values) == pytest.approx(expected)


def test_one_value_has_no_spread_and_none_no_mean():
    mean, sd = mean_and_sd([0.5])
    assert mean == 0.5 and math.isnan(sd)
    assert all(math.isnan(value) for value in mean_and_sd([]))


@pytest.mark.parametrize(
    ("labels", "expected"),
    [
        (["SOV", "SVO", "SVO"], "SVO"),
        (["SVO", "SOV", "SOV", "SVO"], "SVO"),
        ([None, "SOV", "SVO", "SVO", "SOV"], "SOV"),
        ([None, None, "VSO"], "VSO"),
        ([None, None], None),
        ([], None),
    ],
)
def test_votes(labels, expected):
    assert vote(labels) == expected
