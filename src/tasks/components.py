"""From a config's choices to the objects that a task works with."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any, Protocol
from unicodedata import normalize

from omegaconf import DictConfig, OmegaConf

from src.corpus.pack import Pack
from src.errors import GrambenchError
from src.records import Paragraph, Ranking, Scores, Search
from src.tracking.identity import inputs_of


class Retriever(Protocol):
    """Ranks a list of paragraphs and keeps its k best.

    It may have a method ``prepare(paragraphs)``, called once with all the paragraphs of a run, and
    counters such as ``documents_encoded``.
    """

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
    chosen = [OmegaConf.to_container(cfg[kind]) for kind in ("retriever", "reranker")]
    return any("query" in inputs_of(component) for component in chosen)  # type: ignore[arg-type]


def build_search(cfg: DictConfig, pack: Pack) -> Search:
    """Put together what is searched for; a query without a text of its own is the pack's.

    Raises:
        GrambenchError: the pack has no such query for the feature, or the text is empty.
    """
    text = cfg.query.text
    if _reads_query(cfg):
        text = _query_of(pack, cfg.feature.id, cfg.query.name) if text is None else text
        if not text.strip():
            raise GrambenchError(
                f"The query '{cfg.query.name}' for {cfg.feature.id} is empty: there is nothing to"
                " look for. query=term and query=definition take the feature's texts"
                " (conf/feature/), query.text is one of your own."
            )
    text = text or ""
    return Search(
        feature=cfg.feature.id,
        query=normalize("NFC", text),
        query_name=cfg.query.name,
        instruct=normalize("NFC", cfg.instruct.text),
        instruct_name=cfg.instruct.name,
    )


def _query_of(pack: Pack, feature: str, name: str) -> str:
    try:
        return pack.query(feature, name)
    except GrambenchError as error:
        raise GrambenchError(
            f"{error} query=definition and query=term need no text of the pack."
        ) from error
