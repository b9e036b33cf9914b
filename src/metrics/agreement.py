"""Whether two runs over the same grammars differ: McNemar's test, and swapping their answers."""

from __future__ import annotations

import math
from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from typing import Literal

import numpy as np
import numpy.typing as npt

from src.errors import GrambenchError
from src.metrics.classification import Coded, Counts, Figures, Labels, columns, f1_macro
from src.metrics.uncertainty import PairedTest

_MOST_EXACT = 14
"""Rows that differ, up to which all ways of swapping them are gone through (2^14)."""

_BLOCK = 1 << 20
_EQUAL = 1e-10


@dataclass(frozen=True, slots=True)
class McNemar:
    """How many rows both runs have right, only one of them, or neither, and the test's p."""

    both: int
    only_a: int
    only_b: int
    neither: int
    p: float


def mcnemar(right_a: Sequence[bool], right_b: Sequence[bool]) -> McNemar:
    """Test whether two runs are right equally often (McNemar 1947), exactly and two-sided.

    Of the rows that only one run has right, as many should be a's as b's: p is that of a binomial
    with 1/2, the sum of its two tails. Without such rows it is 1.
    """
    a, b = np.asarray(right_a, dtype=bool), np.asarray(right_b, dtype=bool)
    _check_pairs(a, b)
    only_a, only_b = int((a & ~b).sum()), int((b & ~a).sum())
    discordant = only_a + only_b
    tail = sum(math.comb(discordant, k) for k in range(min(only_a, only_b) + 1))
    p = min(1.0, 2 * tail / 2**discordant)
    return McNemar(int((a & b).sum()), only_a, only_b, int((~a & ~b).sum()), p)


def macro_f1_test(
    a: Coded,
    b: Coded,
    *,
    labels: Labels = "gold_and_predicted",
    seed: int,
    resamples: int = 10_000,
) -> PairedTest:
    """Test whether two runs' macro F1 differ, by swapping their answers row by row.

    The difference is a's macro F1 less b's. p is the share of ways to swap the answers of some of
    the rows that bring about a difference at least as large (approximate randomisation, Noreen
    1989): of all ways where up to 14 rows differ, else of ``resamples`` random ones and the
    observed, (n + 1) / (m + 1).
    """
    _check_pairs(a.gold, b.gold)
    if not np.array_equal(a.gold, b.gold) or a.classes != b.classes:
        raise GrambenchError("The two runs have other gold labels: compare runs over one pack.")
    n = int(np.count_nonzero(a.gold >= 0))
    if not n:
        return PairedTest(float("nan"), float("nan"), "none", 0)
    differing = np.flatnonzero(a.predicted != b.predicted)
    method: Literal["exact", "sampled"] = "exact" if differing.size <= _MOST_EXACT else "sampled"
    observed = _difference(a, b, np.zeros((1, len(a.gold)), dtype=np.float32), labels)[0]
    reaching = total = 0
    for swaps in _swaps(len(a.gold), differing, resamples, seed):
        found = np.abs(_difference(a, b, swaps, labels))
        reaching += int(np.count_nonzero(found >= abs(observed) - _EQUAL))
        total += len(found)
    extra = method == "sampled"
    return PairedTest(float(observed), (reaching + extra) / (total + extra), method, n)


def _difference(a: Coded, b: Coded, swaps: npt.NDArray[np.float32], labels: Labels) -> Figures:
    """Return the differences in macro F1 where rows with a 1 have their answers swapped."""
    return f1_macro(_mixed(a, b, swaps), labels) - f1_macro(_mixed(b, a, swaps), labels)


def _mixed(a: Coded, b: Coded, swaps: npt.NDArray[np.float32]) -> Counts:
    """Count a's answers but for the rows that are swapped, where b's are counted."""
    own, other = columns(a), columns(b)
    counts: Figures = own.sum(axis=0) + swaps @ (other - own)
    return Counts(*np.split(counts, 3, axis=1))


def _swaps(
    n: int, differing: npt.NDArray[np.intp], resamples: int, seed: int
) -> Iterator[npt.NDArray[np.float32]]:
    """Yield blocks of ways to swap rows; only those that differ matter."""
    if differing.size <= _MOST_EXACT:
        ways = np.arange(2**differing.size)[:, np.newaxis] >> np.arange(differing.size) & 1
        yield _placed(ways, differing, n)
        return
    rng = np.random.Generator(np.random.PCG64(seed))
    most = max(1, _BLOCK // n)
    for start in range(0, resamples, most):
        rows = min(most, resamples - start)
        yield _placed(rng.integers(0, 2, (rows, differing.size)), differing, n)


def _placed(
    ways: npt.NDArray[np.int64], differing: npt.NDArray[np.intp], n: int
) -> npt.NDArray[np.float32]:
    swaps = np.zeros((len(ways), n), dtype=np.float32)
    swaps[:, differing] = ways
    return swaps


def _check_pairs(a: npt.NDArray[np.generic], b: npt.NDArray[np.generic]) -> None:
    if a.shape != b.shape:
        raise GrambenchError(f"The runs have {a.size} and {b.size} rows: compare the same rows.")
