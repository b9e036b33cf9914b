"""All that determines a loaded model: what rerankers ask for, and what loaders are given."""

from __future__ import annotations

from dataclasses import dataclass

from src.models.finding import FoundModel

Pair = tuple[str, str]

VECTORS_VERSION = 1
"""Raised when a change to our code changes vectors: those cached before it are then not used."""


@dataclass(frozen=True, kw_only=True)
class ModelSpec:
    """A model on a device; ``remote_code``: the model's own code is needed, and allowed."""

    model: FoundModel
    max_tokens: int
    dtype: str
    padding_side: str
    remote_code: bool
    device: str


@dataclass(frozen=True, kw_only=True)
class EncoderSpec(ModelSpec):
    """An encoder of texts.

    ``config`` is JSON that overrides the model's own configuration. The backends ``onnx`` and
    ``sentence`` pool as the model's sentence-transformers files say; with ``own`` its own code
    returns a vector a text.
    """

    backend: str
    config: str = "{}"

    def key(self) -> dict[str, object]:
        """Return what determines a text's vector; where it is computed does not."""
        return {
            "version": VECTORS_VERSION,
            "model": self.model.identity,
            "dtype": self.dtype,
            "max_tokens": self.max_tokens,
            "padding_side": self.padding_side,
            "remote_code": self.remote_code,
            "backend": self.backend,
            "config": self.config,
        }


@dataclass(frozen=True, kw_only=True)
class PairSpec(ModelSpec):
    """A scorer of (query, document) pairs; ``suffix`` follows each pair."""

    scorer: str
    suffix: str
