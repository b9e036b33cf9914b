"""From a config's choices to the objects that a task works with."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any, Protocol, TypeGuard
from unicodedata import normalize

from omegaconf import DictConfig, OmegaConf

from src.corpus.pack import Pack
from src.errors import GrambenchError
from src.prompting.features import Feature
from src.records import (
    Answer,
    Estimate,
    Failure,
    Grammar,
    Message,
    Paragraph,
    Question,
    Ranking,
    Reply,
    Scores,
    Search,
)
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


class Llm(Protocol):
    """Answers questions.

    One that ``reads_prompts`` has the methods of `Reader` too. A baseline that guesses has a
    method ``fit(gold, classes, labels)``, called once before it is asked.
    """

    name: str
    reads_prompts: bool

    def ask(self, questions: Sequence[Question]) -> list[Reply | Failure]:
        """Return a reply to each question, or why there is none, in the order of the questions."""

    def usage(self) -> dict[str, float]:
        """Return metrics of what was asked and what it cost."""


class Reader(Llm, Protocol):
    """An LLM that reads prompts."""

    @property
    def counted_by(self) -> str:
        """What tokens are counted with."""

    def room(self) -> int:
        """Return how many tokens a prompt may have."""

    def count(self, messages: Sequence[Message]) -> int:
        """Return how many tokens a prompt has."""

    def estimate(self, questions: Sequence[Question]) -> Estimate:
        """Say what asking would cost, without asking."""


class Prompt(Protocol):
    """Puts questions to an LLM into words; ``summary`` is whose summary of the feature it has."""

    name: str
    summary: str

    def messages(
        self, feature: Feature, grammar: Grammar, paragraphs: Sequence[Paragraph], summary: str
    ) -> tuple[Message, ...]:
        """Return the messages that ask for a grammar's value, with the paragraphs."""

    def schema(self, feature: Feature) -> dict[str, Any] | None:
        """Return the JSON schema that the reply must follow, if any."""


class Answers(Protocol):
    """Reads answers out of replies."""

    name: str

    def read(self, reply: Reply, feature: Feature) -> Answer:
        """Return the answer that a reply gives, or why it gives none."""


def reads_prompts(llm: Llm) -> TypeGuard[Reader]:
    """Tell whether an LLM reads prompts."""
    return llm.reads_prompts


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
