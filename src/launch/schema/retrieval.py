"""Retrievers and rerankers."""

from __future__ import annotations

from dataclasses import dataclass, field
from typing import Any

from omegaconf import MISSING

from src.launch.schema.base import Component


@dataclass
class Given(Component):
    """The order that the pack gives: its recorded candidates or, where it has none, its own."""

    _target_: str = "src.retrieval.given.GivenRetriever"
    inputs: list[str] = field(default_factory=list)
    k: int | None = None
    pack: str | None = "${data.path}"


@dataclass
class Oracle(Component):
    """The paragraphs of the gold pages."""

    _target_: str = "src.retrieval.oracle.OracleRetriever"
    inputs: list[str] = field(default_factory=list)
    k: int | None = None
    pack: str = "${data.path}"


@dataclass
class NoRetriever(Component):
    """Retrieves nothing: the baseline without a grammar. ``k`` is there for sweeps."""

    _target_: str = "src.retrieval.no_retriever.NoRetriever"
    inputs: list[str] = field(default_factory=list)
    k: int | None = None


@dataclass
class Bm25(Component):
    """rank-bm25's BM25Okapi, the paper's retriever."""

    _target_: str = "src.retrieval.bm25.BM25Retriever"
    inputs: list[str] = field(default_factory=lambda: ["query"])
    k: int = MISSING
    terms: str = MISSING
    lemmas_model: str = MISSING
    k1: float = MISSING
    b: float = MISSING
    epsilon: float = MISSING
    indexes: str | None = "${paths.indexes}"


@dataclass
class Bm25s(Bm25):
    """The fast BM25 of bm25s, in several variants."""

    _target_: str = "src.retrieval.bm25_fast.BM25sRetriever"
    variant: str = MISSING
    delta: float = MISSING


@dataclass
class Dense(Component):
    """Cosines of vectors, over whole grammars; ``encoder`` is an embedding card."""

    _target_: str = "src.retrieval.dense.DenseRetriever"
    k: int = MISSING
    encoder: Any = MISSING


@dataclass
class Hybrid(Component):
    """Several retrievers, fused by the ranks that they give."""

    _target_: str = "src.retrieval.hybrid.HybridRetriever"
    k: int = MISSING
    rank_constant: float = MISSING
    parts: dict[str, Any] = field(default_factory=dict)
    weights: dict[str, float] = field(default_factory=dict)


@dataclass
class NoReranker(Component):
    """Keeps the retriever's order."""

    _target_: str = "src.retrieval.none.NoReranker"
    inputs: list[str] = field(default_factory=list)


@dataclass
class Recorded(Component):
    """Scores that the pack holds."""

    _target_: str = "src.retrieval.recorded.RecordedReranker"
    inputs: list[str] = field(default_factory=lambda: ["query_name", "instruct_name"])
    model: str = MISSING
    pack: str = "${data.path}"


@dataclass
class ModelCard(Component):
    """A model that reads texts: where it is, how it is run, and what is sent to it."""

    inputs: list[str] = field(default_factory=lambda: ["query", "instruct"])
    model: str = MISSING
    revision: str = MISSING
    max_tokens: int = MISSING
    dtype: str = MISSING
    padding_side: str = "right"
    remote_code: bool = False
    allow_remote_code: bool = "${allow_remote_code}"  # type: ignore[assignment]
    query_template: str = MISSING
    query_template_without_instruct: str = "{query}"
    document_template: str = "{document}"
    device: str = "${device}"
    batch_size: int = "${batch_size}"  # type: ignore[assignment]
    about: dict[str, Any] = field(default_factory=dict)


@dataclass
class EncoderCard(ModelCard):
    """An embedding model; vectors of paragraphs are kept under ``vectors``."""

    _target_: str = "src.retrieval.embedding.EmbeddingReranker"
    backend: str = "sentence"
    config: dict[str, Any] = field(default_factory=dict)
    vectors: str = "${paths.vectors}"


@dataclass
class CrossEncoderCard(ModelCard):
    """A model that reads query and paragraph together."""

    _target_: str = "src.retrieval.cross_encoder.CrossEncoderReranker"
    scorer: str = "classifier"
    suffix: str = ""
