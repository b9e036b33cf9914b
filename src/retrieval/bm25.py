"""BM25 as in the paper (Trotman et al. 2014): rank-bm25's BM25Okapi."""

from __future__ import annotations

from collections.abc import Sequence
from pathlib import Path

import numpy as np

from src.records import Scores
from src.retrieval.documents import Documents
from src.retrieval.lexical import Index, LexicalRetriever, check_parameters

# About what rank-bm25's dictionaries take, with their strings.
_BYTES_A_TERM, _BYTES_A_COUNT = 150, 24


class BM25Retriever(LexicalRetriever):
    """BM25Okapi of rank-bm25; the idf of terms in more than half of the paragraphs, which would be
    negative, is ``epsilon`` times the mean idf.
    """

    def __init__(
        self,
        name: str = "bm25",
        inputs: Sequence[str] = ("query",),
        k: int = 50,
        terms: str = "words",
        lemmas_model: str = "en_core_web_sm",
        k1: float = 1.5,
        b: float = 0.75,
        epsilon: float = 0.25,
        indexes: Path | str | None = None,
    ) -> None:
        check_parameters(k1, b, epsilon=epsilon)
        super().__init__(k, terms, lemmas_model, (k1, b, epsilon), indexes)
        self.name = name
        self.inputs = tuple(inputs)
        self.k1 = k1
        self.b = b
        self.epsilon = epsilon

    def index(self, documents: Documents) -> Index:
        """Index with rank-bm25."""
        from rank_bm25 import BM25Okapi

        engine = BM25Okapi(documents.lists, k1=self.k1, b=self.b, epsilon=self.epsilon)

        def scores(query: list[str]) -> Scores:
            # With b = 1 a paragraph without terms is 0 / 0 in every term: it has none of them.
            with np.errstate(invalid="ignore"):
                result: Scores = np.nan_to_num(engine.get_scores(query), nan=0.0)
            return result

        terms = sum(map(len, engine.doc_freqs))
        return Index(scores, _BYTES_A_TERM * len(engine.idf) + _BYTES_A_COUNT * terms)
