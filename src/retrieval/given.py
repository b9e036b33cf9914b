"""The candidates in the order in which the pack gives them."""

from __future__ import annotations

from collections.abc import Sequence

import numpy as np

from src.records import Paragraph, Ranking, Search
from src.retrieval.lexical import check_k


class GivenRetriever:
    """Keeps the candidate order; the n-th candidate scores 1 - n."""

    def __init__(
        self, name: str = "given", inputs: Sequence[str] = (), k: int | None = None
    ) -> None:
        """Keep the first k; None keeps all."""
        if k is not None:
            check_k(k)
        self.name = name
        self.inputs = tuple(inputs)
        self.k = k

    def rank(self, search: Search, paragraphs: Sequence[Paragraph]) -> Ranking:
        """Return the first k paragraphs, or all."""
        order = np.arange(len(paragraphs))[: self.k]
        return Ranking(order, 0.0 - order.astype(np.float64))
