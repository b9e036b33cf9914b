"""Several retrievers in one: reciprocal-rank fusion (Cormack, Clarke and Büttcher 2009)."""

from __future__ import annotations

import math
from collections.abc import Mapping, Sequence
from typing import Any, Protocol

import numpy as np

from src.errors import GrambenchError, suggest
from src.records import Paragraph, Ranking, Search
from src.retrieval.lexical import LexicalRetriever, best_first, check_k
from src.retrieval.templates import Templates


class Part(Protocol):
    """A retriever; it may have ``prepare`` and counters as an embedding reranker has."""

    def rank(self, search: Search, paragraphs: Sequence[Paragraph]) -> Ranking:
        """Return the best paragraphs first."""


class HybridRetriever:
    """Scores a paragraph by its ranks in the lists of its parts, whatever their scores.

    A part adds weight / (rank_constant + rank), ranks counting from 1, for the paragraphs that it
    ranks, its own ``k`` of them at most; what no part ranks is not found. A part that ``weights``
    does not name weighs 1; one that weighs 0 is not asked.
    """

    def __init__(
        self,
        parts: Mapping[str, Part],
        name: str = "hybrid",
        inputs: Sequence[str] | None = None,
        k: int = 50,
        rank_constant: float = 60,
        weights: Mapping[str, float] | None = None,
    ) -> None:
        check_k(k)
        _check(parts, rank_constant, weights or {})
        self.name = name
        self.inputs = None if inputs is None else tuple(inputs)
        self.k = k
        self.rank_constant = rank_constant
        self.weights = {part: (weights or {}).get(part, 1.0) for part in parts}
        self.parts = {name: part for name, part in parts.items() if self.weights[name] > 0}

    def prepare(self, paragraphs: Sequence[Paragraph]) -> None:
        """Let the parts that encode do it for all the paragraphs of a run at once."""
        for part in self.parts.values():
            if hasattr(part, "prepare"):
                part.prepare(paragraphs)

    def rank(self, search: Search, paragraphs: Sequence[Paragraph]) -> Ranking:
        """Return the k best of what the parts find, best first; ties keep the candidate order."""
        fused = np.zeros(len(paragraphs), dtype=np.float64)
        found = np.zeros(len(paragraphs), dtype=np.bool_)
        for name, part in self.parts.items():
            ranking = part.rank(search, paragraphs)
            order = ranking.order
            if isinstance(part, LexicalRetriever):
                # Without a term of the query a paragraph is not found, whatever its place.
                order = order[ranking.scores != 0]
            fused[order] += self.weights[name] / (self.rank_constant + np.arange(len(order)) + 1)
            found[order] = True
        pool = np.flatnonzero(found)
        best = best_first(fused[pool], self.k)
        return Ranking(pool[best.order], best.scores)

    @property
    def templates(self) -> Templates | None:
        """What queries are sent as by the first part that sends them to a model, if any does."""
        sent = (getattr(part, "templates", None) for part in self.parts.values())
        return next((templates for templates in sent if templates is not None), None)

    @property
    def documents_encoded(self) -> int:
        """How many paragraphs the parts had to encode."""
        return self._sum("documents_encoded")

    @property
    def queries_encoded(self) -> int:
        """How many queries the parts had to encode."""
        return self._sum("queries_encoded")

    def _sum(self, counter: str) -> int:
        return sum(int(getattr(part, counter, 0)) for part in self.parts.values())


def _check(parts: Mapping[str, Any], rank_constant: float, weights: Mapping[str, float]) -> None:
    if not parts:
        raise GrambenchError(
            "retriever.parts is empty; name the retrievers to fuse, such as "
            "'retriever@retriever.parts.lexical=bm25s'."
        )
    if not (rank_constant >= 0 and math.isfinite(rank_constant)):
        raise GrambenchError(f"retriever.rank_constant is {rank_constant}, but must be 0 or more.")
    for name, weight in weights.items():
        if name not in parts:
            raise GrambenchError(
                f"retriever.weights names '{name}', which is none of the parts: {', '.join(parts)}."
                f"{suggest(name, parts)} Leave out the weights of parts that you left out."
            )
        if not (weight >= 0 and math.isfinite(weight)):
            raise GrambenchError(f"retriever.weights.{name} is {weight}, but must be 0 or more.")
    if not any(weights.get(name, 1) for name in parts):
        raise GrambenchError("retriever.weights are all 0; let at least one part count.")
