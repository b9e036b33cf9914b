"""The whole of a run, and the choices that have but one kind."""

from __future__ import annotations

from dataclasses import dataclass, field
from typing import Any

from omegaconf import MISSING

from src.launch.schema.features import Feature


@dataclass
class Paths:
    """Folders, relative to where the command is started."""

    data: str = MISSING
    outputs: str = MISSING
    mlruns: str = MISSING
    vectors: str = MISSING
    indexes: str = MISSING
    replies: str = MISSING


@dataclass
class Tracking:
    """Where runs are recorded; ``parent`` and ``run_name`` are set by sweeps."""

    enabled: bool = MISSING
    uri: str = MISSING
    artifacts: str = MISSING
    parent: str | None = None
    run_name: str | None = None


@dataclass
class Rerank:
    """What is passed on after reranking: the first ``k`` paragraphs, or all where it is null."""

    k: int | None = MISSING


@dataclass
class Data:
    """A data pack."""

    name: str = MISSING
    path: str = "${paths.data}/${data.name}"


@dataclass
class Instruct:
    """An instruct, the sentence that tells an embedding model what the query is for."""

    name: str = MISSING
    text: str = ""


@dataclass
class Query:
    """A query: a text of its own or, where ``text`` is null, the pack's text of that name."""

    name: str = MISSING
    text: str | None = None


@dataclass
class Config:
    """The whole of a run."""

    task: Any = MISSING
    data: Data = field(default_factory=Data)
    feature: Feature = field(default_factory=Feature)
    retriever: Any = MISSING
    reranker: Any = MISSING
    instruct: Instruct = field(default_factory=Instruct)
    query: Query = field(default_factory=Query)
    rerank: Rerank = field(default_factory=Rerank)
    prompt: Any = MISSING
    llm: Any = MISSING
    answers: Any = MISSING
    setting: str | None = MISSING
    paths: Paths = field(default_factory=Paths)
    tracking: Tracking = field(default_factory=Tracking)
    sweep: list[dict[str, Any]] = MISSING
    limit: int | None = MISSING
    seed: int = MISSING
    repeat: int = MISSING
    device: str = MISSING
    batch_size: int = MISSING
    allow_remote_code: bool = MISSING
    force: bool = MISSING
    dry_run: bool = MISSING
    on_error: str = MISSING
    report: str | None = MISSING
    published: str | None = MISSING
