"""From a config's choices to the objects that a task works with."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any, Protocol
from unicodedata import normalize

from omegaconf import DictConfig

from src.corpus.pack import Pack
from src.records import Paragraph, Ranking, Scores, Search


class Retriever(Protocol):
    """Ranks a list of paragraphs and keeps its k best."""

    def rank(self, search: Search, paragraphs: Sequence[Paragraph]) -> Ranking:
        """Return the best paragraphs first; ties keep the given order."""


class Reranker(Protocol):
    """Scores paragraphs; the higher the better.

    It may have a method ``prepare(paragraphs)``, called once with all the paragraphs of a run, and
    counters such as ``documents_encoded``.
    """

    def score(self, search: Search, paragraphs: Sequence[Paragraph]) -> Scores:
        """Return a float64 score for each paragraph, in the given order."""


def build(choice: DictConfig) -> Any:
    """Make the component that a group's YAML describes."""
    from hydra.utils import instantiate

    return instantiate(choice)


def _reads_query(cfg: DictConfig) -> bool:
    listed = [cfg[kind].get("inputs") for kind in ("retriever", "reranker")]
    return any(inputs is None or "query" in inputs for inputs in listed)


def build_search(cfg: DictConfig, pack: Pack) -> Search:
    """Put together what is searched for; a query without a text of its own is the pack's.

    Raises:
        GrambenchError: the pack has no such query for the feature.
    """
    text = cfg.query.text
    if text is None:
        text = pack.query(cfg.feature.id, cfg.query.name) if _reads_query(cfg) else ""
    return Search(
        feature=cfg.feature.id,
        query=normalize("NFC", text),
        query_name=cfg.query.name,
        instruct=normalize("NFC", cfg.instruct.text),
        instruct_name=cfg.instruct.name,
    )
