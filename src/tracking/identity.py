"""A run's identity: a hash of what determines its result, and of nothing else."""

from __future__ import annotations

import hashlib
import json
import unicodedata
from collections.abc import Iterable, Mapping
from typing import Any

RESULT_VERSION = 1
"""Raised when a fix changes results, so that runs from before it are not taken for the same."""

HOW = frozenset(
    """
    allow_remote_code batch_size device force on_error paths report sweep tracking
    data.path feature.term feature.title
    retriever.about retriever.inputs
    reranker.about reranker.allow_remote_code reranker.device reranker.inputs reranker.pack
    reranker.vectors
    """.split()  # noqa: SIM905
)
"""Keys that say how a result is come by or that describe it, never what it is."""

SEARCH_PARTS = ("query", "instruct", "query_name", "instruct_name")
"""What a component may list in its ``inputs``: the texts of the search, and their names."""


def identity(config: Mapping[str, Any], data_digest: str) -> str:
    """Return the identity of a run, 64 hexadecimal digits, from its resolved config."""
    text = json.dumps(
        [RESULT_VERSION, data_digest, what(config)], sort_keys=True, ensure_ascii=False
    )
    return hashlib.sha256(unicodedata.normalize("NFC", text).encode()).hexdigest()


def what(config: Mapping[str, Any]) -> dict[str, Any]:
    """Return the part of a resolved config that determines the result.

    Of the search only what the retriever or the reranker names in its ``inputs`` counts: cells
    that differ in nothing else are one run. A component that names none may read all of it.
    """
    used = {part for kind in ("retriever", "reranker") for part in _inputs(config.get(kind))}
    kept = {k: _without(v, k) for k, v in config.items() if k not in {*HOW, *SEARCH_PARTS}}
    search = {part: _search_part(config, part) for part in sorted(used)}
    return {**_own_batch_size(config, kept), "search": search}


def _inputs(component: Mapping[str, Any] | None) -> Iterable[str]:
    if component is None:
        return ()
    given: Iterable[str] | None = component.get("inputs")
    return SEARCH_PARTS if given is None else given


def _search_part(config: Mapping[str, Any], part: str) -> Any:
    """Return a text or a name; a text that is the pack's is told by its name and the data."""
    group, _, name = part.partition("_")
    chosen = config[group]
    if name:
        return chosen["name"]
    return chosen["text"] if chosen["text"] is not None else {"of the pack": chosen["name"]}


def _own_batch_size(config: Mapping[str, Any], kept: dict[str, Any]) -> dict[str, Any]:
    """Drop a reranker's batch size unless its card sets one: then its scores depend on it."""
    reranker = kept.get("reranker")
    if isinstance(reranker, dict) and reranker.get("batch_size") == config.get("batch_size"):
        return {**kept, "reranker": {k: v for k, v in reranker.items() if k != "batch_size"}}
    return kept


def _without(value: Any, prefix: str) -> Any:
    if isinstance(value, Mapping):
        kept = {key: inner for key, inner in value.items() if f"{prefix}.{key}" not in HOW}
        return {key: _without(inner, f"{prefix}.{key}") for key, inner in kept.items()}
    if isinstance(value, list | tuple):
        return [_without(item, prefix) for item in value]
    return value
