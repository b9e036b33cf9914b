"""Which retriever or reranker puts the informative paragraphs first? (MTOB, section 4)."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from functools import partial
from typing import Any

import numpy as np
from omegaconf import DictConfig

from src.corpus.pack import Pack, load_pack
from src.errors import GrambenchError
from src.metrics import ranking as measure
from src.metrics.uncertainty import bootstrap_interval, paired_permutation_p
from src.records import Result, Search
from src.tasks.components import Reranker, Retriever, build, build_search
from src.tasks.figures import draw_curves
from src.tasks.ranked import Ranked, Settings, curve_rows, grammar_row, ranking_rows
from src.tasks.searching import asked, search_grammars, unranked_notes, usage


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
    pools = {grammar: [p for p, _ in candidates] for grammar, candidates in graded}
    found = search_grammars(pools, search, retriever, reranker)
    if not any(item.ranking.order.size for item in found):
        raise GrambenchError(
            f"The retriever finds nothing in any of the {len(found)} grammars, so nothing is left"
            " to rank. Choose another one, or see with task=retrieve what it finds."
        )
    ranked = [
        Ranked(
            item.grammar,
            item.pool,
            item.retrieved,
            item.ranking,
            [grade for _, grade in candidates],
            settings,
        )
        for item, (_, candidates) in zip(found, graded, strict=True)
    ]
    return _judge(
        search.feature,
        ranked,
        texts=asked(search, retriever, reranker),
        used=usage(retriever, reranker),
        notes=unranked_notes(found),
    )


def _judge(
    feature: str,
    ranked: Sequence[Ranked],
    *,
    texts: Mapping[str, str],
    used: Mapping[str, float],
    notes: Sequence[str],
) -> Result:
    settings = ranked[0].settings
    rows = [grammar_row(item) for item in ranked]
    mean = measure.mean_curve([item.curve() for item in ranked])
    curves = {
        "this run": mean,
        "candidates as given": measure.mean_curve([item.candidate_curve() for item in ranked]),
        "chance": measure.mean_curve([item.chance_curve() for item in ranked]),
    }
    name = f"ndcg_at_{settings.k}"
    headline = (
        *(name, f"{name}_low", f"{name}_high", f"{name}_gain", f"{name}_gain_p"),
        *(f"chance/{name}", "grammars"),
    )
    return Result(
        metrics={**_metrics(rows, settings), **used},
        curves={"ndcg": mean.tolist()},
        tables={
            "grammars": rows,
            "rankings": [row for item in ranked for row in ranking_rows(item)],
            "ndcg": [row for item in ranked for row in curve_rows(item)],
        },
        figures={
            "ndcg.png": partial(
                draw_curves,
                curves=curves,
                thin=[item.curve() for item in ranked],
                title=f"NDCG@k over {len(ranked)} grammars, {feature}",
                ylabel=f"NDCG ({settings.gain} gain)",
            )
        },
        texts=texts,
        notes=[*notes, *_notes(rows, settings)],
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


def _notes(rows: Sequence[dict[str, Any]], settings: Settings) -> list[str]:
    without = [row["grammar"] for row in rows if not np.isfinite(row[f"ndcg_at_{settings.k}"])]
    irrelevant = [row["grammar"] for row in rows if not row["relevant"]]
    ranked, candidates = (sum(row[key] for row in rows) for key in ("ranked", "candidates"))
    notes = []
    if ranked < candidates:
        notes.append(
            f"the retriever kept {ranked} of {candidates} graded paragraphs (retriever.k); the"
            " ideal is that of all"
        )
    if without:
        notes.append(f"no paragraph has a grade above 0, so no NDCG: {', '.join(without)}")
    if irrelevant:
        notes.append(
            f"no paragraph has grade {settings.relevant} or more, so no recall, AP or RR:"
            f" {', '.join(irrelevant)}"
        )
    return notes


def _mean(values: Sequence[float]) -> float:
    defined = [value for value in values if np.isfinite(value)]
    return float(np.mean(defined)) if defined else float("nan")
