import numpy as np
import pytest
from sklearn.metrics import f1_score

from src.metrics.guesses import majority_scores, uniform_scores

CLASSES = ["SOV", "SVO", "VSO", "none"]
GOLD = ["SVO"] * 5 + ["SOV"] * 3 + ["none"] * 2


def test_the_majority_by_hand():
    found = majority_scores(GOLD, CLASSES)
    assert found["accuracy"] == found["f1_micro"] == pytest.approx(0.5)
    assert found["f1_macro"] == pytest.approx((2 * 5 / 15) / 3)
    assert found["f1_weighted"] == pytest.approx(0.5 * 2 * 5 / 15)
    assert found["mcc"] == 0


def test_of_equal_classes_the_first_of_the_feature_is_the_majority():
    assert majority_scores(["VSO", "SVO"], CLASSES) == majority_scores(["SVO", "VSO"], CLASSES)
    # always SVO: F1 2/3 of one class of two
    assert majority_scores(["VSO", "SVO", "SVO", "VSO"], CLASSES)["f1_macro"] == pytest.approx(
        1 / 3
    )


def test_chance_is_what_draws_come_to():
    offered = CLASSES[:3]
    found = uniform_scores(GOLD, CLASSES, offered, draws=20_000, seed=1)
    assert found["accuracy"] == found["f1_micro"] == pytest.approx(8 / 10 / 3)
    random = np.random.default_rng(2)
    drawn = random.choice(offered, (300, len(GOLD)))
    for average in ("macro", "weighted"):
        theirs = [f1_score(GOLD, row, average=average, zero_division=0) for row in drawn]
        margin = 5 * np.std(theirs) / np.sqrt(len(theirs))
        assert found[f"f1_{average}"] == pytest.approx(np.mean(theirs), abs=margin)


def test_one_class_leaves_no_choice():
    found = uniform_scores(["1", "1"], ["1", "0"], ["1"], draws=10, seed=1)
    assert found["f1_macro"] == found["accuracy"] == 1
