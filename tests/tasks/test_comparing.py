from __future__ import annotations

import pytest
from scipy.stats import binomtest
from sklearn.metrics import f1_score

from src.errors import GrambenchError
from src.metrics.uncertainty import paired_permutation_p
from src.tasks.comparing import compare

GOLD = {"a": "SOV", "b": "SOV", "c": "SVO", "d": "SVO", "e": "VSO", "f": "SOV"}
BETTER = {"a": "SOV", "b": "SOV", "c": "SVO", "d": "SVO", "e": "SOV", "f": "SOV"}
WORSE = {"a": "SOV", "b": "SVO", "c": "SOV", "d": "", "e": "SOV", "f": "SOV"}


def rows(predicted, *, gold=GOLD, part="", repeat=0, correct=...):
    return [
        {
            "grammar": grammar,
            "part": part,
            "repeat": repeat,
            "gold": gold[grammar],
            "predicted": label,
            "correct": label == gold[grammar] if correct is ... else correct,
        }
        for grammar, label in predicted.items()
    ]


def test_two_runs_by_hand_and_against_other_implementations():
    found = compare(rows(BETTER), rows(WORSE))
    assert (found["grammars"], found["only_a"], found["only_b"]) == (6, [], [])
    one = found["parts"][""]
    assert (one["accuracy_a"], one["accuracy_b"]) == pytest.approx((5 / 6, 2 / 6))
    assert [one[key] for key in ("both", "only_a", "only_b", "neither")] == [2, 3, 0, 1]
    assert one["mcnemar_p"] == pytest.approx(binomtest(3, 3).pvalue)
    assert one["p"] == paired_permutation_p([0, 1, 1, 1, 0, 0], seed=0).p == pytest.approx(1 / 4)
    gold, filled = list(GOLD.values()), [label or "none" for label in WORSE.values()]
    macro = [
        f1_score(gold, run, labels=["SOV", "SVO", "VSO"], average="macro", zero_division=0)
        for run in (list(BETTER.values()), filled)
    ]
    assert [one["f1_macro_a"], one["f1_macro_b"]] == pytest.approx(macro)
    assert one["f1_macro_difference"] == pytest.approx(macro[0] - macro[1])
    assert 0 < one["f1_macro_p"] < 1


def test_only_grammars_of_both_are_compared():
    fewer = {grammar: label for grammar, label in WORSE.items() if grammar != "b"}
    more = {**BETTER, "x": "SOV"}
    found = compare(rows(more, gold={**GOLD, "x": "SOV"}), rows(fewer))
    assert (found["grammars"], found["only_a"], found["only_b"]) == (5, ["b", "x"], [])
    assert found["parts"][""]["only_a"] == 2


def test_answers_that_do_not_count_leave_their_grammar_out():
    dropped = [{**row, "correct": None} if row["grammar"] == "d" else row for row in rows(WORSE)]
    assert compare(rows(BETTER), dropped)["grammars"] == 5


def test_of_repeats_the_vote_is_compared():
    repeats = [*rows(WORSE), *rows(BETTER, repeat=1), *rows(BETTER, repeat=2)]
    found = compare(repeats, rows(BETTER))["parts"][""]
    assert (found["difference"], found["p"], found["mcnemar_p"], found["f1_macro_p"]) == (
        0,
        1,
        1,
        1,
    )


def test_of_several_parts_all_are_compared():
    gold = {"a": "1", "b": "0", "c": "1"}
    right, wrong = gold, {"a": "0", "b": "0", "c": "1"}
    first = [*rows(right, gold=gold, part="tone"), *rows(right, gold=gold, part="order")]
    second = [*rows(right, gold=gold, part="tone"), *rows(wrong, gold=gold, part="order")]
    found = compare(first, second)["parts"]
    assert list(found) == ["tone", "order", "exact_match"]
    assert found["tone"]["difference"] == 0
    assert found["exact_match"]["difference"] == pytest.approx(1 / 3)
    assert "f1_macro_p" not in found["exact_match"]


def test_runs_that_cannot_be_compared():
    with pytest.raises(GrambenchError, match="no grammar in common"):
        compare(rows({"a": "SOV"}), rows({"b": "SOV"}))
    said = "one is of a feature with one value, the other of the parts tone"
    with pytest.raises(GrambenchError, match=said):
        compare(rows(BETTER), rows(BETTER, part="tone"))
    with pytest.raises(GrambenchError, match=r"other gold labels for 1 \(e\)"):
        compare(rows(BETTER), rows(BETTER, gold={**GOLD, "e": "SVO"}))
    with pytest.raises(GrambenchError, match="other features"):
        compare(rows(BETTER, correct=None), rows(BETTER, correct=None))
