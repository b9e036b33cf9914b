"""Models through PyTorch: sentence-transformers, and models that pool in code of their own."""

from __future__ import annotations

import json
from collections.abc import Iterator, Sequence
from contextlib import contextmanager
from typing import TYPE_CHECKING, Any

import numpy as np
import numpy.typing as npt

from src.errors import GrambenchError
from src.retrieval.batches import free_memory, out_of_memory

if TYPE_CHECKING:
    from src.models.finding import FoundModel
    from src.retrieval.specs import EncoderSpec


class SentenceEncoder:
    """A model that comes with sentence-transformers' files, or pools by mean without them."""

    def __init__(self, spec: EncoderSpec) -> None:
        with explained(spec.model, spec.device):
            import torch
            from sentence_transformers import SentenceTransformer

            self._model = SentenceTransformer(
                spec.model.source,
                revision=spec.model.revision,
                device=spec.device,
                trust_remote_code=spec.remote_code,
                model_kwargs={"dtype": getattr(torch, spec.dtype)},
                processor_kwargs={"padding_side": spec.padding_side},
                config_kwargs=json.loads(spec.config),
            )
        self._model.max_seq_length = spec.max_tokens

    def prepare(self, texts: Sequence[str]) -> list[str]:
        """Return the texts themselves."""
        return list(texts)

    def encode(self, prepared: Sequence[str]) -> npt.NDArray[np.float32]:
        """Return a vector for each text."""
        # An empty prompt keeps out what a repository adds by default: the card's templates rule.
        vectors: npt.NDArray[np.float32] = self._model.encode(
            list(prepared), prompt="", batch_size=len(prepared), show_progress_bar=False
        )
        return vectors


class OwnEncoder:
    """A model whose own code returns a vector for each text, called as its authors call it."""

    def __init__(self, spec: EncoderSpec) -> None:
        with explained(spec.model, spec.device):
            import torch
            from transformers import AutoModel, AutoTokenizer

            where = {"revision": spec.model.revision, "trust_remote_code": spec.remote_code}
            self._tokenizer = AutoTokenizer.from_pretrained(
                spec.model.source, padding_side=spec.padding_side, **where
            )
            model = AutoModel.from_pretrained(
                spec.model.source,
                dtype=getattr(torch, spec.dtype),
                **where,
                **json.loads(spec.config),
            )
            self._model = model.to(spec.device).eval()
        self._max_tokens = spec.max_tokens

    def prepare(self, texts: Sequence[str]) -> list[str]:
        """Return the texts themselves."""
        return list(texts)

    def encode(self, prepared: Sequence[str]) -> npt.NDArray[np.float32]:
        """Return a vector for each text."""
        import torch

        tokens = self._tokenizer(
            list(prepared),
            padding=True,
            truncation=True,
            max_length=self._max_tokens,
            return_tensors="pt",
        ).to(self._model.device)
        with torch.inference_mode():
            vectors: npt.NDArray[np.float32] = self._model(**tokens).float().cpu().numpy()
        return vectors


@contextmanager
def explained(model: FoundModel, device: str) -> Iterator[None]:
    """Turn what goes wrong while a model is loaded into a GrambenchError that says what to do."""
    try:
        yield
    except GrambenchError:
        raise
    except Exception as error:
        if out_of_memory(error):
            free_memory()
            what = f"does not fit into the memory of {device}. Use another device or reranker.dtype"
        elif "trust_remote_code" in str(error):
            what = "runs code of its own. Say remote_code: true in its card if you trust that code"
        else:
            what = f"cannot be loaded: {_first_line(error)}"
        raise GrambenchError(f"The model {model.source} {what}.") from error


def _first_line(error: Exception) -> str:
    lines: list[Any] = [line.strip() for line in str(error).split("\n") if line.strip()]
    said = str(lines[0]).rstrip(".") if lines else "no reason is given"
    return f"{type(error).__name__}: {said}"
