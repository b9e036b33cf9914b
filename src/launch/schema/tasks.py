"""Tasks: what each is called, what it reads, and its settings."""

from __future__ import annotations

from dataclasses import dataclass, field

from omegaconf import MISSING


@dataclass
class Task:
    """A task: its name, which is also the MLflow experiment's, and the function that runs it.

    ``reads`` are the groups that its result depends on, or single keys of them (``feature.id``);
    null means all of them. ``plan`` is the function that says what a run would ask LLMs
    (``dry_run``), where it asks any.
    """

    name: str = MISSING
    run: str = MISSING
    reads: list[str] | None = None
    plan: str | None = None


_RERANK_READS = ["data", "feature.id", "retriever", "reranker", "query", "instruct"]


@dataclass
class RerankTask(Task):
    """Settings of the reranking benchmark (MTOB, section 4)."""

    name: str = "rerank"
    run: str = "src.tasks.rerank.run"
    reads: list[str] = field(default_factory=lambda: list(_RERANK_READS))
    gain: str = MISSING
    k: int = MISSING
    cutoffs: list[int] = MISSING
    relevant: int = MISSING
    confidence: float = MISSING
    resamples: int = MISSING


@dataclass
class Tokenizer:
    """What tokens are counted with: the tokenizer.json of a model."""

    model: str = MISSING
    revision: str = MISSING


@dataclass
class RetrieveTask(Task):
    """Settings of the retrieval of gold pages from whole grammars."""

    name: str = "retrieve"
    run: str = "src.tasks.retrieve.run"
    reads: list[str] = field(default_factory=lambda: [*_RERANK_READS, "rerank"])
    k: int = MISSING
    cutoffs: list[int] = MISSING
    tokenizer: Tokenizer = field(default_factory=Tokenizer)
    confidence: float = MISSING
    resamples: int = MISSING


_CLASSIFY_READS = [
    *("data", "feature", "retriever", "reranker", "query", "instruct", "rerank"),
    *("prompt", "llm", "answers"),
]


@dataclass
class ClassifyTask(Task):
    """Settings of the classification of grammars (MTOB, section 5).

    ``rows`` are the grammars that count: all with a value, or those whose text states it.
    ``invalid`` is what becomes of replies without an answer, ``labels`` the classes that macro F1
    is the mean over.
    """

    name: str = "classify"
    run: str = "src.tasks.classify.run"
    plan: str | None = "src.tasks.classify.plan"
    reads: list[str] = field(default_factory=lambda: list(_CLASSIFY_READS))
    rows: str = MISSING
    labels: str = MISSING
    invalid: str = MISSING
    repeats: int = MISSING
    confidence: float = MISSING
    resamples: int = MISSING
