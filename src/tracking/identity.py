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
    allow_remote_code batch_size device dry_run force on_error paths published report setting sweep
    tracking data.path feature.term task.plan task.reads
    """.split()  # noqa: SIM905
)
"""Keys that say how a result is come by or that describe it, never what it is."""

COMPONENT_HOW = frozenset(
    "about allow_remote_code device indexes inputs vectors".split()  # noqa: SIM905
)
"""The like of retrievers and rerankers, and of the components that these are made of."""

LLM_HOW = frozenset(
    """
    attempts base_url batch budget_of budget_usd concurrency key_env max_tokens_name mode price
    server store timeout
    """.split()  # noqa: SIM905
)
"""The like of LLMs: how and where they are reached, and what they cost."""

SEARCH_PARTS = ("query", "instruct", "query_name", "instruct_name")
"""What a component may list in its ``inputs``: the texts of the search, and their names."""

_KINDS = ("retriever", "reranker", "prompt", "llm", "answers")
_SEARCH_GROUPS = ("query", "instruct")


def identity(config: Mapping[str, Any], data_digest: str) -> str:
    """Return the identity of a run, 64 hexadecimal digits, from its resolved config."""
    text = json.dumps(
        [RESULT_VERSION, data_digest, what(config)], sort_keys=True, ensure_ascii=False
    )
    return hashlib.sha256(unicodedata.normalize("NFC", text).encode()).hexdigest()


def what(config: Mapping[str, Any]) -> dict[str, Any]:
    """Return the part of a resolved config that determines the result.

    Of the groups only those count that the task ``reads``, or only a key of one where it reads no
    more (``feature.id``); of the search only what the retriever or the reranker reads
    (`inputs_of`): cells that differ in nothing else are one run.
    """
    groups = groups_read(config)
    read = {
        key: _only(value, groups[key]) if key in groups else value
        for key, value in config.items()
        if key in groups or not isinstance(value, Mapping)
    }
    parts = {part for kind in _KINDS for part in inputs_of(read.get(kind))}
    kept: dict[str, Any] = {}
    for key, value in read.items():
        if key in HOW or key in _SEARCH_GROUPS:
            continue
        if key in _KINDS:
            how = COMPONENT_HOW | (LLM_HOW if key == "llm" else frozenset())
            kept[key] = _component(value, _shared(config), how)
        else:
            kept[key] = _without(value, key)
    search = {p: _search_part(config, p) for p in sorted(parts) if p.partition("_")[0] in read}
    return {**kept, "search": search}


def groups_read(config: Mapping[str, Any]) -> dict[str, frozenset[str] | None]:
    """Return the groups of a resolved config that its task reads, the task's own among them.

    Of each the keys that are read, or None where all of it is.

    Raises:
        GrambenchError: the task says that it reads a group, or a key of one, that there is not.
    """
    there = {key: value for key, value in config.items() if isinstance(value, Mapping)}
    reads = config["task"].get("reads")
    if reads is None:
        return dict.fromkeys(there)
    found: dict[str, frozenset[str] | None] = {"task": None}
    for name in reads:
        group, _, key = name.partition(".")
        if group not in there or (key and key not in there[group]):
            raise _no_such_group(config["task"].get("name"), name, there)
        found[group] = (found.get(group) or frozenset()) | {key} if key else None
    return found


def _no_such_group(task: Any, name: str, there: Mapping[str, Mapping[str, Any]]) -> GrambenchError:
    group, _, _ = name.partition(".")
    inner = [f"{group}.{key}" for key in there.get(group, ())]
    known = inner or sorted(there)
    return GrambenchError(
        f"task.reads of '{task}' names '{name}', which is no group of the config, nor a key of one."
        f"{suggest(name, known)} Known: {', '.join(known)}."
    )


def _only(value: Any, keys: frozenset[str] | None) -> Any:
    return value if keys is None else {key: value[key] for key in sorted(keys)}


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


def _component(value: Any, shared: Mapping[str, Any], how: frozenset[str]) -> Any:
    """Drop the how of a component and of those within it.

    So goes what it shares with the run. A batch size of a card's own counts, since then its scores
    depend on it; so does another pack than the run's, or none.
    """
    if isinstance(value, list | tuple):
        return [_component(item, shared, how) for item in value]
    if not isinstance(value, Mapping):
        return value
    dropped: set[str] = set()
    if "_target_" in value:
        dropped = {*how, *(key for key in shared if value.get(key, "") == shared[key])}
    return {key: _component(v, shared, how) for key, v in value.items() if key not in dropped}


def _without(value: Any, prefix: str) -> Any:
    if isinstance(value, Mapping):
        kept = {key: inner for key, inner in value.items() if f"{prefix}.{key}" not in HOW}
        return {key: _without(inner, f"{prefix}.{key}") for key, inner in kept.items()}
    if isinstance(value, list | tuple):
        return [_without(item, prefix) for item in value]
    return value
