"""Rerankers that read query and paragraph together; nothing of theirs can be cached."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass, field
from functools import cached_property
from typing import Protocol

import numpy as np
import numpy.typing as npt

from src.errors import GrambenchError, suggest
from src.models.hub import require_on_hub
from src.records import Paragraph, Scores, Search
from src.retrieval.batches import progress, run_batches
from src.retrieval.cards import Card
from src.retrieval.shared import loaded
from src.retrieval.specs import Pair, PairSpec

SCORERS = ("classifier", "yes_no")


class PairScorer(Protocol):
    """A loaded model."""

    def score(self, pairs: Sequence[Pair]) -> npt.NDArray[np.float32]:
        """Return a number for each (query, document) of a batch: the higher, the more relevant."""


@dataclass(kw_only=True, eq=False)
class CrossEncoderReranker(Card):
    """Scores each paragraph by reading it together with the query.

    ``scorer`` is ``classifier`` for a model with a score of its own, ``yes_no`` for a language
    model that is asked whether the paragraph fits; then ``suffix`` follows each pair and is never
    cut off. Scores are the model's raw ones (logits, log-odds): squeezed between 0 and 1, the best
    would tie. ``pairs_scored`` counts what was computed.
    """

    scorer: str = "classifier"
    suffix: str = ""
    pairs_scored: int = field(default=0, init=False)

    def __post_init__(self) -> None:
        """Check the card."""
        super().__post_init__()
        if self.scorer not in SCORERS:
            raise GrambenchError(
                f"Reranker '{self.name}': scorer '{self.scorer}' is unknown; write "
                f"{' or '.join(SCORERS)}.{suggest(self.scorer, SCORERS)}"
            )

    def score(self, search: Search, paragraphs: Sequence[Paragraph]) -> Scores:
        """Return the model's raw scores.

        Raises:
            GrambenchError: the model cannot be found, loaded or run.
        """
        if not paragraphs:
            return np.zeros(0, dtype=np.float64)
        query = self.templates.query_text(search)
        names: dict[str, str] = {}
        for paragraph in paragraphs:
            names.setdefault(paragraph.text, f"paragraph {paragraph.id}")
        pairs = [(query, self.templates.document_text(text)) for text in names]
        lengths = [len(document) for _, document in pairs]
        spec = self._spec
        with loaded(spec, lambda: load_scorer(spec)) as scorer, progress(len(pairs)) as bar:
            rows = run_batches(
                scorer.score, pairs, lengths, list(names.values()), self.batch_size, bar.update
            )
        self.pairs_scored += len(pairs)
        found = dict(zip(names, rows.astype(np.float64).tolist(), strict=True))
        return np.array([found[paragraph.text] for paragraph in paragraphs], dtype=np.float64)

    @cached_property
    def _spec(self) -> PairSpec:
        return PairSpec(**self.settled(), scorer=self.scorer, suffix=self.suffix)


def load_scorer(spec: PairSpec) -> PairScorer:
    """Load a model; raise GrambenchError that says what to do where that fails."""
    require_on_hub(spec.model)
    from src.retrieval import pair_scorers

    if spec.scorer == "yes_no":
        return pair_scorers.YesNo(spec)
    return pair_scorers.Classifier(spec)
