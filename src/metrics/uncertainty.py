"""How sure a mean over grammars is: a bootstrap interval and a paired sign-flip test."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from typing import Literal

import numpy as np
import numpy.typing as npt

from src.errors import GrambenchError

Values = Sequence[float] | npt.NDArray[np.float64]

_BLOCK = 1 << 20
"""Numbers drawn at a time (8 MiB of float64), so that memory does not grow with the resamples."""

_MOST_EXACT = 40
"""Pairs that may be tested exactly: each half of their signs then takes 8 MiB of sums."""

_EQUAL = 1e-10
"""Sums that differ by less than this share of the sum of absolute differences are equal."""


@dataclass(frozen=True, slots=True)
class Interval:
    """A confidence interval of the mean of n values; NaN at both ends where n is below 2."""

    low: float
    high: float
    confidence: float
    resamples: int
    n: int


@dataclass(frozen=True, slots=True)
class PairedTest:
    """A mean difference between n pairs and its two-sided p, both NaN where there is no pair."""

    difference: float
    p: float
    method: Literal["exact", "sampled", "none"]
    n: int


def bootstrap_interval(
    values: Values, *, confidence: float = 0.95, resamples: int = 10_000, seed: int
) -> Interval:
    """Return the percentile bootstrap interval of the mean (Efron 1979).

    Values are one a grammar. From fewer than two nothing can be learnt about how grammars vary:
    the ends are NaN, not the value itself. The same seed gives the same interval.
    """
    sample = _finite(values)
    if not 0 < confidence < 1:
        raise GrambenchError(f"The confidence must lie between 0 and 1, not be {confidence}.")
    _check_resamples(resamples)
    n = sample.size
    if n < 2:
        return Interval(float("nan"), float("nan"), confidence, resamples, n)
    rng = np.random.Generator(np.random.PCG64(seed))
    means = np.concatenate(
        [sample[rng.integers(0, n, (rows, n))].mean(axis=1) for rows in _blocks(resamples, n)]
    )
    tail = (1 - confidence) / 2
    low, high = np.quantile(means, [tail, 1 - tail])
    return Interval(float(low), float(high), confidence, resamples, n)


def paired_permutation_p(
    differences: Values, *, seed: int, exact_up_to: int = 20, resamples: int = 100_000
) -> PairedTest:
    """Test whether the mean of paired differences is 0 by flipping their signs (Fisher 1935).

    p is the share of sign patterns whose mean is at least as far from 0 as the observed one: of
    all 2**n patterns up to ``exact_up_to`` pairs, beyond of ``resamples`` random ones and the
    observed, (b + 1) / (m + 1). Pairs without a difference take part, and change nothing; nothing
    but such pairs gives p = 1.
    """
    sample = _finite(differences)
    _check_resamples(resamples)
    if not 0 <= exact_up_to <= _MOST_EXACT:
        raise GrambenchError(f"exact_up_to must lie in 0 .. {_MOST_EXACT}, not be {exact_up_to}.")
    n = sample.size
    if n == 0:
        return PairedTest(float("nan"), float("nan"), "none", 0)
    difference = float(sample.mean())
    # Equal sums differ in their last bits when added up in another order; without this margin
    # even the observed pattern might not count.
    least = abs(float(sample.sum())) - _EQUAL * float(np.abs(sample).sum())
    if n <= exact_up_to:
        return PairedTest(difference, _exact_p(sample, least), "exact", n)
    return PairedTest(difference, _sampled_p(sample, least, seed, resamples), "sampled", n)


def _exact_p(sample: npt.NDArray[np.float64], least: float) -> float:
    """Count the sign patterns whose sum is ``least`` or more; as many lie on the other side.

    Every sum is one of the first half's plus one of the second's, so that sorting the one and
    looking up the other counts all 2**n in the order of n * 2**(n / 2) steps.
    """
    if least <= 0:
        return 1.0
    half = sample.size // 2
    left = np.sort(_signed_sums(sample[:half]))
    right = _signed_sums(sample[half:])
    reaching = int((left.size - np.searchsorted(left, least - right)).sum())
    return float(2 * reaching / 2**sample.size)


def _signed_sums(sample: npt.NDArray[np.float64]) -> npt.NDArray[np.float64]:
    """Return the sums under all sign patterns."""
    sums = np.zeros(1)
    for value in sample:
        sums = np.concatenate((sums + value, sums - value))
    return sums


def _sampled_p(sample: npt.NDArray[np.float64], least: float, seed: int, resamples: int) -> float:
    rng = np.random.Generator(np.random.PCG64(seed))
    reaching = 0
    for rows in _blocks(resamples, sample.size):
        kept = rng.integers(0, 2, (rows, sample.size), dtype=np.int8)
        sums = 2 * (kept @ sample) - sample.sum()
        reaching += int(np.count_nonzero(np.abs(sums) >= least))
    return (reaching + 1) / (resamples + 1)


def _blocks(resamples: int, n: int) -> Iterator[int]:
    """Split the resamples of n values into blocks that hold a bounded count of numbers."""
    rows = max(1, _BLOCK // n)
    for start in range(0, resamples, rows):
        yield min(rows, resamples - start)


def _finite(values: Values) -> npt.NDArray[np.float64]:
    array = np.asarray(values, dtype=np.float64)
    if array.ndim != 1:
        raise GrambenchError(f"Values must be a plain list, not of shape {array.shape}.")
    wrong = np.flatnonzero(~np.isfinite(array))
    if wrong.size:
        raise GrambenchError(
            f"Value number {wrong[0] + 1} of {array.size} is {array[wrong[0]]}: leave grammars "
            "without a figure out, and name them."
        )
    return array


def _check_resamples(resamples: int) -> None:
    if resamples < 1:
        raise GrambenchError(f"There must be at least 1 resample, not {resamples}.")
