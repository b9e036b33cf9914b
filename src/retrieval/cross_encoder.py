"""Rerankers that read query and paragraph together; nothing of theirs can be cached."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import Protocol

import numpy as np
import numpy.typing as npt

from src.errors import GrambenchError, suggest
from src.records import Paragraph, Scores, Search
from src.retrieval.batches import check_batch_size, progress, run_batches
from src.retrieval.devices import pick_device, pick_dtype
from src.retrieval.models import find_model, require_on_hub
from src.retrieval.shared import Recent
from src.retrieval.specs import Pair, PairSpec, check_card, check_remote_code
from src.retrieval.templates import Templates

SCORERS = ("classifier", "yes_no")


class PairScorer(Protocol):
    """A loaded model."""

    def score(self, pairs: Sequence[Pair]) -> npt.NDArray[np.float32]:
        """Return a number for each (query, document) of a batch: the higher, the more relevant."""


_SCORERS: Recent[PairScorer] = Recent(1)


class CrossEncoderReranker:
    """Scores each paragraph by reading it together with the query.

    ``scorer`` is ``classifier`` for a model with a score of its own, ``yes_no`` for a language
    model that is asked whether the paragraph fits. Scores are the model's raw ones (logits,
    log-odds): squeezed between 0 and 1, the best would tie.
    """

    def __init__(
        self,
        *,
        name: str,
        inputs: Sequence[str],
        model: str,
        revision: str,
        max_tokens: int,
        query_template: str,
        query_template_without_instruct: str,
        document_template: str,
        suffix: str = "",
        scorer: str = "classifier",
        dtype: str = "float32",
        padding_side: str = "right",
        remote_code: bool = False,
        allow_remote_code: bool = False,
        device: str = "auto",
        batch_size: int = 32,
        about: Mapping[str, object] | None = None,
    ) -> None:
        """Take a model card; ``suffix`` follows each pair and is never cut off (yes_no only)."""
        self.name = name
        self.inputs = tuple(inputs)
        self.templates = Templates(
            query_template, query_template_without_instruct, document_template
        )
        self.templates.check_inputs(name, inputs)
        check_remote_code(name, remote_code, allow_remote_code)
        check_card(name, max_tokens, padding_side)
        if scorer not in SCORERS:
            raise GrambenchError(
                f"Reranker '{name}': scorer '{scorer}' is unknown; write {' or '.join(SCORERS)}."
                f"{suggest(scorer, SCORERS)}"
            )
        self.pairs_scored = 0
        self._model, self._revision, self._scorer = model, str(revision), scorer
        self._max_tokens, self._dtype, self._padding_side = max_tokens, dtype, padding_side
        self._remote_code, self._device, self._suffix = remote_code, device, suffix
        self._batch_size = check_batch_size(batch_size)
        self._spec: PairSpec | None = None

    def score(self, search: Search, paragraphs: Sequence[Paragraph]) -> Scores:
        """Return the model's raw scores.

        Raises:
            GrambenchError: the model cannot be found, loaded or run.
        """
        if not paragraphs:
            return np.zeros(0, dtype=np.float64)
        spec = self._pair_spec()
        query = self.templates.query_text(search)
        names: dict[str, str] = {}
        for paragraph in paragraphs:
            names.setdefault(paragraph.text, f"paragraph {paragraph.id}")
        pairs = [(query, self.templates.document_text(text)) for text in names]
        lengths = [len(document) for _, document in pairs]
        scorer = _SCORERS.get(spec, lambda: load_scorer(spec))
        with progress(len(pairs)) as bar:
            rows = run_batches(
                scorer.score, pairs, lengths, list(names.values()), self._batch_size, bar.update
            )
        self.pairs_scored += len(pairs)
        found = dict(zip(names, rows.astype(np.float64).tolist(), strict=True))
        return np.array([found[paragraph.text] for paragraph in paragraphs], dtype=np.float64)

    def _pair_spec(self) -> PairSpec:
        if self._spec is None:
            device = pick_device(self._device)
            self._spec = PairSpec(
                model=find_model(self._model, self._revision),
                scorer=self._scorer,
                max_tokens=self._max_tokens,
                dtype=pick_dtype(self._dtype, device),
                padding_side=self._padding_side,
                remote_code=self._remote_code,
                device=device,
                suffix=self._suffix,
            )
        return self._spec


def load_scorer(spec: PairSpec) -> PairScorer:
    """Load a model; raise GrambenchError that says what to do where that fails."""
    require_on_hub(spec.model)
    from src.retrieval import pair_scorers

    if spec.scorer == "yes_no":
        return pair_scorers.YesNo(spec)
    return pair_scorers.Classifier(spec)
