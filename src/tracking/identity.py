"""A run's identity: a hash of what determines its result, and of nothing else."""

from __future__ import annotations

import hashlib
import json
import unicodedata
from collections.abc import Iterable, Iterator, Mapping
from typing import Any

from src.errors import GrambenchError, suggest

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
    "about allow_remote_code device indexes inputs vectors".split()  # noqa: SIM905
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
    groups = groups_read(config)
    read = {
        key: value
        for key, value in config.items()
        if key in groups or not isinstance(value, Mapping)
    }
    parts = {part for kind in _KINDS for part in inputs_of(read.get(kind))}
    kept: dict[str, Any] = {}
    for key, value in read.items():
        if key in HOW or key in _SEARCH_GROUPS:
            continue
        if key in _KINDS:
            kept[key] = _component(value, _shared(config))
        else:
            kept[key] = _without(value, key)
    search = {p: _search_part(config, p) for p in sorted(parts) if p.partition("_")[0] in read}
    return {**kept, "search": search}


def groups_read(config: Mapping[str, Any]) -> frozenset[str]:
    """Return the groups of a resolved config that its task reads, the task's own among them.

    Raises:
        GrambenchError: the task says that it reads a group that there is not.
    """
    there = {key for key, value in config.items() if isinstance(value, Mapping)}
    reads = config["task"].get("reads")
    for name in reads or ():
        if name not in there:
            raise GrambenchError(
                f"task.reads of '{config['task'].get('name')}' names '{name}', which is no group of"
                f" the config.{suggest(name, there)} Known: {', '.join(sorted(there))}."
            )
    return frozenset(there if reads is None else {"task", *reads})


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


def _search_part(config: Mapping[str, Any], part: str) -> Any:
    """Return a text or a name; a text that is the pack's is told by its name and the data."""
    group, _, name = part.partition("_")
    chosen = config[group]
    if name:
        return chosen["name"]
    return chosen["text"] if chosen["text"] is not None else {"of the pack": chosen["name"]}


def _shared(config: Mapping[str, Any]) -> dict[str, Any]:
    """Return what components take from the run unless their own config says otherwise."""
    return {"batch_size": config.get("batch_size"), "pack": config["data"].get("path")}


def _component(value: Any, shared: Mapping[str, Any]) -> Any:
    """Drop the how of a component and of those within it.

    So goes what it shares with the run. A batch size of a card's own counts, since then its scores
    depend on it; so does another pack than the run's, or none.
    """
    if isinstance(value, list | tuple):
        return [_component(item, shared) for item in value]
    if not isinstance(value, Mapping):
        return value
    dropped: set[str] = set()
    if "_target_" in value:
        dropped = {*COMPONENT_HOW, *(key for key in shared if value.get(key, "") == shared[key])}
    return {key: _component(v, shared) for key, v in value.items() if key not in dropped}


def _without(value: Any, prefix: str) -> Any:
    if isinstance(value, Mapping):
        kept = {key: inner for key, inner in value.items() if f"{prefix}.{key}" not in HOW}
        return {key: _without(inner, f"{prefix}.{key}") for key, inner in kept.items()}
    if isinstance(value, list | tuple):
        return [_without(item, prefix) for item in value]
    return value
