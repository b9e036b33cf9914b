"""A reply with all that is kept of it, and its row in the reply store."""

from __future__ import annotations

import json
import zlib
from collections.abc import Mapping
from dataclasses import dataclass
from typing import Any

from src.llm.received import clean, usage_of

COLUMNS = (
    "key, model, revision, repeat, at, seconds, usd, batch, scope, finish, prompt_tokens, "
    "cached_tokens, completion_tokens, body, raw"
)
_INSERTED = f"{COLUMNS}, settings"
INSERT = (
    f"INSERT INTO replies ({_INSERTED}) VALUES ({', '.join('?' * len(_INSERTED.split()))}) "
    "ON CONFLICT (key) DO NOTHING"
)

# Long prompts are compressed, at the level whose time is hardly felt; the others make little.
_LEVEL = 1
_LONG = 8192


@dataclass(frozen=True, slots=True)
class KeptReply:
    """A reply: ``body`` is the request as it was sent, ``raw`` the response as it came."""

    key: str
    model: str
    revision: str
    repeat: int
    at: str
    seconds: float
    usd: float | None
    batch: bool
    scope: str
    finish: str
    prompt_tokens: int | None
    cached_tokens: int | None
    completion_tokens: int | None
    body: Mapping[str, Any]
    raw: Mapping[str, Any]


def keep(
    key: str,
    *,
    body: Mapping[str, Any],
    raw: Mapping[str, Any],
    seconds: float,
    at: str,
    usd: float | None,
    scope: str = "",
    batch: bool = False,
    repeat: int = 0,
    revision: str = "",
) -> KeptReply:
    """Return what is kept of a response to a request."""
    tokens = usage_of(raw)
    return KeptReply(
        key=key,
        model=str(body.get("model", "")),
        revision=revision,
        repeat=repeat,
        at=at,
        seconds=seconds,
        usd=usd,
        batch=batch,
        scope=scope,
        finish=_finish(raw),
        prompt_tokens=tokens["prompt"],
        cached_tokens=tokens["cached"],
        completion_tokens=tokens["completion"],
        body=body,
        raw=raw,
    )


def to_row(kept: KeptReply) -> tuple[object, ...]:
    """Return the values for INSERT."""
    return (
        kept.key,
        kept.model,
        kept.revision,
        kept.repeat,
        kept.at,
        kept.seconds,
        kept.usd,
        kept.batch,
        kept.scope,
        kept.finish,
        kept.prompt_tokens,
        kept.cached_tokens,
        kept.completion_tokens,
        pack(kept.body),
        pack(kept.raw),
        settings_of(kept.body),
    )


def from_row(row: tuple[Any, ...]) -> KeptReply:
    """Return the reply of a row of COLUMNS."""
    values = dict(zip(COLUMNS.split(", "), row, strict=True))
    values["batch"] = bool(values["batch"])
    values["body"] = unpack(values["body"])
    values["raw"] = unpack(values["raw"])
    return KeptReply(**values)


def settings_of(body: Mapping[str, Any]) -> str:
    """Return the sampling of a request, as JSON: all but model and messages."""
    rest = {name: value for name, value in body.items() if name not in ("model", "messages")}
    return json.dumps(rest, sort_keys=True)


def pack(value: Mapping[str, Any]) -> bytes:
    """Return JSON, compressed where it is long; escaped, so that odd Unicode stays as it came."""
    text = json.dumps(value, separators=(",", ":")).encode("ascii")
    return text if len(text) < _LONG else zlib.compress(text, _LEVEL)


def unpack(data: bytes) -> dict[str, Any]:
    """Return what was packed."""
    value: dict[str, Any] = json.loads(data if data[:1] == b"{" else zlib.decompress(data))
    return value


def _finish(raw: Mapping[str, Any]) -> str:
    choices = raw.get("choices")
    first = choices[0] if isinstance(choices, list | tuple) and choices else {}
    return clean(str(first.get("finish_reason") or "")) if isinstance(first, Mapping) else ""
