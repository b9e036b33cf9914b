"""What was found in a grammar, and how it is judged by the gold pages."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass, field
from typing import Any

import numpy as np
import numpy.typing as npt

from src.metrics import page_level as measure
from src.tasks.searching import Found

Curve = npt.NDArray[np.float64]


@dataclass(frozen=True)
class Settings:
    """How a search is judged; ``k`` is the cut-off that is reported first."""

    k: int
    cutoffs: Sequence[int]
    confidence: float
    resamples: int
    seed: int


@dataclass(frozen=True)
class Paged:
    """A grammar's paragraphs that were found, with the pages that were to be found.

    ``tokens`` are those of each of the paragraphs; curves are ``length`` long.
    """

    found: Found
    gold: Sequence[int]
    macroarea: str
    tokens: Sequence[int]
    length: int
    settings: Settings = field(repr=False)

    @property
    def pages(self) -> list[tuple[int, ...]]:
        """The pages of the paragraphs, best first."""
        return [paragraph.pages for paragraph in self.found.paragraphs]

    @property
    def pool_pages(self) -> list[tuple[int, ...]]:
        """The pages of all paragraphs that there were to find."""
        return [paragraph.pages for paragraph in self.found.pool]

    @property
    def characters(self) -> list[int]:
        """The lengths of the paragraphs, best first."""
        return [len(paragraph.text) for paragraph in self.found.paragraphs]

    @property
    def reordered(self) -> bool:
        """Whether the order is another than the retriever's."""
        order = self.found.ranking.order
        return not np.array_equal(order, self.found.retrieved.order[: len(order)])

    def curve(self) -> Curve:
        """Page recall at k."""
        return measure.page_recall_curve(self.pages, self.gold, self.length)

    def retriever_curve(self) -> Curve:
        """Page recall at k of the retriever's own order."""
        pages = [self.found.pool[position].pages for position in self.found.retrieved.order]
        return measure.page_recall_curve(pages, self.gold, self.length)

    def chance_curve(self) -> Curve:
        """Page recall at k to be expected of a random order of the pool."""
        return measure.expected_page_recall_curve(self.pool_pages, self.gold, self.length)


def grammar_row(item: Paged) -> dict[str, Any]:
    """Return a grammar's figures; what is undefined is NaN."""
    pages, gold, characters = item.pages, item.gold, item.characters
    curve, before, chance = item.curve(), item.retriever_curve(), item.chance_curve()
    k, cutoffs = item.settings.k, item.settings.cutoffs
    return {
        "grammar": item.found.grammar,
        "macroarea": item.macroarea,
        "gold_pages": len(gold),
        "pool": len(item.found.pool),
        "ranked": len(pages),
        "reachable": measure.reachable(item.pool_pages, gold),
        **{f"page_recall_at_{cut}": float(curve[cut - 1]) for cut in cutoffs},
        f"page_rr_at_{k}": measure.page_reciprocal_rank_at(pages, gold, k),
        **{f"page_hit_at_{cut}": measure.page_hit_at(pages, gold, cut) for cut in cutoffs},
        **{f"page_precision_at_{c}": measure.page_precision_at(pages, gold, c) for c in cutoffs},
        **{f"characters_at_{cut}": measure.cost_at(characters, cut) for cut in cutoffs},
        **{f"tokens_at_{cut}": measure.cost_at(item.tokens, cut) for cut in cutoffs},
        "characters_to_first_page": measure.cost_until_first(pages, gold, characters),
        "characters_to_all_pages": measure.cost_until_all(pages, gold, characters),
        f"retriever/page_recall_at_{k}": float(before[k - 1]),
        **{f"chance/page_recall_at_{cut}": float(chance[cut - 1]) for cut in cutoffs},
    }


def ranking_rows(item: Paged) -> list[dict[str, Any]]:
    """Return a row a paragraph that is passed on; ranks count from 1."""
    first, last = item.found.retrieved, item.found.ranking
    before = {int(position): place for place, position in enumerate(first.order)}
    gold = measure.on_gold(item.pages, item.gold)
    return [
        {
            "grammar": item.found.grammar,
            "rank": rank + 1,
            "paragraph": paragraph.id,
            "retriever_rank": before[int(last.order[rank])] + 1,
            "retriever_score": float(first.scores[before[int(last.order[rank])]]),
            "score": float(last.scores[rank]),
            "pages": list(paragraph.pages),
            "gold": bool(gold[rank]),
            "characters": len(paragraph.text),
            "tokens": item.tokens[rank],
            "section": paragraph.section,
        }
        for rank, paragraph in enumerate(item.found.paragraphs)
    ]


def curve_rows(item: Paged) -> list[dict[str, Any]]:
    """Return page recall, a row a k."""
    return [
        {"grammar": item.found.grammar, "k": k, "page_recall": float(value)}
        for k, value in enumerate(item.curve(), 1)
    ]
