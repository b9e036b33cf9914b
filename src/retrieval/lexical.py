"""What retrievers that count terms share: terms, an index that is kept, the k best."""

from __future__ import annotations

from abc import ABC, abstractmethod
from collections.abc import Callable, Hashable, Sequence

import numpy as np

from src.errors import GrambenchError
from src.records import Paragraph, Ranking, Scores, Search
from src.retrieval.terms import get_terms

# From the terms of a query to the score of each indexed paragraph.
Index = Callable[[list[str]], Scores]


def best_first(scores: Scores, k: int) -> Ranking:
    """Return the k best, best first; ties keep the candidate order."""
    pool = np.arange(len(scores))
    if k < len(scores):
        # Sorting only what can be among the k best is what keeps long lists fast.
        least = np.partition(scores, len(scores) - k)[len(scores) - k]
        pool = np.flatnonzero(scores >= least)
    order = pool[np.argsort(-scores[pool], kind="stable")[:k]]
    return Ranking(order, scores[order])


class RecentIndexes:
    """The last few indexes, so that several queries over the same paragraphs index them once.

    Found by equality, not by hash: comparing a list with itself costs next to nothing, hashing
    50,000 texts more than a query. Holds at most ``limit`` paragraphs, or two indexes.
    """

    def __init__(self, limit: int) -> None:
        self.limit = limit
        self._kept: list[tuple[Hashable, Sequence[Paragraph], Index]] = []

    def get(
        self, settings: Hashable, paragraphs: Sequence[Paragraph], build: Callable[[], Index]
    ) -> Index:
        """Return the index of these paragraphs under these settings; build it where new."""
        for place, (kept_settings, kept, index) in enumerate(self._kept):
            if settings == kept_settings and paragraphs == kept:
                self._kept.append(self._kept.pop(place))
                return index
        index = build()
        # A copy, because a list can change; of a tuple this makes none.
        self._kept.append((settings, paragraphs[:], index))
        while len(self._kept) > 2 and sum(len(kept) for _, kept, _ in self._kept) > self.limit:
            self._kept.pop(0)
        return index


# One for the process: the jobs of a sweep each make their own retriever.
_RECENT = RecentIndexes(limit=10_000)


class LexicalRetriever(ABC):
    """Ranks paragraphs by the terms that they share with the query, repeats counted.

    A query without terms, or one that shares none, scores 0 everywhere and so keeps the candidate
    order; a paragraph without terms scores 0.
    """

    def __init__(self, k: int, terms: str, lemmas_model: str, parameters: Hashable) -> None:
        check_k(k)
        self.k = k
        self._terms = get_terms(terms, lemmas_model)
        # All that an index depends on besides the paragraphs.
        self._settings = (type(self), terms, lemmas_model, parameters)

    def rank(self, search: Search, paragraphs: Sequence[Paragraph]) -> Ranking:
        """Rank paragraphs for the query and return the k best."""
        index = _RECENT.get(self._settings, paragraphs, lambda: self._index(paragraphs))
        return best_first(index(self._terms([search.query])[0]), self.k)

    def _index(self, paragraphs: Sequence[Paragraph]) -> Index:
        documents = self._terms([paragraph.text for paragraph in paragraphs])
        if not any(documents):
            return lambda query: np.zeros(len(documents))
        return self.index(documents)

    @abstractmethod
    def index(self, documents: list[list[str]]) -> Index:
        """Index documents, at least one of which has terms."""


def check_k(k: int) -> None:
    """Raise GrambenchError unless k is a whole number above 0."""
    if not isinstance(k, int) or k < 1:
        raise GrambenchError(f"retriever.k is {k}, but must be a whole number above 0.")


def check_parameters(k1: float, b: float, **others: float) -> None:
    """Raise GrambenchError for BM25 parameters that make no sense (NaN scores, negative weights).

    ``k1`` = 0 is refused because rank-bm25 then divides 0 by 0.
    """
    if not k1 > 0:
        raise GrambenchError(f"retriever.k1 is {k1}, but must be above 0.")
    if not 0 <= b <= 1:
        raise GrambenchError(f"retriever.b is {b}, but must be from 0 to 1.")
    for name, value in others.items():
        if not value >= 0:
            raise GrambenchError(f"retriever.{name} is {value}, but must not be below 0.")
