"""Cards of language models: what one is told of an endpoint and its model, checked once."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field
from functools import cached_property
from hashlib import sha256
from typing import Any

from src.errors import GrambenchError, suggest

MODES = ("online", "batch")
_OWN = ("model", "messages", "stream")
_NOT_GIVEN = (None, "", "???")


@dataclass(kw_only=True, eq=False)
class ChatCard:
    """A model behind an OpenAI-compatible endpoint, and how it is asked.

    The fields are a card's entries. Sampling that is None is not sent; ``extra`` is sent as it
    stands. ``server`` starts an endpoint in this process. ``about`` is for readers.
    """

    name: str
    model: str
    context: int
    max_tokens: int
    inputs: Sequence[str] = ()
    reads_prompts: bool = True
    revision: str = ""
    base_url: str | None = None
    key_env: str | None = "OPENAI_API_KEY"
    server: Any = None
    max_tokens_name: str = "max_tokens"
    temperature: float | None = None
    top_p: float | None = None
    seed: int | None = None
    stop: Sequence[str] | None = None
    extra: Mapping[str, Any] = field(default_factory=dict)
    tokens: Mapping[str, Any] = field(default_factory=dict)
    price: Mapping[str, Any] = field(default_factory=dict)
    mode: str = "online"
    concurrency: int = 16
    timeout: float = 300.0
    attempts: int = 10
    budget_usd: float | None = None
    budget_of: str | None = None
    batch: Mapping[str, Any] = field(default_factory=dict)
    store: str | None = None
    about: Mapping[str, Any] = field(default_factory=dict)

    def __post_init__(self) -> None:
        """Refuse what no endpoint can be asked with."""
        self._check_given()
        for entry in ("extra", "tokens", "price", "batch", "about"):
            setattr(self, entry, plain(getattr(self, entry) or {}))
        self.stop = None if self.stop is None else list(self.stop)
        if self.mode not in MODES:
            hint = suggest(str(self.mode), MODES)
            raise self.fault(f"mode is '{self.mode}'; write online or batch.{hint}")
        if self.mode == "batch" and self.server is not None:
            raise self.fault("a model in this process takes no batches; write mode=online.")
        for entry in _OWN:
            if entry in self.extra:
                raise self.fault(f"extra.{entry} is not for a card to say: leave it out.")
        for entry in ("concurrency", "attempts", "context", "max_tokens"):
            value = getattr(self, entry)
            if isinstance(value, bool) or not isinstance(value, int) or value < 1:
                raise self.fault(f"{entry}={value} must be a whole number, 1 or more.")
        if self.context <= self.max_tokens:
            raise self.fault(
                f"a context of {self.context} tokens leaves a prompt no room beside a reply of"
                f" max_tokens={self.max_tokens}."
            )
        if not self.timeout > 0:
            raise self.fault(f"timeout={self.timeout} must be more than 0 seconds.")
        self._check_budget()

    @property
    def weights(self) -> str:
        """What tells models of one name apart: the revision and, in this process, what computes.

        Raises:
            GrambenchError: the file of a model in this process is not there.
        """
        return str(self.revision) if self.server is None else f"{self.revision}+{self._computed}"

    @cached_property
    def _computed(self) -> str:
        return sha256(self.server.identity().encode()).hexdigest()[:16]

    def _check_given(self) -> None:
        for entry in ("model", "context", "max_tokens"):
            if getattr(self, entry) in _NOT_GIVEN:
                raise self.fault(f"{entry} is not given: set llm.{entry}.")
        if self.base_url in ("", "???"):
            raise self.fault(
                "base_url is not given: set llm.base_url, the address of the endpoint, which ends"
                " mostly in /v1."
            )

    def _check_budget(self) -> None:
        if self.budget_usd is None:
            return
        if not self.budget_usd >= 0:
            raise self.fault(f"budget_usd={self.budget_usd} must be 0 or more.")
        if self.price.get("prompt") is None or self.price.get("completion") is None:
            raise self.fault(
                "budget_usd needs prices, and its card has none. Set llm.price.prompt and"
                " llm.price.completion, US dollars per million tokens."
            )

    def fault(self, what: str) -> GrambenchError:
        """Return an error that names the card."""
        return GrambenchError(f"LLM '{self.name}': {what}")


def plain(value: Any) -> Any:
    """Return a config node, or what is like one, as dicts and lists."""
    if hasattr(value, "items"):
        return {str(key): plain(inner) for key, inner in value.items()}
    if isinstance(value, Sequence) and not isinstance(value, str | bytes):
        return [plain(inner) for inner in value]
    return value
