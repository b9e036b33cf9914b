"""Are the pages found on which a grammar describes a feature, and how much text does that cost?"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import replace
from functools import partial
from typing import Any

import numpy as np
from omegaconf import DictConfig

from src.corpus.pack import Pack, load_pack
from src.metrics.uncertainty import bootstrap_interval, paired_permutation_p
from src.models.tokens import CountTokens, token_counter
from src.records import Result, Search
from src.tasks.components import Reranker, Retriever, build, build_search
from src.tasks.figures import draw_curves
from src.tasks.gold import sought
from src.tasks.macroareas import macroarea_metrics, macroarea_rows
from src.tasks.paged import Curve, Paged, Settings, curve_rows, grammar_row, ranking_rows
from src.tasks.searching import Found, asked, search_grammars, unranked_notes, usage

_MEASURES = ("_at_", "characters_to_", "reachable")


def run(cfg: DictConfig) -> Result:
    """Run the task that a composed config describes."""
    pack = load_pack(cfg.data.path)
    settings = Settings(
        k=cfg.task.k,
        cutoffs=tuple(cfg.task.cutoffs),
        confidence=cfg.task.confidence,
        resamples=cfg.task.resamples,
        seed=cfg.seed,
    )
    return retrieve(
        pack,
        build_search(cfg, pack),
        build(cfg.retriever),
        build(cfg.reranker),
        settings,
        token_counter(cfg.task.tokenizer.model, cfg.task.tokenizer.revision),
        passed_on=cfg.rerank.k,
        limit=cfg.limit,
    )


def retrieve(
    pack: Pack,
    search: Search,
    retriever: Retriever,
    reranker: Reranker,
    settings: Settings,
    count_tokens: CountTokens,
    *,
    passed_on: int | None = None,
    limit: int | None = None,
) -> Result:
    """Search every grammar with gold pages for the feature, and judge what is found by them.

    The retriever searches the whole grammar where the pack has it, else the candidates that the
    pack records. Its best are reranked and the first ``passed_on`` of them judged; without it all.
    Cut-offs beyond that are left out.

    Raises:
        GrambenchError: the pack has no gold pages for the feature, or none that can be found, or a
            component cannot do its part.
    """
    chosen = sought(pack, search.feature, limit)
    found = search_grammars(chosen.pools, search, retriever, reranker, passed_on)
    within, notes = _within(settings, passed_on)
    length = max(*within.cutoffs, *(item.ranking.order.size for item in found))
    areas = {grammar.id: grammar.macroarea for grammar in pack.grammars}
    items = [
        Paged(
            item,
            chosen.gold[item.grammar],
            areas[item.grammar],
            count_tokens([paragraph.text for paragraph in item.paragraphs]),
            length,
            within,
        )
        for item in found
    ]
    return _judge(
        search.feature,
        items,
        texts=asked(search, retriever, reranker),
        used=usage(retriever, reranker),
        notes=[
            *chosen.notes,
            *notes,
            *unranked_notes(found),
            *_pool_notes(pack, found),
            *_short_notes(found, within),
        ],
    )


def _within(settings: Settings, passed_on: int | None) -> tuple[Settings, list[str]]:
    """Leave out the cut-offs beyond what is passed on: their figures would be those before."""
    wanted = sorted({*settings.cutoffs, settings.k})
    most = passed_on or max(wanted)
    k = min(settings.k, most)
    said = f"{passed_on} paragraphs are passed on (rerank.k), so figures are at {k}, not at"
    notes = [f"{said} {settings.k}"] if k < settings.k else []
    within = sorted({k, *(cut for cut in wanted if cut <= most)})
    return replace(settings, k=k, cutoffs=tuple(within)), notes


def _judge(
    feature: str,
    items: Sequence[Paged],
    *,
    texts: Mapping[str, str],
    used: Mapping[str, float],
    notes: Sequence[str],
) -> Result:
    rows = [grammar_row(item) for item in items]
    reordered = any(item.reordered for item in items)
    curves = _curves(items, reordered)
    settings = items[0].settings
    name, last = (f"page_recall_at_{k}" for k in (settings.k, max(settings.cutoffs)))
    at = [f"page_recall_at_{k}" for k in settings.cutoffs]
    areas = macroarea_rows(rows, [*at, f"chance/{name}", "reachable"])
    return Result(
        metrics={**_metrics(rows, settings, reordered), **macroarea_metrics(areas, name), **used},
        curves={"page_recall": curves["this run"].tolist()},
        tables={
            "grammars": rows,
            **({"macroareas": areas} if areas else {}),
            "rankings": [row for item in items for row in ranking_rows(item)],
            "page_recall": [row for item in items for row in curve_rows(item)],
        },
        figures={
            "page_recall.png": partial(
                draw_curves,
                curves=curves,
                thin=[item.curve() for item in items],
                title=f"Gold pages among the first k paragraphs, {len(rows)} grammars, {feature}",
                ylabel="page recall",
            )
        },
        texts=texts,
        notes=notes,
        headline=(
            *(name, f"{name}_low", f"{name}_high", f"{name}_gain", f"{name}_gain_p"),
            *(f"chance/{name}", *([last] if last != name else [])),
            *("reachable", f"page_rr_at_{settings.k}"),
            *(f"characters_at_{settings.k}", "grammars"),
        ),
    )


def _curves(items: Sequence[Paged], reordered: bool) -> dict[str, Curve]:
    curves = {
        "this run": _mean_curve([item.curve() for item in items]),
        "chance": _mean_curve([item.chance_curve() for item in items]),
    }
    if reordered:
        curves["before reranking"] = _mean_curve([item.retriever_curve() for item in items])
    return curves


def _metrics(
    rows: Sequence[Mapping[str, Any]], settings: Settings, reordered: bool
) -> dict[str, float]:
    """Means over grammars with an interval, and a test where there is something to test."""
    name = f"page_recall_at_{settings.k}"
    means = {key: _mean(rows, key) for key in rows[0] if any(part in key for part in _MEASURES)}
    interval = bootstrap_interval(
        [row[name] for row in rows],
        confidence=settings.confidence,
        resamples=settings.resamples,
        seed=settings.seed,
    )
    metrics = {
        name: means.pop(name),
        f"{name}_low": interval.low,
        f"{name}_high": interval.high,
        "grammars": len(rows),
        "grammars_with_first_page": _defined(rows, "characters_to_first_page"),
        "grammars_with_all_pages": _defined(rows, "characters_to_all_pages"),
        **means,
    }
    if reordered:
        differences = [row[name] - row[f"retriever/{name}"] for row in rows]
        test = paired_permutation_p(differences, seed=settings.seed)
        metrics |= {f"{name}_gain": test.difference, f"{name}_gain_p": test.p}
    return metrics


def _pool_notes(pack: Pack, found: Sequence[Found]) -> list[str]:
    """Say what was searched, where that is less than whole grammars with pages."""
    parts = [len(item.pool) for item in found if not pack.is_whole(item.grammar)]
    pool = [paragraph for item in found for paragraph in item.pool]
    without = sum(not paragraph.pages for paragraph in pool)
    notes = []
    if parts:
        size = f"{min(parts)} to {max(parts)}" if min(parts) < max(parts) else str(parts[0])
        notes.append(
            f"of {len(parts)} of {len(found)} grammars only the recorded candidates are searched,"
            f" {size} paragraphs each, not the whole text"
        )
    if without:
        notes.append(
            f"{without} of {len(pool)} paragraphs know no page, so they count as on no gold page"
        )
    return notes


def _short_notes(found: Sequence[Found], settings: Settings) -> list[str]:
    """Say where the retriever kept less than there is and less than is judged."""
    kept = [(item.retrieved.order.size, len(item.pool)) for item in found]
    most = max(settings.cutoffs)
    short = [number for number, there in kept if number < min(most, there)]
    if not short:
        return []
    few = f"{min(short)} to {max(short)}" if min(short) < max(short) else str(short[0])
    return [
        f"the retriever kept only {few} paragraphs in {len(short)} of {len(found)} grammars, so"
        f" figures beyond, up to those at {most}, are those of what it kept"
    ]


def _mean_curve(curves: Sequence[Curve]) -> Curve:
    mean: Curve = np.mean(curves, axis=0)
    return mean


def _defined(rows: Sequence[Mapping[str, Any]], key: str) -> int:
    return sum(bool(np.isfinite(row[key])) for row in rows)


def _mean(rows: Sequence[Mapping[str, Any]], key: str) -> float:
    defined = [row[key] for row in rows if np.isfinite(row[key])]
    return float(np.mean(defined)) if defined else float("nan")
