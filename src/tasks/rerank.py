"""Which retriever or reranker puts the informative paragraphs first? (MTOB, section 4)."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass, field
from functools import partial
from typing import Any

import numpy as np
import numpy.typing as npt
from omegaconf import DictConfig

from src.corpus.pack import Pack, load_pack
from src.errors import GrambenchError
from src.metrics import ranking as measure
from src.metrics.uncertainty import bootstrap_interval, paired_permutation_p
from src.records import Paragraph, Ranking, Result, Search
from src.tasks.components import Reranker, Retriever, build, build_search
from src.tasks.figures import draw_curves

Curve = npt.NDArray[np.float64]


@dataclass(frozen=True)
class Settings:
    """How a ranking is judged; ``relevant`` is the lowest grade that counts as relevant."""

    k: int = 20
    cutoffs: Sequence[int] = (1, 5, 10, 20, 50)
    gain: measure.Gain = "linear"
    relevant: int = 4
    confidence: float = 0.95
    resamples: int = 10_000
    seed: int = 0


@dataclass(frozen=True)
class Ranked:
    """A grammar's candidates, ranked: ``grades`` in ranked order, ``candidates`` as given."""

    grammar: str
    paragraphs: Sequence[Paragraph]
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


def run(cfg: DictConfig) -> Result:
    """Run the task that a composed config describes."""
    pack = load_pack(cfg.data.path)
    settings = Settings(
        k=cfg.task.k,
        cutoffs=tuple(cfg.task.cutoffs),
        gain=cfg.task.gain,
        relevant=cfg.task.relevant,
        confidence=cfg.task.confidence,
        resamples=cfg.task.resamples,
        seed=cfg.seed,
    )
    search = build_search(cfg, pack)
    retriever, reranker = build(cfg.retriever), build(cfg.reranker)
    return rerank(pack, search, retriever, reranker, settings, limit=cfg.limit)


def rerank(
    pack: Pack,
    search: Search,
    retriever: Retriever,
    reranker: Reranker,
    settings: Settings,
    *,
    limit: int | None = None,
) -> Result:
    """Rank every graded grammar of a pack and judge the rankings by the grades.

    The retriever orders a grammar's graded candidates and keeps its k best, the reranker's scores
    order those anew (ties keep the retriever's order), and the grades of all the candidates are
    the ideal that NDCG@k is measured against.

    Raises:
        GrambenchError: the pack has no grades for the feature, or a component cannot do its part.
    """
    graded = list(pack.graded(search.feature).items())[:limit]
    if not graded:
        raise GrambenchError(f"No grammar is left to rank: limit is {limit}; give 1 or more.")
    ranked = [
        _rank(grammar, candidates, search, retriever, reranker, settings)
        for grammar, candidates in graded
    ]
    return _judge(ranked, search, _usage(reranker))


def _rank(
    grammar: str,
    candidates: Sequence[tuple[Paragraph, int]],
    search: Search,
    retriever: Retriever,
    reranker: Reranker,
    settings: Settings,
) -> Ranked:
    paragraphs = [paragraph for paragraph, _ in candidates]
    first = retriever.rank(search, paragraphs)
    kept = [paragraphs[i] for i in first.order]
    scores = reranker.score(search, kept)
    if not np.isfinite(scores).all():
        at = kept[int(np.argmin(np.isfinite(scores)))].id
        raise GrambenchError(f"The reranker gave paragraph {at} no finite score.")
    again = np.argsort(-scores, kind="stable")
    ranking = Ranking(first.order[again], scores[again])
    return Ranked(grammar, paragraphs, ranking, [grade for _, grade in candidates], settings)


def _judge(ranked: Sequence[Ranked], search: Search, usage: dict[str, float]) -> Result:
    settings = ranked[0].settings
    rows = [_grammar_row(item) for item in ranked]
    mean = measure.mean_curve([item.curve() for item in ranked])
    curves = {
        "this run": mean,
        "candidates as given": measure.mean_curve([item.candidate_curve() for item in ranked]),
        "chance": measure.mean_curve([item.chance_curve() for item in ranked]),
    }
    name = f"ndcg_at_{settings.k}"
    headline = (name, f"{name}_low", f"{name}_high", f"{name}_gain", f"{name}_gain_p", "grammars")
    return Result(
        metrics={**_metrics(rows, settings), **usage},
        curves={"ndcg": mean.tolist()},
        tables={
            "grammars": rows,
            "rankings": [row for item in ranked for row in _ranking_rows(item)],
            "ndcg": [row for item in ranked for row in _curve_rows(item)],
        },
        figures={
            "ndcg.png": partial(
                draw_curves,
                curves=curves,
                thin=[item.curve() for item in ranked],
                title=f"NDCG@k over {len(ranked)} grammars, {search.feature}",
                ylabel=f"NDCG ({settings.gain} gain)",
            )
        },
        notes=_notes(rows, settings),
        headline=headline,
    )


def _metrics(rows: Sequence[dict[str, Any]], settings: Settings) -> dict[str, float]:
    """Means over the grammars for which a measure is defined, with interval, test, baselines."""
    name = f"ndcg_at_{settings.k}"
    defined = [row for row in rows if np.isfinite(row[name])]
    metrics: dict[str, float] = {
        "grammars": len(defined),
        "grammars_without_ndcg": len(rows) - len(defined),
    }
    measured = [key for key in rows[0] if "_at_" in key]
    means = {key: _mean([row[key] for row in rows]) for key in measured}
    values = [row[name] for row in defined]
    if not values:
        return {**means, **metrics}
    interval = bootstrap_interval(
        values,
        confidence=settings.confidence,
        resamples=settings.resamples,
        seed=settings.seed,
    )
    test = paired_permutation_p(
        [row[name] - row[f"candidates/{name}"] for row in defined], seed=settings.seed
    )
    return {
        name: means.pop(name),
        f"{name}_low": interval.low,
        f"{name}_high": interval.high,
        f"{name}_gain": test.difference,
        f"{name}_gain_p": test.p,
        **metrics,
        **means,
    }


def _grammar_row(item: Ranked) -> dict[str, Any]:
    settings, grades, ideal = item.settings, item.grades, item.candidates
    curve, k, relevant = item.curve(), settings.k, settings.relevant
    cutoffs = sorted({*settings.cutoffs, k})
    return {
        "grammar": item.grammar,
        "candidates": len(ideal),
        "relevant": sum(grade >= relevant for grade in ideal),
        **{f"ndcg_at_{cut}": measure.ndcg_at(curve, cut) for cut in cutoffs},
        f"precision_at_{k}": measure.precision_at(grades, k, relevant=relevant),
        f"recall_at_{k}": measure.recall_at(grades, k, ideal, relevant=relevant),
        f"ap_at_{k}": measure.average_precision_at(grades, k, ideal, relevant=relevant),
        f"rr_at_{k}": measure.reciprocal_rank_at(grades, k, ideal, relevant=relevant),
        f"candidates/ndcg_at_{k}": measure.ndcg_at(item.candidate_curve(), k),
        f"chance/ndcg_at_{k}": measure.ndcg_at(item.chance_curve(), k),
    }


def _ranking_rows(item: Ranked) -> list[dict[str, Any]]:
    return [
        {
            "grammar": item.grammar,
            "rank": rank,
            "paragraph": item.paragraphs[position].id,
            "candidate_rank": int(position) + 1,
            "score": float(score),
            "grade": item.candidates[position],
            "pages": list(item.paragraphs[position].pages),
        }
        for rank, (position, score) in enumerate(
            zip(item.ranking.order, item.ranking.scores, strict=True), 1
        )
    ]


def _curve_rows(item: Ranked) -> list[dict[str, Any]]:
    return [
        {"grammar": item.grammar, "k": k, "ndcg": float(value)}
        for k, value in enumerate(item.curve(), 1)
    ]


def _notes(rows: Sequence[dict[str, Any]], settings: Settings) -> list[str]:
    without = [row["grammar"] for row in rows if not np.isfinite(row[f"ndcg_at_{settings.k}"])]
    irrelevant = [row["grammar"] for row in rows if not row["relevant"]]
    notes = []
    if without:
        notes.append(f"no paragraph has a grade above 0, so no NDCG: {', '.join(without)}")
    if irrelevant:
        notes.append(
            f"no paragraph has grade {settings.relevant} or more, so no recall, AP or RR:"
            f" {', '.join(irrelevant)}"
        )
    return notes


def _usage(reranker: Reranker) -> dict[str, float]:
    counts = {name: getattr(reranker, name, 0) for name in ("documents_encoded", "queries_encoded")}
    return {f"usage/{name}": int(count) for name, count in counts.items() if count}


def _mean(values: Sequence[float]) -> float:
    defined = [value for value in values if np.isfinite(value)]
    return float(np.mean(defined)) if defined else float("nan")
