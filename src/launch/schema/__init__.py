"""Structured configs: they check types, reject unknown keys and hold the defaults of each kind.

Of tasks, retrievers, rerankers, LLMs and prompts there are several kinds: their YAML files in conf/
name theirs in the defaults list, e.g. ``- /hydra/schema/reranker@_here_: encoder``, and state only
what is particular to them. The schemas stand under hydra/ so that ``--help`` lists only what users
choose.
"""

from __future__ import annotations

from typing import Any

from hydra.core.config_store import ConfigStore

from src.launch.schema import llms, prompts, retrieval, tasks
from src.launch.schema.config import Config


def register() -> None:
    """Put the schemas where defaults lists find them."""
    # There is one store a process, which is only read once it is filled. Hydra copies it, with
    # everything in it, whenever it lists a group: for --help 160 times, for a second and more.
    ConfigStore.__deepcopy__ = _itself  # type: ignore[attr-defined]
    store = ConfigStore.instance()
    store.store(name="schema", node=Config)
    kinds: dict[str, dict[str, Any]] = {
        "task": {
            "rerank": tasks.RerankTask,
            "retrieve": tasks.RetrieveTask,
            "classify": tasks.ClassifyTask,
        },
        "retriever": {
            "given": retrieval.Given,
            "oracle": retrieval.Oracle,
            "none": retrieval.NoRetriever,
            "bm25": retrieval.Bm25,
            "bm25s": retrieval.Bm25s,
            "dense": retrieval.Dense,
            "hybrid": retrieval.Hybrid,
        },
        "reranker": {
            "none": retrieval.NoReranker,
            "recorded": retrieval.Recorded,
            "encoder": retrieval.EncoderCard,
            "cross_encoder": retrieval.CrossEncoderCard,
        },
        "llm": {"chat": llms.ChatModel, "recorded": llms.RecordedLlm, "guess": llms.Guess},
        "prompt": {"template": prompts.Prompt, "verbatim": prompts.VerbatimPrompt},
        "answers": {"answers": prompts.Answers},
    }
    for group, nodes in kinds.items():
        for name, node in nodes.items():
            store.store(group=f"hydra/schema/{group}", name=name, node=node)


def _itself(store: ConfigStore, memo: dict[int, Any]) -> ConfigStore:
    return store
