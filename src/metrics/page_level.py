"""How many of a feature's gold pages a ranking of paragraphs finds, and how much text that costs.

``ranked`` are the pages of each paragraph in ranked order, ``pool`` those of each paragraph that
there was to rank, in any order, and ``gold`` the pages that tell the feature's value. A gold page
is found with the first paragraph that stands on it, if only in part. Without a gold page there is
nothing to measure, which is an error; a ranking may be empty.
"""

from __future__ import annotations

import math
from collections import Counter
from collections.abc import Collection, Sequence
from itertools import chain

import numpy as np
import numpy.typing as npt

from src.errors import GrambenchError

Pages = Sequence[Collection[int]]
Curve = npt.NDArray[np.float64]
Flags = npt.NDArray[np.bool_]


def page_recall_curve(ranked: Pages, gold: Collection[int], length: int) -> Curve:
    """Return the share of gold pages found among the first k paragraphs, for k = 1 .. ``length``.

    Below the last ranked paragraph it stays as it is; it is 0 where nothing was ranked.
    """
    found = np.zeros(length)
    for rank in found_at(ranked, gold).values():
        found[rank - 1 :] += 1
    return found / len(_checked(gold))


def expected_page_recall_curve(pool: Pages, gold: Collection[int], length: int) -> Curve:
    """Return the exact mean of `page_recall_curve` over all orders of the pool: chance.

    Of N paragraphs, m stand on a page: it is not among those of the first k in
    C(N - m, k) / C(N, k) of the orders.
    """
    pages, n = _checked(gold), len(pool)
    standing = Counter(chain.from_iterable(pages.intersection(of) for of in pool))
    ranks = np.arange(min(length, n))
    expected = np.zeros(length)
    for m in standing.values():
        # The quotient of the binomials, factor by factor: the next paragraph misses it again.
        missed = np.cumprod(np.maximum(n - m - ranks, 0) / (n - ranks))
        expected += (1 - missed)[np.minimum(np.arange(length), n - 1)]
    return expected / len(pages)


def reachable(pool: Pages, gold: Collection[int]) -> float:
    """Return the share of gold pages on which any paragraph of the pool stands: the ceiling."""
    pages = _checked(gold)
    return len(pages.intersection(chain.from_iterable(pool))) / len(pages)


def on_gold(ranked: Pages, gold: Collection[int]) -> Flags:
    """Tell of each paragraph whether it stands on a gold page."""
    pages = _checked(gold)
    return np.array([not pages.isdisjoint(of) for of in ranked], dtype=np.bool_)


def found_at(ranked: Pages, gold: Collection[int]) -> dict[int, int]:
    """Return the rank, from 1 on, with which each gold page that is found is found."""
    pages = _checked(gold)
    ranks: dict[int, int] = {}
    for rank, of in enumerate(ranked, 1):
        for page in pages.intersection(of):
            ranks.setdefault(page, rank)
    return ranks


def page_precision_at(ranked: Pages, gold: Collection[int], k: int) -> float:
    """Return the share of paragraphs on a gold page among the first k.

    It is always divided by k, as in `src.metrics.ranking.precision_at`.
    """
    _check_cutoff(k)
    return float(np.count_nonzero(on_gold(ranked[:k], gold)) / k)


def page_hit_at(ranked: Pages, gold: Collection[int], k: int) -> float:
    """Return 1 where any of the first k paragraphs stands on a gold page, else 0."""
    _check_cutoff(k)
    return float(on_gold(ranked[:k], gold).any())


def page_reciprocal_rank_at(ranked: Pages, gold: Collection[int], k: int) -> float:
    """Return 1 / rank of the first paragraph on a gold page, 0 where none is among the first k."""
    _check_cutoff(k)
    hits = on_gold(ranked[:k], gold)
    return float(1 / (hits.argmax() + 1)) if hits.any() else 0.0


def cost_at(lengths: Sequence[int], k: int) -> int:
    """Return the length of the first k paragraphs together."""
    _check_cutoff(k)
    return sum(lengths[:k])


def cost_until_first(ranked: Pages, gold: Collection[int], lengths: Sequence[int]) -> float:
    """Return how much is read until a gold page is found, NaN where none ever is."""
    ranks = found_at(ranked, gold).values()
    return float(cost_at(lengths, min(ranks))) if ranks else math.nan


def cost_until_all(ranked: Pages, gold: Collection[int], lengths: Sequence[int]) -> float:
    """Return how much is read until every gold page is found, NaN where one never is."""
    ranks = found_at(ranked, gold).values()
    return float(cost_at(lengths, max(ranks))) if len(ranks) == len(set(gold)) else math.nan


def _checked(gold: Collection[int]) -> frozenset[int]:
    if not gold:
        raise GrambenchError("There are no gold pages to find: leave such grammars out.")
    return frozenset(gold)


def _check_cutoff(k: int) -> None:
    if k < 1:
        raise GrambenchError(f"The cutoff k must be at least 1, not {k}.")
