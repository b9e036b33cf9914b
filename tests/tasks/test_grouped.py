from __future__ import annotations

import math
import warnings

import pytest
from sklearn.metrics import f1_score

from src.prompting.features import Part, Value
from src.records import Grammar
from src.tasks.grouped import rows_of_groups
from src.tasks.judging import Judged, Scoring

LABELS = ("SOV", "SVO", "VSO")
AREAS = ["Africa", "Eurasia", "Africa", "", "Eurasia", "Africa"]
GOLD = ["SOV", "SVO", "SVO", "SOV", "SOV", "SOV"]
ANSWERS = [
    ["SOV", "SVO", "VSO", "SOV", "SVO", "SVO"],
    ["SOV", "SOV", "SVO", "SVO", "SOV", None],
]


def rows(*answers, labels="gold_and_predicted", invalid="wrong", by="macroarea", gold=GOLD):
    part = Part("", "", tuple(Value(label) for label in LABELS))
    grammars = [Grammar(str(n), str(n), macroarea=area) for n, area in enumerate(AREAS)]
    judged = Judged(part, gold, answers, Scoring(labels, invalid, 0.95, 10, 0))
    return {row[by]: row for row in rows_of_groups(grammars, [judged], by)}


@pytest.mark.parametrize("labels", ["gold", "gold_and_predicted", "all"])
def test_f1s_of_a_group_are_those_of_its_grammars(labels):
    found = rows(*ANSWERS, labels=labels)
    assert list(found) == ["unknown", "Africa", "Eurasia"]
    own = [n for n, area in enumerate(AREAS) if area == "Africa"]
    gold = [GOLD[n] for n in own]
    expected = {"macro": [], "weighted": []}
    for answers in ANSWERS:
        said = [answers[n] or "none" for n in own]
        used = {
            "gold": set(gold),
            "gold_and_predicted": {*gold, *said} - {"none"},
            "all": set(LABELS),
        }[labels]
        for average, classes in (("macro", used), ("weighted", LABELS)):
            score = f1_score(gold, said, labels=list(classes), average=average, zero_division=0)
            expected[average].append(score)
    row = found["Africa"]
    assert list(row) == ["macroarea", "grammars", "f1_micro", "f1_macro", "f1_weighted"]
    assert (row["grammars"], row["f1_micro"]) == (3, pytest.approx((1 / 3 + 2 / 3) / 2))
    assert row["f1_macro"] == pytest.approx(sum(expected["macro"]) / 2)
    assert row["f1_weighted"] == pytest.approx(sum(expected["weighted"]) / 2)


def test_repeats_in_which_nothing_of_a_group_counts_are_left_out():
    with warnings.catch_warnings():
        warnings.simplefilter("error")
        found = rows([None] * 6, ["SOV", None, "SVO", None, "SOV", "SOV"], invalid="drop")
    assert list(found) == ["Africa", "Eurasia"]
    assert found["Africa"]["f1_macro"] == found["Africa"]["f1_weighted"] == 1
    assert found["Eurasia"]["grammars"] == 1 and not math.isnan(found["Eurasia"]["f1_macro"])


def test_without_groups_there_is_nothing_to_tell():
    assert rows(*ANSWERS, by="family") == {}
