"""Measures of classification by hand, against scikit-learn, and by law."""

from __future__ import annotations

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st
from sklearn import metrics as sk

from src.errors import GrambenchError
from src.metrics.classification import (
    MEASURES,
    class_rows,
    confusion,
    count,
    encode,
    f1_macro,
    f1_micro,
    mcc,
    scores,
)

CLASSES = ("SOV", "SVO", "VSO", "OVS")
GOLD = ["SOV", "SOV", "SOV", "SVO", "SVO", "VSO"]
FOUND = ["SOV", "SOV", "SVO", "SVO", None, "OVS"]

labels = st.sampled_from(CLASSES)
answers = st.one_of(st.none(), labels)
rows = st.lists(st.tuples(labels, answers), min_size=1, max_size=40)
answered = st.lists(st.tuples(labels, labels), min_size=1, max_size=40)


def measured(pairs, chosen="gold_and_predicted", **settings):
    gold, found = zip(*pairs, strict=True)
    counts = count(encode(gold, found, CLASSES, **settings))
    return {name: float(value) for name, value in scores(counts, chosen).items()}


# --- by hand


def test_measures_by_hand() -> None:
    # SOV: r 2, g 3, p 2; SVO: r 1, g 2, p 2; VSO: r 0, g 1, p 0; OVS: r 0, g 0, p 1
    found = measured(zip(GOLD, FOUND, strict=True))
    assert found["accuracy"] == found["f1_micro"] == pytest.approx(3 / 6)
    assert found["f1_macro"] == pytest.approx((4 / 5 + 2 / 4 + 0 + 0) / 4)
    assert found["f1_weighted"] == pytest.approx((3 * 4 / 5 + 2 * 2 / 4) / 6)
    # c s - sum g p = 18 - (6 + 4); s^2 - sum p^2 - 1 = 36 - 10; s^2 - sum g^2 = 36 - 14
    assert found["mcc"] == pytest.approx(8 / np.sqrt(26 * 22))


@pytest.mark.parametrize(("chosen", "classes"), [("gold", 3), ("gold_and_predicted", 4)])
def test_classes_that_macro_f1_is_the_mean_over(chosen, classes) -> None:
    counts = count(encode(GOLD, FOUND, (*CLASSES, "OSV")))
    assert f1_macro(counts, chosen) == pytest.approx(1.3 / classes)
    assert f1_macro(counts, "all") == pytest.approx(1.3 / 5)


def test_a_reply_without_an_answer_adds_no_class() -> None:
    counts = count(encode(["SOV", "SVO"], ["SOV", None], CLASSES))
    assert f1_macro(counts, "gold_and_predicted") == pytest.approx((1 + 0) / 2)
    assert f1_micro(counts) == pytest.approx(1 / 2)


def test_what_becomes_of_invalid_replies() -> None:
    pairs = list(zip(GOLD, FOUND, strict=True))
    answered = [pair for pair in pairs if pair[1] is not None]
    assert measured(pairs, invalid="drop") == measured(answered)
    first = [(gold, found or "VSO") for gold, found in pairs]
    assert measured(pairs, invalid="first_class", first_class="VSO") == measured(first)
    assert measured(pairs, invalid="first_class") == measured(
        [(gold, found or "SOV") for gold, found in pairs]
    )


def test_without_any_row_nothing_is_defined() -> None:
    found = measured([("SOV", None)], invalid="drop")
    assert all(np.isnan(found[name]) for name in MEASURES)


def test_confusion_by_hand() -> None:
    assert confusion(encode(GOLD, FOUND, CLASSES)).tolist() == [
        [2, 1, 0, 0, 0],
        [0, 1, 0, 0, 1],
        [0, 0, 0, 1, 0],
        [0, 0, 0, 0, 0],
    ]


def test_figures_of_classes_by_hand() -> None:
    found = class_rows(encode(GOLD, FOUND, CLASSES))
    assert [row["class"] for row in found] == list(CLASSES)
    assert [row["support"] for row in found] == [3, 2, 1, 0]
    assert [row["predicted"] for row in found] == [2, 2, 0, 1]
    assert [row["precision"] for row in found] == [1, 1 / 2, 0, 0]
    assert [row["recall"] for row in found] == pytest.approx([2 / 3, 1 / 2, 0, 0])


def test_what_is_no_class_is_refused() -> None:
    with pytest.raises(GrambenchError, match="'SOW' is none of the classes SOV, SVO"):
        encode(["SOW"], ["SOV"], CLASSES)
    with pytest.raises(GrambenchError, match="2 gold labels and 1 predictions"):
        encode(["SOV", "SVO"], ["SOV"], CLASSES)
    with pytest.raises(GrambenchError, match=r"invalid is 'dropp'.*Did you mean 'drop'"):
        encode(["SOV"], ["SOV"], CLASSES, invalid="dropp")
    with pytest.raises(GrambenchError, match="labels is 'golden'"):
        f1_macro(count(encode(["SOV"], ["SOV"], CLASSES)), "golden")


# --- against scikit-learn


@pytest.mark.filterwarnings("ignore:A single label")
@given(answered)
def test_answers_are_measured_as_by_scikit_learn(pairs) -> None:
    gold, found = zip(*pairs, strict=True)
    ours = measured(pairs)
    for average in ("micro", "macro", "weighted"):
        theirs = sk.f1_score(gold, found, average=average, zero_division=0)
        assert ours[f"f1_{average}"] == pytest.approx(theirs, abs=1e-12)
    assert ours["accuracy"] == pytest.approx(sk.accuracy_score(gold, found))
    assert ours["mcc"] == pytest.approx(sk.matthews_corrcoef(gold, found), abs=1e-12)


@pytest.mark.filterwarnings("ignore:A single label was found")
@given(rows, st.sampled_from(["gold", "gold_and_predicted", "all"]))
def test_replies_without_an_answer_as_by_scikit_learn(pairs, chosen) -> None:
    gold, found = zip(*pairs, strict=True)
    filled = [label or "no answer" for label in found]
    wanted = {
        "gold": sorted(set(gold)),
        "gold_and_predicted": sorted(set(gold) | set(filled) - {"no answer"}),
        "all": list(CLASSES),
    }[chosen]
    ours = measured(pairs, chosen)
    macro = sk.f1_score(gold, filled, labels=wanted, average="macro", zero_division=0)
    assert ours["f1_macro"] == pytest.approx(macro, abs=1e-12)
    for average in ("micro", "weighted"):
        theirs = sk.f1_score(gold, filled, average=average, zero_division=0)
        assert ours[f"f1_{average}"] == pytest.approx(theirs, abs=1e-12)
    assert ours["mcc"] == pytest.approx(sk.matthews_corrcoef(gold, filled), abs=1e-12)


@given(rows)
def test_classes_as_by_scikit_learn(pairs) -> None:
    gold, found = zip(*pairs, strict=True)
    filled = [label or "no answer" for label in found]
    theirs = sk.precision_recall_fscore_support(gold, filled, labels=CLASSES, zero_division=0)
    ours = class_rows(encode(gold, found, CLASSES))
    for name, column in zip(("precision", "recall", "f1", "support"), theirs, strict=True):
        assert [row[name] for row in ours] == pytest.approx(list(column))
    wide = sk.confusion_matrix(gold, filled, labels=[*CLASSES, "no answer"])[:-1]
    assert confusion(encode(gold, found, CLASSES)).tolist() == wide.tolist()


@given(rows)
def test_mcc_is_the_correlation_of_the_indicators(pairs) -> None:
    gold, found = zip(*pairs, strict=True)
    x = np.array([[g == c for c in (*CLASSES, None)] for g in gold], dtype=float)
    y = np.array([[f == c for c in (*CLASSES, None)] for f in found], dtype=float)
    x, y = x - x.mean(0), y - y.mean(0)
    below = np.sqrt((x * x).sum() * (y * y).sum())
    expected = (x * y).sum() / below if below > 1e-9 else 0
    assert mcc(count(encode(gold, found, CLASSES))) == pytest.approx(expected, abs=1e-9)


# --- laws


@given(rows, st.randoms(use_true_random=False))
def test_the_order_of_rows_changes_nothing(pairs, random) -> None:
    shuffled = random.sample(pairs, len(pairs))
    assert measured(shuffled) == measured(pairs)


@given(rows, st.permutations(CLASSES))
def test_other_names_change_nothing(pairs, names) -> None:
    other = dict(zip(CLASSES, names, strict=True))
    renamed = [(other[gold], found and other[found]) for gold, found in pairs]
    assert measured(renamed) == pytest.approx(measured(pairs))


@given(st.lists(labels, min_size=1))
def test_what_is_all_right_is_1(gold) -> None:
    found = measured([(label, label) for label in gold])
    several = len(set(gold)) > 1
    assert [found[name] for name in MEASURES] == pytest.approx([1, 1, 1, 1, float(several)])


@given(rows)
def test_a_right_answer_in_place_of_none_makes_nothing_worse(pairs) -> None:
    before = measured(pairs)
    after = measured([(gold, found or gold) for gold, found in pairs])
    for name in ("f1_micro", "f1_macro", "f1_weighted", "accuracy"):
        assert after[name] >= before[name] - 1e-12
