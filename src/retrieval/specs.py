"""All that determines a loaded model: what rerankers ask for, and what loaders are given."""

from __future__ import annotations

from dataclasses import dataclass

from src.errors import GrambenchError
from src.retrieval.models import FoundModel

Pair = tuple[str, str]


@dataclass(frozen=True)
class EncoderSpec:
    """An encoder of texts.

    ``config`` are pairs that override the model's own configuration; ``remote_code`` is true where
    the model's own code is needed and allowed. The backends ``onnx`` and ``sentence`` pool as the
    model's sentence-transformers files say; with ``own`` its own code returns a vector a text.
    """

    model: FoundModel
    max_tokens: int
    dtype: str
    padding_side: str
    remote_code: bool
    device: str
    backend: str
    config: tuple[tuple[str, object], ...] = ()

    def key(self) -> dict[str, object]:
        """Return what determines a text's vector; where it is computed does not."""
        return {
            "model": self.model.identity,
            "dtype": self.dtype,
            "max_tokens": self.max_tokens,
            "padding_side": self.padding_side,
            "backend": self.backend,
            "config": sorted([name, repr(value)] for name, value in self.config),
        }


@dataclass(frozen=True)
class PairSpec:
    """A scorer of (query, document) pairs; ``suffix`` follows each pair."""

    model: FoundModel
    max_tokens: int
    dtype: str
    padding_side: str
    remote_code: bool
    device: str
    scorer: str
    suffix: str


def check_remote_code(name: str, needed: bool, allowed: bool) -> None:
    """Refuse to run a model's own code without the user's leave."""
    if needed and not allowed:
        raise GrambenchError(
            f"The model of reranker '{name}' runs Python code from its own repository. If you "
            "trust it, say so: allow_remote_code=true."
        )


def check_card(name: str, max_tokens: int, padding_side: str) -> None:
    """Refuse values of a card that no model can work with."""
    if max_tokens < 1:
        raise GrambenchError(f"Reranker '{name}': max_tokens={max_tokens} must be 1 or more.")
    if padding_side not in ("left", "right"):
        raise GrambenchError(
            f"Reranker '{name}': padding_side is '{padding_side}'; write left or right."
        )
