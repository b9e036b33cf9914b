"""Responses of ``/chat/completions``: is one a reply, and what does it say and cost?"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import Any
from unicodedata import normalize

from src.records import Reply

_MILLION = 1_000_000
_MOST = 2**53
_SHORT = 300


def fault_of(raw: object) -> str | None:
    """Return why a response is no reply, or None where it is one.

    A reply may be empty; a response without choices, or with a choice without message, is none.
    """
    if not isinstance(raw, Mapping):
        return "the response is no JSON object"
    if raw.get("error"):
        return f"the response holds an error: {_told(raw['error'])}"
    choices = raw.get("choices")
    if not isinstance(choices, Sequence) or isinstance(choices, str) or not choices:
        return "the response has no choices"
    first = choices[0]
    if not isinstance(first, Mapping) or not isinstance(first.get("message"), Mapping):
        return "the response's choice has no message"
    if first.get("finish_reason") == "error":
        return "the server broke off while it replied"
    return None


def reply_of(
    raw: Mapping[str, Any],
    *,
    price: Mapping[str, Any] | None,
    batch: bool = False,
    seconds: float,
    at: str,
    stored: bool = False,
) -> Reply:
    """Return what a response that is a reply says; ``price`` is a card's."""
    choice = raw["choices"][0]
    message = choice["message"]
    usage = usage_of(raw)
    refusal = message.get("refusal")
    finish = "refusal" if refusal else str(choice.get("finish_reason") or "stop")
    logprobs = choice.get("logprobs") or {}
    return Reply(
        text=_text(message.get("content")) or _text(refusal),
        finish=finish,
        reasoning=_text(message.get("reasoning_content")) or _text(message.get("reasoning")),
        model=_text(raw.get("model")),
        prompt_tokens=usage["prompt"],
        cached_tokens=usage["cached"],
        completion_tokens=usage["completion"],
        usd=cost(usage["prompt"], usage["completion"], price, cached=usage["cached"], batch=batch),
        seconds=seconds,
        at=at,
        stored=stored,
        logprobs=logprobs.get("content") if isinstance(logprobs, Mapping) else None,
    )


def usage_of(raw: Mapping[str, Any]) -> dict[str, int | None]:
    """Return the counts of ``prompt``, ``cached`` and ``completion`` tokens; None where unknown."""
    usage = raw.get("usage")
    usage = usage if isinstance(usage, Mapping) else {}
    details = usage.get("prompt_tokens_details")
    details = details if isinstance(details, Mapping) else {}
    return {
        "prompt": _count(usage.get("prompt_tokens")),
        "cached": _count(details.get("cached_tokens")),
        "completion": _count(usage.get("completion_tokens")),
    }


def cost(
    prompt: int | None,
    completion: int | None,
    price: Mapping[str, Any] | None,
    *,
    cached: int | None = None,
    batch: bool = False,
) -> float | None:
    """Return US dollars for so many tokens, or None where counts or prices are not known."""
    price = price or {}
    of_prompt, of_completion = price.get("prompt"), price.get("completion")
    if prompt is None or completion is None or of_prompt is None or of_completion is None:
        return None
    of_cached = of_prompt if price.get("cached") is None else price["cached"]
    hit = min(cached or 0, prompt)
    usd = (prompt - hit) * of_prompt + hit * of_cached + completion * of_completion
    factor = price.get("batch", 1.0) if batch else 1.0
    return float(usd * factor / _MILLION)


def _text(content: object) -> str:
    """Return a message's text, clean; some servers give it as a list of parts."""
    if isinstance(content, Sequence) and not isinstance(content, str | bytes):
        parts = (part.get("text") for part in content if isinstance(part, Mapping))
        content = "".join(part for part in parts if isinstance(part, str))
    return clean(content) if isinstance(content, str) else ""


def _count(value: object) -> int | None:
    """Return a number of tokens, or None where a server claims what none can be."""
    if isinstance(value, bool) or not isinstance(value, int | float):
        return None
    return int(value) if 0 <= value < _MOST else None


def _told(error: object) -> str:
    message = error.get("message") if isinstance(error, Mapping) else None
    return short(str(message or error))


def short(text: str) -> str:
    """Return the beginning of what a server says of an error, clean."""
    text = clean(text.strip())
    return text if len(text) <= _SHORT else text[:_SHORT] + " ..."


def clean(text: str) -> str:
    """Return a text in NFC; half a surrogate pair, which no file can hold, becomes U+FFFD."""
    if text.isascii():
        return text
    return normalize("NFC", text.encode("utf-16", "surrogatepass").decode("utf-16", "replace"))
