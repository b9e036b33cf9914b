"""No reranking: the order that the retriever gave is kept."""

from __future__ import annotations

from collections.abc import Mapping, Sequence

import numpy as np

from src.records import Paragraph, Scores, Search


class NoReranker:
    """Scores every paragraph 0, so that the stable sort keeps the order."""

    def __init__(
        self,
        name: str = "none",
        inputs: Sequence[str] = (),
        about: Mapping[str, object] | None = None,
    ) -> None:
        self.name = name
        self.inputs = tuple(inputs)

    def score(self, search: Search, paragraphs: Sequence[Paragraph]) -> Scores:
        """Return a zero for each paragraph."""
        return np.zeros(len(paragraphs), dtype=np.float64)
