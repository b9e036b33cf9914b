"""Model cards: what a reranker with a model of its own is told, checked once."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field
from typing import Any

from src.errors import GrambenchError
from src.models.finding import find_model
from src.retrieval.batches import check_batch_size
from src.retrieval.devices import pick_device, pick_dtype
from src.retrieval.templates import Templates


@dataclass(kw_only=True, eq=False)
class Card:
    """A model, how it is run, and the strings that it is sent.

    Rerankers are made from a card's entries, so these are their fields. ``revision`` is the hub's
    commit or the package's version, ``max_tokens`` where texts are cut; ``inputs`` must be what
    the templates use; ``about`` is for readers.
    """

    name: str
    inputs: Sequence[str]
    model: str
    revision: str
    max_tokens: int
    query_template: str
    query_template_without_instruct: str
    document_template: str
    dtype: str = "float32"
    padding_side: str = "right"
    remote_code: bool = False
    allow_remote_code: bool = False
    device: str = "auto"
    batch_size: int = 32
    about: Mapping[str, object] | None = None
    templates: Templates = field(init=False, repr=False)

    def __post_init__(self) -> None:
        """Refuse what no model can work with, and code that the user has not allowed."""
        self.templates = Templates(
            self.query_template, self.query_template_without_instruct, self.document_template
        )
        self.templates.check_inputs(self.name, self.inputs)
        check_batch_size(self.batch_size)
        if self.remote_code and not self.allow_remote_code:
            raise GrambenchError(
                f"The model of reranker '{self.name}' runs Python code from its own repository. If "
                "you trust it, say so: allow_remote_code=true."
            )
        if self.max_tokens < 1:
            raise GrambenchError(
                f"Reranker '{self.name}': max_tokens={self.max_tokens} must be 1 or more."
            )
        if self.padding_side not in ("left", "right"):
            raise GrambenchError(
                f"Reranker '{self.name}': padding_side is '{self.padding_side}'; write left or "
                "right."
            )

    def settled(self) -> dict[str, Any]:
        """Return the fields of a ``ModelSpec``: what the card comes to on this machine.

        Raises:
            GrambenchError: the model or the device is not there.
        """
        found = find_model(self.model, str(self.revision))
        device = pick_device(self.device)
        return {
            "model": found,
            "max_tokens": self.max_tokens,
            "dtype": pick_dtype(self.dtype, device),
            "padding_side": self.padding_side,
            "remote_code": self.remote_code,
            "device": device,
        }
