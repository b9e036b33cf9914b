"""A run's identity: a hash of what determines its result, and of nothing else."""

from __future__ import annotations

import hashlib
import json
import unicodedata
from collections.abc import Iterable, Iterator, Mapping
from typing import Any

RESULT_VERSION = 1
"""Raised when a fix changes results, so that runs from before it are not taken for the same."""

HOW = frozenset(
    """
    allow_remote_code batch_size device force on_error paths report sweep tracking
    data.path feature.definition feature.term feature.title task.reads
    """.split()  # noqa: SIM905
)
"""Keys that say how a result is come by or that describe it, never what it is."""

COMPONENT_HOW = frozenset(
    "about allow_remote_code device indexes inputs pack vectors".split()  # noqa: SIM905
)
"""The like of retrievers and rerankers, and of the components that these are made of."""

SEARCH_PARTS = ("query", "instruct", "query_name", "instruct_name")
"""What a component may list in its ``inputs``: the texts of the search, and their names."""

_KINDS = ("retriever", "reranker")
_SEARCH_GROUPS = ("query", "instruct")


def identity(config: Mapping[str, Any], data_digest: str) -> str:
    """Return the identity of a run, 64 hexadecimal digits, from its resolved config."""
    text = json.dumps(
        [RESULT_VERSION, data_digest, what(config)], sort_keys=True, ensure_ascii=False
    )
    return hashlib.sha256(unicodedata.normalize("NFC", text).encode()).hexdigest()


def what(config: Mapping[str, Any]) -> dict[str, Any]:
    """Return the part of a resolved config that determines the result.

    Of the groups only those count that the task ``reads``, and of the search only what the
    retriever or the reranker reads (`inputs_of`): cells that differ in nothing else are one run.
    """
    read = {key: value for key, value in config.items() if _is_read(key, value, config)}
    parts = {part for kind in _KINDS for part in inputs_of(read.get(kind))}
    kept: dict[str, Any] = {}
    for key, value in read.items():
        if key in HOW or key in _SEARCH_GROUPS:
            continue
        if key in _KINDS:
            kept[key] = _component(value, config.get("batch_size"))
        else:
            kept[key] = _without(value, key)
    search = {p: _search_part(config, p) for p in sorted(parts) if p.partition("_")[0] in read}
    return {**kept, "search": search}


def inputs_of(component: Mapping[str, Any] | None) -> tuple[str, ...]:
    """Return the parts of a search that a component reads.

    They are those that it lists as its ``inputs``; without such a list, those of the components
    that it is made of; without these, all of them.
    """
    if component is None:
        return ()
    if component.get("inputs") is not None:
        return tuple(component["inputs"])
    parts = list(_made_of(component))
    if not parts:
        return SEARCH_PARTS
    return tuple(dict.fromkeys(name for part in parts for name in inputs_of(part)))


def _made_of(value: Any) -> Iterator[Mapping[str, Any]]:
    """Yield the components in a value, not those that are deeper within these."""
    for item in _within(value):
        if isinstance(item, Mapping) and "_target_" in item:
            yield item
        else:
            yield from _made_of(item)


def _within(value: Any) -> Iterable[Any]:
    if isinstance(value, Mapping):
        return value.values()
    return value if isinstance(value, list | tuple) else ()


def _is_read(key: str, value: Any, config: Mapping[str, Any]) -> bool:
    """Tell whether the task reads a top-level entry; single values count for every task."""
    groups = config["task"].get("reads")
    return groups is None or key == "task" or key in groups or not isinstance(value, Mapping)


def _search_part(config: Mapping[str, Any], part: str) -> Any:
    """Return a text or a name; a text that is the pack's is told by its name and the data."""
    group, _, name = part.partition("_")
    chosen = config[group]
    if name:
        return chosen["name"]
    return chosen["text"] if chosen["text"] is not None else {"of the pack": chosen["name"]}


def _component(value: Any, batch_size: Any) -> Any:
    """Drop the how of a component and of those within it.

    So goes a batch size, unless the card sets one of its own: then its scores depend on it.
    """
    if isinstance(value, list | tuple):
        return [_component(item, batch_size) for item in value]
    if not isinstance(value, Mapping):
        return value
    dropped = set(COMPONENT_HOW if "_target_" in value else ())
    if "_target_" in value and value.get("batch_size") == batch_size:
        dropped.add("batch_size")
    return {key: _component(v, batch_size) for key, v in value.items() if key not in dropped}


def _without(value: Any, prefix: str) -> Any:
    if isinstance(value, Mapping):
        kept = {key: inner for key, inner in value.items() if f"{prefix}.{key}" not in HOW}
        return {key: _without(inner, f"{prefix}.{key}") for key, inner in kept.items()}
    if isinstance(value, list | tuple):
        return [_without(item, prefix) for item in value]
    return value
