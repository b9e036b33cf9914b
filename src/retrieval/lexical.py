"""What retrievers that count terms share: terms, an index that is kept, the k best."""

from __future__ import annotations

from abc import ABC, abstractmethod
from collections.abc import Callable, Hashable, Sequence
from dataclasses import dataclass
from pathlib import Path

import numpy as np

from src.errors import GrambenchError
from src.records import Paragraph, Ranking, Scores, Search
from src.retrieval.documents import Documents
from src.retrieval.recent_indexes import RECENT
from src.retrieval.term_store import TermStore
from src.retrieval.terms import get_terms


@dataclass(frozen=True)
class Index:
    """``scores`` gives each indexed paragraph's score for the terms of a query."""

    scores: Callable[[list[str]], Scores]
    nbytes: int


def best_first(scores: Scores, k: int) -> Ranking:
    """Return the k best, best first; ties keep the candidate order."""
    pool = np.arange(len(scores))
    if k < len(scores):
        # Sorting only what can be among the k best is what keeps long lists fast.
        least = np.partition(scores, len(scores) - k)[len(scores) - k]
        pool = np.flatnonzero(scores >= least)
    order = pool[np.argsort(-scores[pool], kind="stable")[:k]]
    return Ranking(order, scores[order])


class LexicalRetriever(ABC):
    """Ranks paragraphs by the terms that they share with the query, repeats counted.

    The terms of long lists of paragraphs, such as whole grammars, are kept under ``indexes``.

    A query without terms, or one that shares none, scores 0 everywhere and so keeps the candidate
    order; a paragraph without terms scores 0.
    """

    def __init__(
        self,
        k: int,
        terms: str,
        lemmas_model: str,
        parameters: Hashable,
        indexes: Path | str | None,
    ) -> None:
        check_k(k)
        self.k = k
        self.indexes = indexes
        self._terms = get_terms(terms, lemmas_model)
        self._store = TermStore(None if indexes is None else Path(indexes), terms, lemmas_model)
        # All that an index depends on besides the paragraphs.
        self._settings = (type(self), terms, lemmas_model, parameters)

    def rank(self, search: Search, paragraphs: Sequence[Paragraph]) -> Ranking:
        """Rank paragraphs for the query and return the k best."""
        index = RECENT.get(self._settings, paragraphs, lambda: self._index(paragraphs))
        return best_first(index.scores(self._terms([search.query])[0]), self.k)

    def _index(self, paragraphs: Sequence[Paragraph]) -> Index:
        documents = self._store.get(paragraphs)
        if not documents.any():
            return Index(lambda query: np.zeros(len(documents)), 0)
        return self.index(documents)

    @abstractmethod
    def index(self, documents: Documents) -> Index:
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
