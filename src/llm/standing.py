"""What of an LLM determines replies where its config alone does not say it."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

from src.models.tokens import tokenizer_identity


def llm_stands_for(config: Mapping[str, Any]) -> dict[str, Any]:
    """Return what to put in the place of a resolved config's entries in a run's identity.

    Of a model that runs in this process its file's content counts, and how and by which version of
    llama.cpp it is computed, whatever leads to it; of a tokenizer its content. Nothing is started.

    Raises:
        GrambenchError: the model or the tokenizer is not there.
    """
    server, tokens = config.get("server"), config.get("tokens")
    if server is not None:
        # Its server counts the tokens: no other tokenizer is read.
        return {"revision": _server(server).identity(), "tokens": None}
    if tokens is None or tokens.get("model") is None:
        return {}
    return {"tokens": tokenizer_identity(tokens["model"], str(tokens.get("revision") or ""))}


def _server(server: Any) -> Any:
    if not isinstance(server, Mapping):
        return server
    from hydra.utils import instantiate

    return instantiate(dict(server))
