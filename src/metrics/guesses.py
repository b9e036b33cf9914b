"""What guessing comes to: the baselines that stand beside every classification."""

from __future__ import annotations

from collections import Counter
from collections.abc import Sequence
from functools import lru_cache

import numpy as np

from src.metrics.classification import Counts, Labels, count, encode, scores


def majority_scores(
    gold: Sequence[str], classes: Sequence[str], labels: Labels = "gold_and_predicted"
) -> dict[str, float]:
    """Return the measures of always answering the most frequent gold label.

    Of several that is the one that comes first in ``classes``. It knows the gold labels of the
    very rows that it is judged by, so it is a bar, not a classifier that somebody could have had.
    """
    often = Counter(gold)
    most = max(classes, key=lambda label: often[label])
    found = scores(count(encode(gold, [most] * len(gold), classes)), labels)
    return {name: float(value) for name, value in found.items()}


def uniform_scores(
    gold: Sequence[str],
    classes: Sequence[str],
    offered: Sequence[str],
    labels: Labels = "gold_and_predicted",
    *,
    draws: int = 10_000,
    seed: int,
) -> dict[str, float]:
    """Return the measures to be expected when each row's answer is drawn from ``offered``.

    Every offered class is as likely as the others: the mean over so many draws of all rows. The
    accuracy, and with it micro F1, is exact: the share of rows whose gold label is offered,
    divided by the number of offered classes.
    """
    found = _uniform(tuple(gold), tuple(classes), tuple(offered), labels, draws, seed)
    return dict(found)


@lru_cache(maxsize=64)  # the runs of a sweep are over the same gold labels
def _uniform(
    gold: tuple[str, ...],
    classes: tuple[str, ...],
    offered: tuple[str, ...],
    labels: Labels,
    draws: int,
    seed: int,
) -> dict[str, float]:
    rng = np.random.Generator(np.random.PCG64(seed))
    places = [classes.index(label) for label in offered]
    often = Counter(gold)
    support = np.array([often[label] for label in classes], dtype=np.float64)
    predicted = np.zeros((draws, len(classes)))
    right = np.zeros((draws, len(classes)))
    for place, label in enumerate(classes):
        answers = rng.multinomial(often[label], [1 / len(places)] * len(places), size=draws)
        predicted[:, places] += answers
        if place in places:
            right[:, place] = answers[:, places.index(place)]
    counts = Counts(np.broadcast_to(support, right.shape), predicted, right)
    found = {name: float(np.mean(values)) for name, values in scores(counts, labels).items()}
    exact = float(support[places].sum() / support.sum() / len(places))
    return {**found, "accuracy": exact, "f1_micro": exact}
