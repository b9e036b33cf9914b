"""The paragraphs that stand on the gold pages: what a perfect retriever of pages would find."""

from __future__ import annotations

from collections.abc import Sequence
from pathlib import Path

import numpy as np

from src.corpus.pack import load_pack
from src.errors import GrambenchError
from src.records import Paragraph, Ranking, Search
from src.retrieval.lexical import check_k


class OracleRetriever:
    """Finds the paragraphs that share a page with the gold pages, in the book's order.

    All score 1. Where the gold pages are known to be none, nothing is found.
    """

    def __init__(
        self,
        name: str = "oracle",
        inputs: Sequence[str] = (),
        k: int | None = None,
        pack: Path | str = "",
    ) -> None:
        """Keep the first k; None keeps all."""
        if k is not None:
            check_k(k)
        self.name = name
        self.inputs = tuple(inputs)
        self.k = k
        self.pack = pack

    def rank(self, search: Search, paragraphs: Sequence[Paragraph]) -> Ranking:
        """Return the gold pages' paragraphs; without known gold pages it is a GrambenchError."""
        if not paragraphs:
            return Ranking(np.zeros(0, dtype=np.intp), np.zeros(0, dtype=np.float64))
        pack, grammar = load_pack(self.pack), paragraphs[0].grammar
        gold_pages = pack.gold_pages(search.feature)
        if grammar not in gold_pages:
            raise GrambenchError(
                f"Pack '{pack.name}' does not say on which pages {grammar} describes "
                f"{search.feature}, so retriever=oracle cannot know. Add a row to gold_pages.csv, "
                "or choose another retriever."
            )
        gold = frozenset(gold_pages[grammar])
        found = [
            i for i, paragraph in enumerate(paragraphs) if not gold.isdisjoint(paragraph.pages)
        ]
        order = np.array(found[: self.k], dtype=np.intp)
        return Ranking(order, np.ones(len(order), dtype=np.float64))
