"""Models that score a query and a document together, through PyTorch."""

from __future__ import annotations

from collections.abc import Sequence
from typing import TYPE_CHECKING, Any

import numpy as np
import numpy.typing as npt

from src.errors import GrambenchError
from src.retrieval.sentence import explained

if TYPE_CHECKING:
    from src.retrieval.specs import Pair, PairSpec


class Classifier:
    """A sequence classifier with one label, through sentence-transformers."""

    def __init__(self, spec: PairSpec) -> None:
        with explained(spec.model, spec.device):
            import torch
            from sentence_transformers import CrossEncoder

            self._model = CrossEncoder(
                spec.model.source,
                revision=spec.model.revision,
                device=spec.device,
                trust_remote_code=spec.remote_code,
                max_length=spec.max_tokens,
                num_labels=1,
                activation_fn=torch.nn.Identity(),
                model_kwargs={"dtype": getattr(torch, spec.dtype)},
                processor_kwargs={"padding_side": spec.padding_side},
            )

    def score(self, pairs: Sequence[Pair]) -> npt.NDArray[np.float32]:
        """Return the logit of each pair."""
        logits: npt.NDArray[np.float32] = self._model.predict(
            list(pairs), prompt="", batch_size=len(pairs), show_progress_bar=False
        )
        return logits


class YesNo:
    """A language model that answers ``yes`` or ``no``; the score is the log-odds of ``yes``."""

    def __init__(self, spec: PairSpec) -> None:
        with explained(spec.model, spec.device):
            import torch
            from transformers import AutoModelForCausalLM, AutoTokenizer

            where = {"revision": spec.model.revision, "trust_remote_code": spec.remote_code}
            self._tokenizer = AutoTokenizer.from_pretrained(spec.model.source, **where)
            model = AutoModelForCausalLM.from_pretrained(
                spec.model.source, dtype=getattr(torch, spec.dtype), **where
            )
            self._model = model.to(spec.device).eval()
        self._suffix = self._ids(spec.suffix)
        self._max_tokens = spec.max_tokens
        self._left = spec.padding_side == "left"
        yes, no = (self._answer(word) for word in ("yes", "no"))
        weights = self._model.get_output_embeddings().weight
        # In float32: differences of logits in bfloat16 are so coarse that paragraphs would tie.
        self._direction = weights[yes].float() - weights[no].float()

    def score(self, pairs: Sequence[Pair]) -> npt.NDArray[np.float32]:
        """Return log p(yes) - log p(no) after each pair and the suffix."""
        import torch

        rows = [self._tokens(query, document) for query, document in pairs]
        width = max(map(len, rows))
        ids = torch.zeros((len(rows), width), dtype=torch.long)
        mask = torch.zeros_like(ids)
        for row, tokens in enumerate(rows):
            part = slice(width - len(tokens), width) if self._left else slice(0, len(tokens))
            ids[row, part] = torch.tensor(tokens)
            mask[row, part] = 1
        # Counted from each text's own start, so that padding moves nothing.
        positions = (mask.cumsum(dim=1) - 1).clamp(min=0)
        last = width - 1 - mask.flip(1).argmax(dim=1)
        device = self._model.device
        with torch.inference_mode():
            states = self._model.base_model(
                input_ids=ids.to(device),
                attention_mask=mask.to(device),
                position_ids=positions.to(device),
                use_cache=False,
            ).last_hidden_state
            ends = states[torch.arange(len(rows), device=device), last.to(device)]
            odds: npt.NDArray[np.float32] = (ends.float() @ self._direction).cpu().numpy()
        return odds

    def _tokens(self, query: str, document: str) -> list[int]:
        """Return a pair's tokens; only the document is cut where they are too many."""
        before = self._ids(query)
        room = self._max_tokens - len(before) - len(self._suffix)
        if room < 1:
            raise GrambenchError(
                f"The query takes {len(before)} tokens, which leaves no room for a document within "
                f"max_tokens={self._max_tokens}. Use a shorter query or a larger max_tokens."
            )
        return [*before, *self._ids(document, truncation=True, max_length=room), *self._suffix]

    def _ids(self, text: str, **limits: Any) -> list[int]:
        ids: list[int] = self._tokenizer(text, add_special_tokens=False, **limits)["input_ids"]
        return ids

    def _answer(self, word: str) -> int:
        ids: list[Any] = self._ids(word)
        if len(ids) != 1 or ids[0] == self._tokenizer.unk_token_id:
            raise GrambenchError(
                f"The model's tokenizer has no token '{word}', so it cannot answer with it. Use "
                "scorer=classifier, or a model that was trained to answer yes or no."
            )
        return int(ids[0])
