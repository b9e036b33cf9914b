"""How good a ranking of graded paragraphs is: NDCG and the measures of binary relevance.

``grades`` are always the grades of the paragraphs in ranked order. A ranker that kept only its
best gives fewer of them than there were candidates; ``ideal`` then holds the grades of all the
candidates, in any order, and stands for what there was to find.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Sequence
from typing import Any, Literal, get_args

import numpy as np
import numpy.typing as npt

from src.errors import GrambenchError, suggest

Grades = Sequence[int] | npt.NDArray[np.integer[Any]]
Curve = npt.NDArray[np.float64]
Gain = Literal["linear", "exponential"]

RELEVANT = 4
"""The lowest grade that counts as relevant where relevance is a matter of yes or no."""


def ndcg_curve(grades: Grades, ideal: Grades | None = None, gain: Gain = "linear") -> Curve:
    """Return NDCG@k for k = 1 .. number of candidates (Järvelin & Kekäläinen 2002; MTOB, 4.2).

    The discount at rank k is log2(k + 1); ``linear`` gains are the grades themselves (the
    paper's), ``exponential`` ones 2**grade - 1. Below the last ranked paragraph DCG stays as it
    is. Where no candidate has any gain NDCG is undefined: NaN at every k.
    """
    ranked, candidates = _checked(grades, ideal)
    best = _gains(np.sort(candidates)[::-1], gain)
    if not best.any():
        return np.full(best.size, np.nan)
    return _dcg(_gains(ranked, gain), best.size) / _dcg(best, best.size)


def expected_ndcg_curve(ideal: Grades, gain: Gain = "linear") -> Curve:
    """Return the exact mean of `ndcg_curve` over all orders of the candidates: chance.

    At every rank the expected gain is the candidates' mean gain. NaN as in `ndcg_curve`.
    """
    _, candidates = _checked(ideal, None)
    best = _gains(np.sort(candidates)[::-1], gain)
    if not best.any():
        return np.full(best.size, np.nan)
    chance = np.full(best.size, best.mean())
    return _dcg(chance, best.size) / _dcg(best, best.size)


def ndcg_at(curve: Curve, k: int) -> float:
    """Return the curve's value at k, the last one where k is beyond it, NaN where it is empty."""
    _check_cutoff(k)
    return float(curve[min(k, curve.size) - 1]) if curve.size else float("nan")


def mean_curve(curves: Sequence[Curve]) -> Curve:
    """Return the mean over grammars at each k, up to the longest curve.

    A shorter curve stays at its last value. Grammars without NDCG (all NaN, or no candidate) are
    left out; where that leaves none, the mean is NaN at every k. No curve at all is an error.
    """
    if not curves:
        raise GrambenchError("There is no curve to take the mean of: choose at least one grammar.")
    defined = [curve for curve in curves if not np.isnan(curve).all()]
    length = max(curve.size for curve in defined or curves)
    if not defined:
        return np.full(length, np.nan)
    ranks = np.arange(length)
    prolonged = [curve[np.minimum(ranks, curve.size - 1)] for curve in defined]
    mean: Curve = np.mean(prolonged, axis=0)
    return mean


def precision_at(grades: Grades, k: int, *, relevant: int = RELEVANT) -> float:
    """Return the share of relevant paragraphs among the first k.

    As in trec_eval it is always divided by k: where fewer than k were ranked, the missing count
    as not relevant. Nothing relevant at all gives 0.
    """
    _check_cutoff(k)
    ranked, _ = _checked(grades, None)
    return float(np.count_nonzero(ranked[:k] >= relevant) / k)


def recall_at(
    grades: Grades, k: int, ideal: Grades | None = None, *, relevant: int = RELEVANT
) -> float:
    """Return the share of the relevant candidates that stand among the first k.

    NaN where no candidate is relevant; k above the number ranked is that number.
    """
    hits, total = _hits(grades, ideal, k, relevant)
    return float(np.count_nonzero(hits) / total) if total else float("nan")


def average_precision_at(
    grades: Grades, k: int, ideal: Grades | None = None, *, relevant: int = RELEVANT
) -> float:
    """Return the sum of the precisions at each relevant paragraph among the first k, normalised.

    As in trec_eval (``map_cut``) and ir-measures (``AP@k``) the divisor is the number of all
    relevant candidates, also where it exceeds k: a perfect ranking can stay below 1. NaN where no
    candidate is relevant; k above the number ranked is that number.
    """
    hits, total = _hits(grades, ideal, k, relevant)
    if not total:
        return float("nan")
    ranks = np.flatnonzero(hits) + 1
    return float((np.arange(1, ranks.size + 1) / ranks).sum() / total)


def reciprocal_rank_at(
    grades: Grades, k: int, ideal: Grades | None = None, *, relevant: int = RELEVANT
) -> float:
    """Return 1 / rank of the first relevant paragraph, 0 where none is among the first k.

    NaN where no candidate is relevant; k above the number ranked is that number.
    """
    hits, total = _hits(grades, ideal, k, relevant)
    if not total:
        return float("nan")
    return float(1 / (hits.argmax() + 1)) if hits.any() else 0.0


def _hits(
    grades: Grades, ideal: Grades | None, k: int, relevant: int
) -> tuple[npt.NDArray[np.bool_], int]:
    """Tell which of the first k are relevant, and how many of all the candidates are."""
    _check_cutoff(k)
    ranked, candidates = _checked(grades, ideal)
    return ranked[:k] >= relevant, int(np.count_nonzero(candidates >= relevant))


def _gains(grades: npt.NDArray[np.int64], gain: Gain) -> Curve:
    if gain == "linear":
        return grades.astype(np.float64)
    if gain == "exponential":
        exponential: Curve = np.exp2(grades.astype(np.float64)) - 1.0
        return exponential
    known = get_args(Gain)
    raise GrambenchError(
        f"Unknown gain '{gain}': choose {' or '.join(known)}.{suggest(str(gain), known)}"
    )


def _dcg(gains: Curve, length: int) -> Curve:
    """Return DCG@k for k = 1 .. length; ranks without a paragraph gain nothing."""
    discounted = np.zeros(length)
    discounted[: gains.size] = gains / np.log2(np.arange(2, gains.size + 2))
    return discounted.cumsum()


def _checked(
    grades: Grades, ideal: Grades | None
) -> tuple[npt.NDArray[np.int64], npt.NDArray[np.int64]]:
    """Return the ranked and the candidates' grades; an ideal without the former is an error."""
    ranked = _as_grades(grades)
    if ideal is None:
        return ranked, ranked
    candidates = _as_grades(ideal)
    # Normalised by somebody else's ideal a figure looks sound and is not: NDCG may exceed 1.
    foreign = Counter(ranked.tolist()) - Counter(candidates.tolist())
    if foreign:
        grade, count = next(iter(sorted(foreign.items())))
        raise GrambenchError(
            f"The ranking holds {count} more paragraph(s) of grade {grade} than the candidates: "
            "pass as ideal the grades of all the candidates that were ranked."
        )
    return ranked, candidates


def _as_grades(grades: Grades) -> npt.NDArray[np.int64]:
    array = np.asarray(grades)
    if array.ndim != 1:
        raise GrambenchError(f"Grades must be a plain list, not of shape {array.shape}.")
    # An empty list has numpy's default type, float.
    if array.size and array.dtype.kind not in "iu":
        raise GrambenchError(f"Grades must be whole numbers, not {array.dtype}: {array[:5]}.")
    if array.size and array.min() < 0:
        rank = int(array.argmin()) + 1
        raise GrambenchError(f"Grades must be 0 or more: number {rank} is {array.min()}.")
    return array.astype(np.int64)


def _check_cutoff(k: int) -> None:
    if k < 1:
        raise GrambenchError(f"The cutoff k must be at least 1, not {k}.")
