"""LLMs: behind an endpoint, recorded, or guessing."""

from __future__ import annotations

from dataclasses import dataclass, field
from typing import Any

from omegaconf import MISSING

from src.launch.schema.base import Component


@dataclass
class Price:
    """US dollars per million tokens, and the day on which that was the price.

    ``cached`` is the price of prompt tokens that the server had cached, ``batch`` what all prices
    are multiplied with in batch mode.
    """

    prompt: float | None = None
    cached: float | None = None
    completion: float | None = None
    batch: float = 1.0
    date: str = ""


@dataclass
class Tokens:
    """How prompts are measured: with a model's tokenizer.json, or by ``characters`` per token."""

    model: str | None = None
    revision: str = ""
    characters: float = 3.0


@dataclass
class Batch:
    """Batch mode: how large a batch may be, and how often the endpoint is asked (seconds)."""

    requests: int = 50_000
    megabytes: float = 200.0
    poll: float = 30.0
    window: str = "24h"


@dataclass
class Llm(Component):
    """What all LLMs share. Those that read no prompts need no paragraphs."""

    reads_prompts: bool = True


@dataclass
class ChatModel(Llm):
    """An LLM behind an OpenAI-compatible endpoint, or in this process (``server``).

    Sampling: what is null is not sent. ``extra`` is sent as it stands (vLLM's and llama.cpp's own
    parameters). ``revision`` tells weights of one name apart. ``key_env`` names the environment
    variable with the key. ``context`` is the most tokens that prompt and reply have together.
    Without ``base_url`` (null) and ``server`` the endpoint is OpenAI's.
    """

    _target_: str = "src.llm.chat.ChatModel"
    inputs: list[str] = field(default_factory=list)
    model: str = MISSING
    revision: str = ""
    base_url: str | None = MISSING
    key_env: str | None = "OPENAI_API_KEY"
    server: Any = None
    context: int = MISSING
    max_tokens: int = MISSING
    max_tokens_name: str = "max_tokens"
    temperature: float | None = None
    top_p: float | None = None
    seed: int | None = None
    stop: list[str] | None = None
    extra: dict[str, Any] = field(default_factory=dict)
    tokens: Tokens = field(default_factory=Tokens)
    price: Price = field(default_factory=Price)
    mode: str = "online"
    concurrency: int = 16
    timeout: float = 300.0
    attempts: int = 10
    budget_usd: float | None = None
    budget_of: str | None = "${tracking.parent}"
    batch: Batch = field(default_factory=Batch)
    store: str | None = "${paths.replies}"
    about: dict[str, Any] = field(default_factory=dict)


@dataclass
class RecordedLlm(Llm):
    """Replies that the pack holds."""

    _target_: str = "src.llm.recorded.RecordedModel"
    inputs: list[str] = field(default_factory=list)
    reads_prompts: bool = False
    setting: str | None = "${setting}"
    feature: str = "${feature.id}"
    pack: str = "${data.path}"


@dataclass
class Guess(Llm):
    """A baseline that reads nothing: ``majority``, ``stratified`` or ``uniform``."""

    _target_: str = "src.llm.guessing.Guesser"
    inputs: list[str] = field(default_factory=list)
    reads_prompts: bool = False
    strategy: str = MISSING
    seed: int = "${seed}"  # type: ignore[assignment]
