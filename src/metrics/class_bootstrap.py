"""Bootstrap intervals of classification measures over grammars."""

from __future__ import annotations

from collections.abc import Iterator, Sequence

import numpy as np
import numpy.typing as npt

from src.errors import GrambenchError
from src.metrics.classification import F1S, Coded, Counts, Figures, Labels, columns, f1s
from src.metrics.uncertainty import Interval

_BLOCK = 1 << 20
"""Numbers drawn at a time, so that memory does not grow with the resamples."""


def resampled_f1s(
    parts: Sequence[Sequence[Coded]],
    labels: Labels = "gold_and_predicted",
    *,
    resamples: int = 10_000,
    seed: int,
) -> list[dict[str, Figures]]:
    """Return the three F1s of each part in each resample.

    Grammars are drawn with replacement, the same for all parts, and the measure is computed anew
    from those drawn, also which classes macro F1 is the mean over. A part is the same grammars in
    the same order, answered as often as there are repeats; its measure is the mean over the repeats
    of the grammars drawn. The same seed gives the same figures.

    Raises:
        GrambenchError: there are no resamples.
    """
    if resamples < 1:
        raise GrambenchError(f"There must be at least 1 resample, not {resamples}.")
    repeats = [coded for part in parts for coded in part]
    # counts of rows are exact in float32; one large product is faster than many small ones
    table = np.hstack([columns(coded) for coded in repeats]).astype(np.float32)
    ends = np.cumsum([3 * len(coded.classes) for coded in repeats])
    blocks = []
    for weights in draws(len(table), resamples, seed):
        counted = np.split((weights @ table).astype(np.float64), ends[:-1], axis=1)
        figures = iter([f1s(Counts(*np.split(c, 3, axis=1)), labels) for c in counted])
        blocks.append([_mean([next(figures) for _ in part]) for part in parts])
    return [
        {name: np.concatenate([block[at][name] for block in blocks]) for name in F1S}
        for at in range(len(parts))
    ]


def percentile_interval(values: Figures, *, n: int, confidence: float = 0.95) -> Interval:
    """Return the percentile interval (Efron 1979) of a measure's resamples, from n grammars.

    Undefined resamples are left out. From fewer than two grammars nothing can be learnt about how
    they vary: the ends are NaN.

    Raises:
        GrambenchError: the confidence is not between 0 and 1.
    """
    if not 0 < confidence < 1:
        raise GrambenchError(f"The confidence must lie between 0 and 1, not be {confidence}.")
    defined = values[np.isfinite(values)]
    if n < 2 or not defined.size:
        return Interval(float("nan"), float("nan"), confidence, len(values), n)
    tail = (1 - confidence) / 2
    low, high = np.quantile(defined, [tail, 1 - tail])
    return Interval(float(low), float(high), confidence, len(values), n)


def draws(n: int, resamples: int, seed: int) -> Iterator[npt.NDArray[np.float32]]:
    """Yield, in blocks of resamples, how often each of n rows is drawn when n are."""
    rng = np.random.Generator(np.random.PCG64(seed))
    most = max(1, _BLOCK // max(n, 1))
    for start in range(0, resamples, most):
        rows = min(most, resamples - start)
        drawn = rng.integers(0, max(n, 1), (rows, n)) + np.arange(rows)[:, np.newaxis] * n
        yield np.bincount(drawn.ravel(), minlength=rows * n).reshape(rows, n).astype(np.float32)


def _mean(figures: Sequence[dict[str, Figures]]) -> dict[str, Figures]:
    return {name: np.mean([own[name] for own in figures], axis=0) for name in F1S}
