"""No retrieval: the baseline without a grammar."""

from __future__ import annotations

from collections.abc import Sequence

import numpy as np

from src.records import Paragraph, Ranking, Search
from src.retrieval.lexical import check_k


class NoRetriever:
    """Retrieves nothing; ``k`` is there so that sweeps over retrievers may set it."""

    def __init__(
        self, name: str = "none", inputs: Sequence[str] = (), k: int | None = None
    ) -> None:
        if k is not None:
            check_k(k)
        self.name = name
        self.inputs = tuple(inputs)
        self.k = k

    def rank(self, search: Search, paragraphs: Sequence[Paragraph]) -> Ranking:
        """Return an empty ranking."""
        return Ranking(np.zeros(0, dtype=np.intp), np.zeros(0, dtype=np.float64))
