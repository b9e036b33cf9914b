"""Structured configs: they check types, reject unknown keys and hold the defaults of each kind.

Of tasks, retrievers and rerankers there are several kinds: their YAML files in conf/ name theirs
in the defaults list, e.g. ``- /hydra/schema/reranker@_here_: encoder``, and state only what is
particular to them. The schemas stand under hydra/ so that ``--help`` lists only what users choose.
"""

from __future__ import annotations

from dataclasses import dataclass, field
from typing import Any

from hydra.core.config_store import ConfigStore
from omegaconf import MISSING


@dataclass
class Paths:
    """Folders, relative to where the command is started."""

    data: str = MISSING
    outputs: str = MISSING
    mlruns: str = MISSING
    vectors: str = MISSING
    indexes: str = MISSING


@dataclass
class Tracking:
    """Where runs are recorded; ``parent`` and ``run_name`` are set by sweeps."""

    enabled: bool = MISSING
    uri: str = MISSING
    artifacts: str = MISSING
    parent: str | None = None
    run_name: str | None = None


@dataclass
class Task:
    """A task: its name, which is also the MLflow experiment's, and the function that runs it.

    ``reads`` are the groups that its result depends on; null means all of them.
    """

    name: str = MISSING
    run: str = MISSING
    reads: list[str] | None = None


_RERANK_READS = ["data", "feature", "retriever", "reranker", "query", "instruct"]


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
class Feature:
    """A typological feature; ``term`` is its short query, ``definition`` a long one."""

    id: str = MISSING
    title: str = MISSING
    term: str = MISSING
    definition: str = ""


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
class Component:
    """What retrievers and rerankers share.

    ``inputs`` are the parts of a search that the result depends on: ``query`` and ``instruct``
    (their texts), ``query_name`` and ``instruct_name``; null means those of the components that it
    is made of or, where it is made of none, all of them.
    """

    _target_: str = MISSING
    name: str = MISSING
    inputs: list[str] | None = None


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
    on_error: str = MISSING
    report: str | None = MISSING


def register() -> None:
    """Put the schemas where defaults lists find them."""
    store = ConfigStore.instance()
    store.store(name="schema", node=Config)
    kinds: dict[str, dict[str, Any]] = {
        "task": {"rerank": RerankTask, "retrieve": RetrieveTask},
        "retriever": {
            "given": Given,
            "oracle": Oracle,
            "none": NoRetriever,
            "bm25": Bm25,
            "bm25s": Bm25s,
            "dense": Dense,
            "hybrid": Hybrid,
        },
        "reranker": {
            "none": NoReranker,
            "recorded": Recorded,
            "encoder": EncoderCard,
            "cross_encoder": CrossEncoderCard,
        },
    }
    for group, nodes in kinds.items():
        for name, node in nodes.items():
            store.store(group=f"hydra/schema/{group}", name=name, node=node)
