"""The candidates in the order in which the pack gives them."""

from __future__ import annotations

from collections.abc import Sequence
from pathlib import Path

import numpy as np
import numpy.typing as npt

from src.corpus.pack import Pack, load_pack
from src.errors import GrambenchError
from src.records import Paragraph, Ranking, Search
from src.retrieval.lexical import check_k


class GivenRetriever:
    """Takes the order that the pack recorded; the n-th candidate scores 1 - n.

    Where the pack recorded none for the feature and the grammar, or where the paragraphs are
    graded ones and not the same as those recorded, their own order is kept.
    """

    def __init__(
        self,
        name: str = "given",
        inputs: Sequence[str] = (),
        k: int | None = None,
        pack: Path | str | None = None,
    ) -> None:
        """Keep the first k; None keeps all. Without a pack nothing is recorded."""
        if k is not None:
            check_k(k)
        self.name = name
        self.inputs = tuple(inputs)
        self.k = k
        self.pack = pack

    def rank(self, search: Search, paragraphs: Sequence[Paragraph]) -> Ranking:
        """Return the first k paragraphs, or all.

        Raises:
            GrambenchError: the paragraphs are a whole grammar's, of which nothing is recorded.
        """
        order = self._order(search.feature, paragraphs)[: self.k]
        return Ranking(order, 0.0 - np.arange(len(order), dtype=np.float64))

    def _order(self, feature: str, paragraphs: Sequence[Paragraph]) -> npt.NDArray[np.intp]:
        own = np.arange(len(paragraphs))
        if self.pack is None or not paragraphs:
            return own
        pack, grammar = load_pack(self.pack), paragraphs[0].grammar
        recorded = pack.candidates.get(feature, {}).get(grammar, ())
        places = {paragraph.id: place for place, paragraph in enumerate(paragraphs)}
        found = [places[candidate.id] for candidate in recorded if candidate.id in places]
        graded = _graded(pack, feature, paragraphs)
        if found and len(found) == len(recorded) and (len(found) == len(own) or not graded):
            return np.array(found, dtype=np.intp)
        if pack.is_whole(grammar) and not graded:
            raise GrambenchError(
                f"Pack '{pack.name}' has no recorded candidates of {grammar} for {feature}, so "
                "retriever=given has nothing to give. Choose one that searches, such as bm25s."
            )
        return own


def _graded(pack: Pack, feature: str, paragraphs: Sequence[Paragraph]) -> bool:
    grades = pack.grades.get(feature, {})
    return all(paragraph.id in grades for paragraph in paragraphs)
