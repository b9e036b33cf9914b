"""Encoders turn texts into vectors. Which backend does it is chosen by card, device and model."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any, Protocol

import numpy as np
import numpy.typing as npt

from src.errors import GrambenchError, suggest
from src.models.finding import FoundModel
from src.models.hub import require_on_hub
from src.retrieval import onnx
from src.retrieval.specs import EncoderSpec

BACKENDS = ("auto", "onnx", "sentence", "own")


class Encoder(Protocol):
    """A loaded model."""

    def prepare(self, texts: Sequence[str]) -> Sequence[Any]:
        """Return what ``encode`` takes; the length of each says how long the text is."""

    def encode(self, prepared: Sequence[Any]) -> npt.NDArray[np.float32]:
        """Return a vector, not normalised, for each of a batch."""


def pick_backend(backend: str, model: FoundModel, device: str, dtype: str) -> str:
    """Return the backend that ``auto`` means here, or ``backend`` itself where it can be used.

    ``auto`` takes plain onnxruntime where it can: it starts in a fraction of a second and is twice
    as fast on CPUs, with the same vectors.
    """
    if backend not in BACKENDS:
        raise GrambenchError(
            f"backend '{backend}' is unknown; write {', '.join(BACKENDS)}."
            f"{suggest(backend, BACKENDS)}"
        )
    if backend not in ("auto", "onnx"):
        return backend
    obstacle = _onnx_obstacle(model, device, dtype)
    if backend == "auto":
        return "sentence" if obstacle else "onnx"
    if obstacle:
        raise GrambenchError(f"backend=onnx cannot be used: {obstacle}. Use backend=auto.")
    return "onnx"


def load_encoder(spec: EncoderSpec) -> Encoder:
    """Load a model; raise GrambenchError that says what to do where that fails."""
    if spec.backend == "onnx":
        if spec.model.folder is None:
            raise GrambenchError("backend=onnx reads models from packages and folders only.")
        return onnx.OnnxEncoder(spec.model.folder, spec.max_tokens)
    require_on_hub(spec.model)
    from src.retrieval import sentence

    if spec.backend == "own":
        return sentence.OwnEncoder(spec)
    return sentence.SentenceEncoder(spec)


def _onnx_obstacle(model: FoundModel, device: str, dtype: str) -> str | None:
    if device != "cpu":
        return f"it computes on the CPU, not on {device}"
    if dtype != "float32":
        return f"it computes in float32, not in {dtype}"
    if model.folder is None:
        return "it reads models from packages and folders only"
    return onnx.obstacle(model.folder)
