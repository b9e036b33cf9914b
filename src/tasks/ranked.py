"""A grammar's ranking and how it is judged by the grades."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass, field
from typing import Any

import numpy as np
import numpy.typing as npt

from src.metrics import ranking as measure
from src.records import Paragraph, Ranking

Curve = npt.NDArray[np.float64]


@dataclass(frozen=True)
class Settings:
    """How a ranking is judged; ``relevant`` is the lowest grade that counts as relevant."""

    k: int
    cutoffs: Sequence[int]
    gain: measure.Gain
    relevant: int
    confidence: float
    resamples: int
    seed: int


@dataclass(frozen=True)
class Ranked:
    """A grammar's candidates, ranked: ``grades`` in ranked order, ``candidates`` as given.

    ``retrieved`` is the retriever's ranking, ``ranking`` the final one.
    """

    grammar: str
    paragraphs: Sequence[Paragraph]
    retrieved: Ranking
    ranking: Ranking
    candidates: Sequence[int]
    settings: Settings = field(repr=False)

    @property
    def grades(self) -> list[int]:
        """The grades in ranked order."""
        return [self.candidates[i] for i in self.ranking.order]

    def curve(self) -> Curve:
        """NDCG@k of this ranking."""
        return measure.ndcg_curve(self.grades, self.candidates, self.settings.gain)

    def candidate_curve(self) -> Curve:
        """NDCG@k of the candidates in the order in which the pack gives them."""
        return measure.ndcg_curve(self.candidates, gain=self.settings.gain)

    def chance_curve(self) -> Curve:
        """NDCG@k to be expected of a random order."""
        return measure.expected_ndcg_curve(self.candidates, self.settings.gain)


def grammar_row(item: Ranked) -> dict[str, Any]:
    """Return a grammar's figures; what is undefined is NaN."""
    settings, grades, ideal = item.settings, item.grades, item.candidates
    curve, k, relevant = item.curve(), settings.k, settings.relevant
    cutoffs = sorted({*settings.cutoffs, k})
    return {
        "grammar": item.grammar,
        "candidates": len(ideal),
        "ranked": len(grades),
        "relevant": sum(grade >= relevant for grade in ideal),
        **{f"ndcg_at_{cut}": measure.ndcg_at(curve, cut) for cut in cutoffs},
        f"precision_at_{k}": measure.precision_at(grades, k, relevant=relevant),
        f"recall_at_{k}": measure.recall_at(grades, k, ideal, relevant=relevant),
        f"ap_at_{k}": measure.average_precision_at(grades, k, ideal, relevant=relevant),
        f"rr_at_{k}": measure.reciprocal_rank_at(grades, k, ideal, relevant=relevant),
        f"candidates/ndcg_at_{k}": measure.ndcg_at(item.candidate_curve(), k),
        f"chance/ndcg_at_{k}": measure.ndcg_at(item.chance_curve(), k),
    }


def ranking_rows(item: Ranked) -> list[dict[str, Any]]:
    """Return a row a ranked paragraph; ranks count from 1."""
    scores = dict(zip(item.retrieved.order, item.retrieved.scores, strict=True))
    return [
        {
            "grammar": item.grammar,
            "rank": rank,
            "paragraph": item.paragraphs[position].id,
            "candidate_rank": int(position) + 1,
            "retriever_score": float(scores[position]),
            "score": float(score),
            "grade": item.candidates[position],
            "pages": list(item.paragraphs[position].pages),
        }
        for rank, (position, score) in enumerate(
            zip(item.ranking.order, item.ranking.scores, strict=True), 1
        )
    ]


def curve_rows(item: Ranked) -> list[dict[str, Any]]:
    """Return NDCG@k, a row a k."""
    return [
        {"grammar": item.grammar, "k": k, "ndcg": float(value)}
        for k, value in enumerate(item.curve(), 1)
    ]
