"""What several repeats of the same run come to: mean, spread, and the majority's vote."""

from __future__ import annotations

from collections import Counter
from collections.abc import Sequence

import numpy as np


def mean_and_sd(values: Sequence[float]) -> tuple[float, float]:
    """Return the mean and the sample SD, sqrt(sum (x - mean)^2 / (n - 1)).

    The SD is NaN where there are fewer than two values, both are where there is none.
    """
    array = np.asarray(values, dtype=np.float64)
    if not array.size:
        return float("nan"), float("nan")
    sd = float(array.std(ddof=1)) if array.size > 1 else float("nan")
    return float(array.mean()), sd


def vote(labels: Sequence[str | None]) -> str | None:
    """Return the label that most repeats gave; of several the one that was given first.

    A reply without an answer (None) is no vote; without any vote there is no answer.
    """
    votes = Counter(label for label in labels if label is not None)
    # a Counter keeps the order of first occurrence, and max takes the first of equals
    return max(votes, key=lambda label: votes[label]) if votes else None
