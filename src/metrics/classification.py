"""How well predicted classes agree with the gold ones: F1, accuracy, MCC, by class.

All measures are functions of three counts a class: how often it is gold (g), how often predicted
(p), and how often both at once (r, right). Counts may have leading axes (resamples), which the
measures keep. What is 0 / 0 for a class is 0, as with ``zero_division=0`` in scikit-learn.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from typing import Any, Literal, get_args

import numpy as np
import numpy.typing as npt

from src.errors import GrambenchError, suggest

Labels = Literal["gold", "gold_and_predicted", "all"]
Invalid = Literal["wrong", "drop", "first_class"]

Codes = npt.NDArray[np.int64]
Figures = npt.NDArray[np.float64]

MEASURES = ("f1_micro", "f1_macro", "f1_weighted", "accuracy", "mcc")
F1S = MEASURES[:3]

NONE = -1
"""The code of no class: a reply without an answer; of gold, a row that does not count."""


@dataclass(frozen=True)
class Coded:
    """Gold and predicted labels as places in ``classes``; `NONE` is no class.

    A row whose gold label is `NONE` is left out of every measure. One whose prediction is `NONE`
    is wrong: it is right for no class and predicted for none.
    """

    classes: tuple[str, ...]
    gold: Codes
    predicted: Codes


@dataclass(frozen=True)
class Counts:
    """Of each class (last axis) how often it is gold, predicted, and right."""

    gold: Figures
    predicted: Figures
    right: Figures

    @property
    def rows(self) -> Figures:
        """The number of rows that count."""
        total: Figures = self.gold.sum(axis=-1)
        return total


def encode(
    gold: Sequence[str],
    predicted: Sequence[str | None],
    classes: Sequence[str],
    *,
    invalid: Invalid = "wrong",
    first_class: str | None = None,
) -> Coded:
    """Code labels by their places in ``classes``, and settle what becomes of invalid replies.

    A prediction of None is a reply without an answer. ``invalid`` makes it an error that is no
    class of its own (``wrong``), leaves its row out (``drop``) or takes ``first_class`` for it
    (without one, the first of the classes).

    Raises:
        GrambenchError: the lists differ in length, a label is no class, or ``invalid`` is unknown.
    """
    check_choice("invalid", invalid, get_args(Invalid))
    if len(gold) != len(predicted):
        raise GrambenchError(f"There are {len(gold)} gold labels and {len(predicted)} predictions.")
    places = {label: place for place, label in enumerate(classes)}
    stand_in = first_class or (classes[0] if classes else None)
    if invalid == "first_class":
        predicted = [stand_in if label is None else label for label in predicted]
    own = np.array([_place(label, places) for label in gold], dtype=np.int64)
    theirs = np.array(
        [NONE if label is None else _place(label, places) for label in predicted], dtype=np.int64
    )
    if invalid == "drop":
        own = np.where(theirs == NONE, NONE, own)
    return Coded(tuple(classes), own, theirs)


def count(coded: Coded) -> Counts:
    """Count the classes."""
    return Counts(*np.split(columns(coded).sum(axis=0), 3))


def columns(coded: Coded) -> Figures:
    """Return what is counted: a row a row, and for each class a column gold, predicted, right.

    Sums of rows, weighted as one likes, are counts in the order of `Counts`.
    """
    gold = indicators(coded.gold, len(coded.classes))
    predicted = indicators(coded.predicted, len(coded.classes))
    predicted[coded.gold == NONE] = 0
    return np.hstack([gold, predicted, gold * predicted])


def indicators(codes: Codes, classes: int) -> Figures:
    """Return a row of 0s with a 1 at each code; `NONE` has only 0s."""
    places: Figures = (codes[:, np.newaxis] == np.arange(classes)).astype(np.float64)
    return places


def f1_by_class(counts: Counts) -> Figures:
    """Return F1 of each class: 2 r / (g + p), the harmonic mean of precision and recall."""
    return _ratio(2 * counts.right, counts.gold + counts.predicted)


def accuracy(counts: Counts) -> Figures:
    """Return the share of rows that are right: sum r / sum g."""
    return _ratio(counts.right.sum(axis=-1), counts.rows, undefined=np.nan)


def f1_micro(counts: Counts) -> Figures:
    """Return F1 over all rows, whatever their class.

    Each row has one gold class and one prediction, so that each error is one false positive and
    one false negative, also where the reply holds no answer: micro F1 is the accuracy.
    """
    return accuracy(counts)


def f1_macro(counts: Counts, labels: Labels = "gold_and_predicted") -> Figures:
    """Return the mean of F1 over the classes that ``labels`` chooses.

    ``gold``: those that are gold of a row; ``gold_and_predicted``: also those that only a
    prediction has, whose F1 is 0 (the paper's, and scikit-learn's default); ``all``: every class
    of the feature. A reply without an answer adds none.
    """
    check_choice("labels", labels, get_args(Labels))
    there = counts.gold > 0
    if labels == "gold_and_predicted":
        there = there | (counts.predicted > 0)
    elif labels == "all":
        there = np.broadcast_to((counts.rows > 0)[..., np.newaxis], there.shape)
    total = (f1_by_class(counts) * there).sum(axis=-1)
    return _ratio(total, there.sum(axis=-1), undefined=np.nan)


def f1_weighted(counts: Counts) -> Figures:
    """Return the mean of F1 over the classes, weighted by how often each is gold."""
    weighted = (f1_by_class(counts) * counts.gold).sum(axis=-1)
    return _ratio(weighted, counts.rows, undefined=np.nan)


def mcc(counts: Counts) -> Figures:
    """Return Matthews' correlation coefficient for any number of classes (Gorodkin 2004).

    With c right of s rows it is (c s - sum g p) / sqrt((s^2 - sum p^2) (s^2 - sum g^2)), where no
    answer is one more class that is predicted, so that keeping silent pays no more than a wrong
    answer. 0 where one side has a single class.
    """
    rows = counts.rows
    agreeing = counts.right.sum(axis=-1) * rows - (counts.gold * counts.predicted).sum(axis=-1)
    of_gold = rows**2 - (counts.gold**2).sum(axis=-1)
    without = rows - counts.predicted.sum(axis=-1)
    of_predicted = rows**2 - (counts.predicted**2).sum(axis=-1) - without**2
    found = _ratio(agreeing, np.sqrt(of_gold * of_predicted))
    return np.where(rows > 0, found, np.nan)


def scores(counts: Counts, labels: Labels = "gold_and_predicted") -> dict[str, Figures]:
    """Return all measures by name; NaN where no row counts."""
    return {**f1s(counts, labels), "accuracy": accuracy(counts), "mcc": mcc(counts)}


def f1s(counts: Counts, labels: Labels = "gold_and_predicted") -> dict[str, Figures]:
    """Return the three F1s by name; NaN where no row counts."""
    return {
        "f1_micro": f1_micro(counts),
        "f1_macro": f1_macro(counts, labels),
        "f1_weighted": f1_weighted(counts),
    }


def confusion(coded: Coded) -> Codes:
    """Return how often each gold class (row) got each prediction (column); the last is no answer.

    The shape is (classes, classes + 1).
    """
    size = len(coded.classes)
    kept = coded.gold != NONE
    table = np.zeros((size, size + 1), dtype=np.int64)
    np.add.at(table, (coded.gold[kept], coded.predicted[kept] % (size + 1)), 1)
    return table


def class_rows(coded: Coded) -> list[dict[str, Any]]:
    """Return a row a class: precision r / p, recall r / g, F1, and how often it is gold."""
    counts = count(coded)
    precision = _ratio(counts.right, counts.predicted)
    recall = _ratio(counts.right, counts.gold)
    f1 = f1_by_class(counts)
    return [
        {
            "class": label,
            "precision": float(precision[place]),
            "recall": float(recall[place]),
            "f1": float(f1[place]),
            "support": int(counts.gold[place]),
            "predicted": int(counts.predicted[place]),
        }
        for place, label in enumerate(coded.classes)
    ]


def check_choice(key: str, value: str, known: Sequence[str]) -> None:
    """Refuse a choice that there is not."""
    if value not in known:
        raise GrambenchError(
            f"{key} is '{value}': choose {', '.join(known)}.{suggest(str(value), known)}"
        )


def _place(label: str, places: dict[str, int]) -> int:
    if label in places:
        return places[label]
    raise GrambenchError(
        f"'{label}' is none of the classes {', '.join(places)}.{suggest(label, places)}"
    )


def _ratio(above: Figures, below: Any, undefined: float = 0.0) -> Figures:
    below = np.asarray(below, dtype=np.float64)
    whole = np.full(np.shape(above), undefined)
    found: Figures = np.divide(above, below, out=whole, where=below > 0)
    return found
