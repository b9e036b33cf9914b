"""BM25 in a sparse matrix that is weighted once and queried by bm25s."""

from __future__ import annotations

import math
from collections.abc import Callable, Sequence
from pathlib import Path

import numpy as np
import numpy.typing as npt

from src.errors import GrambenchError, suggest
from src.records import Scores
from src.retrieval.documents import Documents, Ints
from src.retrieval.lexical import Index, LexicalRetriever, check_parameters

VARIANTS = ("okapi", "lucene", "bm25plus")

Floats = npt.NDArray[np.float64]
# About what a term takes in the vocabulary, as a string and in a dictionary.
_BYTES_A_TERM = 150


class BM25sRetriever(LexicalRetriever):
    """BM25 through bm25s, in double precision.

    - ``okapi``: the same as rank-bm25's BM25Okapi to the last bit, ties included; ``epsilon``
      weights the terms in more than half of the paragraphs.
    - ``lucene``: Lucene's idf, which is never negative.
    - ``bm25plus``: BM25+ (Lv and Zhai 2011): each term that a paragraph has counts for at least
      ``delta`` times its idf. (rank-bm25 and bm25s add that to paragraphs without the term as
      well, so that delta moves all scores alike and no rank.)
    """

    def __init__(
        self,
        name: str = "bm25s",
        inputs: Sequence[str] = ("query",),
        k: int = 50,
        terms: str = "words",
        lemmas_model: str = "en_core_web_sm",
        variant: str = "okapi",
        k1: float = 1.5,
        b: float = 0.75,
        epsilon: float = 0.25,
        delta: float = 1.0,
        indexes: Path | str | None = None,
    ) -> None:
        if variant not in VARIANTS:
            raise GrambenchError(
                f"retriever.variant is '{variant}', but must be one of: {', '.join(VARIANTS)}."
                f"{suggest(variant, VARIANTS)}"
            )
        check_parameters(k1, b, epsilon=epsilon, delta=delta)
        super().__init__(k, terms, lemmas_model, (variant, k1, b, epsilon, delta), indexes)
        self.name = name
        self.inputs = tuple(inputs)
        self.variant = variant
        self.k1 = k1
        self.b = b
        self.epsilon = epsilon
        self.delta = delta

    def index(self, documents: Documents) -> Index:
        """Weight every term of every document once, in the layout that bm25s reads."""
        import bm25s

        counted = documents.counted
        frequencies, places = counted.frequencies, counted.places
        weights = np.repeat(self._idf(frequencies, len(documents)), frequencies)
        weights *= self._saturation(counted.counts, counted.lengths, places)
        engine = bm25s.BM25(dtype="float64", backend="numpy")
        engine.nonoccurrence_array = None
        engine.vocab_dict = dict(zip(counted.vocabulary, range(len(frequencies)), strict=True))
        engine.scores = {
            "data": weights,
            # 64 bits wide: numpy converts narrower ones anew in every query.
            "indices": places,
            "indptr": np.concatenate(([0], np.cumsum(frequencies))),
            "num_docs": len(documents),
        }

        def scores(query: list[str]) -> Scores:
            result: Scores = engine.get_scores_from_ids(engine.get_tokens_ids(query))
            return result

        return Index(scores, weights.nbytes + places.nbytes + _BYTES_A_TERM * len(frequencies))

    def _saturation(self, counts: Ints, lengths: Ints, places: Ints) -> Floats:
        """Return what each count of a term in a document is worth before its idf."""
        # Operation by operation as in rank-bm25: any other order of them rounds differently.
        norms = self.k1 * (1 - self.b + self.b * lengths / (int(lengths.sum()) / len(lengths)))
        if self.variant == "lucene":
            return counts / (counts + norms[places])
        share = counts * (self.k1 + 1) / (counts + norms[places])
        return share + self.delta if self.variant == "bm25plus" else share

    def _idf(self, frequencies: Ints, n: int) -> Floats:
        """Return each term's idf, from the number of documents (of n) that have it."""
        if self.variant == "lucene":
            return _by_value(frequencies, lambda df: math.log(1 + (n - df + 0.5) / (df + 0.5)))
        if self.variant == "bm25plus":
            return _by_value(frequencies, lambda df: math.log((n + 1) / df))
        idf = _by_value(frequencies, lambda df: math.log(n - df + 0.5) - math.log(df + 0.5))
        # A running sum, because rank-bm25 adds one by one: np.sum adds in pairs.
        mean = np.cumsum(idf)[-1] / len(idf)
        return np.where(idf < 0, self.epsilon * mean, idf)


def _by_value(frequencies: Ints, weigh: Callable[[int], float]) -> Floats:
    """Apply a function once to each distinct value."""
    values, where = np.unique(frequencies, return_inverse=True)
    # math.log, as in rank-bm25: numpy's may differ from it in the last bit.
    return np.array([weigh(int(value)) for value in values])[where]
