"""A run's identity: a hash of what determines its result, and of nothing else."""

from __future__ import annotations

import hashlib
import json
from collections.abc import Mapping
from typing import Any

RESULT_VERSION = 1
"""Raised when a fix changes results, so that runs from before it are not taken for the same."""

HOW = frozenset(
    [
        "about",
        "allow_remote_code",
        "batch_size",
        "device",
        "force",
        "hydra",
        "inputs",
        "on_error",
        "pack",
        "path",
        "paths",
        "report",
        "sweep",
        "tracking",
        "vectors",
    ]
)
"""Keys that, at any depth, say how a result is come by or describe it, never what it is."""

SEARCH_PARTS = ("query", "instruct")


def identity(config: Mapping[str, Any], data_digest: str) -> str:
    """Return the identity of a run, 64 hexadecimal digits.

    ``config`` is the resolved config. The query and the instruct count only where the retriever
    or the reranker names them in its ``inputs``: cells that differ in nothing else are one run.
    """
    determining = what(config)
    text = json.dumps(
        [RESULT_VERSION, data_digest, determining], sort_keys=True, ensure_ascii=False
    )
    return hashlib.sha256(text.encode()).hexdigest()


def what(config: Mapping[str, Any]) -> dict[str, Any]:
    """Return the part of a resolved config that determines the result."""
    used = {
        part
        for component in ("retriever", "reranker")
        for part in (config.get(component) or {}).get("inputs") or ()
    }
    unused = set(SEARCH_PARTS) - used
    return {k: _strip(v) for k, v in config.items() if k not in unused and k not in HOW}


def _strip(value: Any) -> Any:
    if isinstance(value, Mapping):
        return {k: _strip(v) for k, v in value.items() if k not in HOW}
    if isinstance(value, list | tuple):
        return [_strip(item) for item in value]
    return value
