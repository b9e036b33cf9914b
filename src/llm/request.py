"""Requests to language models, and the keys that replies are stored by."""

from __future__ import annotations

import hashlib
import json
from collections.abc import Mapping
from dataclasses import dataclass, field
from typing import Any
from unicodedata import normalize

from src.errors import GrambenchError
from src.llm.card import ChatCard
from src.records import Question


@dataclass(frozen=True)
class Request:
    """A question as it is sent: ``body`` is the JSON of ``/chat/completions``.

    ``key`` is the SHA-256 of all that determines the reply, and of nothing else.
    """

    key: str
    question: Question = field(repr=False)
    body: Mapping[str, Any] = field(repr=False)


def make_request(question: Question, card: ChatCard) -> Request:
    """Return what is sent for a question.

    A repeat other than the first has a seed of its own, where the request has one.

    Raises:
        GrambenchError: the body holds something that JSON cannot.
    """
    body: dict[str, Any] = {"model": card.model}
    body["messages"] = [{"role": m.role, "content": m.content} for m in question.messages]
    body[card.max_tokens_name] = card.max_tokens
    for name in ("temperature", "top_p", "seed", "stop"):
        body[name] = getattr(card, name)
    body["response_format"] = _response_format(question)
    body = {name: value for name, value in (body | dict(card.extra)).items() if value is not None}
    body |= question.params
    body = {name: value for name, value in body.items() if value is not None}
    if question.repeat and "seed" in body:
        body["seed"] = _seed(body["seed"], card) + question.repeat
    body = nfc(body)
    return Request(request_key(body, card.weights, question.repeat), question, body)


def request_key(body: Mapping[str, Any], revision: str, repeat: int) -> str:
    """Return the key of a request: SHA-256 over canonical JSON, in hexadecimal."""
    parts = {"body": body, "revision": str(revision), "repeat": repeat}
    try:
        canonical = json.dumps(parts, sort_keys=True, separators=(",", ":"), allow_nan=False)
    except (TypeError, ValueError) as error:
        raise GrambenchError(
            f"A request to {body.get('model')} cannot be written as JSON: {error}. Look at"
            " llm.extra and the sampling in the card."
        ) from error
    return hashlib.sha256(canonical.encode()).hexdigest()


def nfc(value: Any) -> Any:
    """Return JSON-like data with all its strings in NFC, made of dicts and lists."""
    if isinstance(value, str):
        return normalize("NFC", value)
    if isinstance(value, Mapping):
        return {nfc(key): nfc(inner) for key, inner in value.items()}
    if isinstance(value, list | tuple):
        return [nfc(inner) for inner in value]
    return value


def _seed(value: object, card: ChatCard) -> int:
    if isinstance(value, bool) or not isinstance(value, int):
        raise card.fault(f"seed={value} must be a whole number.")
    return value


def _response_format(question: Question) -> dict[str, Any] | None:
    if question.schema is None:
        return None
    named = {"name": "answer", "strict": True, "schema": question.schema}
    return {"type": "json_schema", "json_schema": named}
