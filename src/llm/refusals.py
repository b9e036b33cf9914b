"""Responses of an endpoint that are no replies: is it worth asking again, and when?"""

from __future__ import annotations

import json
import math
import time
from collections.abc import Mapping
from email.utils import parsedate_to_datetime
from typing import Any

from src.errors import GrambenchError
from src.llm.outcomes import Again, Never
from src.llm.received import short

_AGAIN = {408, 409, 425, 429}
_STOP = {401, 402, 403}
LONGEST_WAIT = 900.0
"""Seconds; an endpoint that wants to be left alone for longer is."""

_TOO_LONG = (
    "context_length_exceeded",  # OpenAI
    "exceed_context_size",  # llama.cpp
    "maximum context length",  # vLLM, OpenAI
    "context window",
    "exceeds the available context size",
    "prompt is too long",
)


def refused(status: int, headers: Mapping[str, str], text: str) -> Again | Never | GrambenchError:
    """Return what a status of 400 or more means; ``text`` is the response's, without the key.

    It is a GrambenchError where there is no use in sending this endpoint anything more. It is not
    raised here, where the exception that is being handled may hold the key and would be shown too.
    """
    error = _error_of(text)
    said = short(str(error.get("message") or text))
    why = f"HTTP {status}" + (f": {said}" if said else "")
    if status in _STOP or error.get("code") == "insufficient_quota":
        return GrambenchError(
            f"The endpoint refuses to answer ({why}). Nothing more was sent; what it replied"
            " before is stored. " + _advice(status)
        )
    if status != 429 and _is_too_long(error, said):
        return Never("too_long", why)
    if status in _AGAIN or status >= 500:
        wait = retry_after(headers)
        if wait is not None and wait > LONGEST_WAIT:
            return GrambenchError(
                f"The endpoint takes nothing more for {wait / 60:.0f} minutes ({why}). What it"
                " replied before is stored: start again then, and only the rest is sent."
            )
        return Again(why, too_many=status == 429, wait=wait)
    return Never("rejected", why)


def retry_after(headers: Mapping[str, str]) -> float | None:
    """Return the seconds that a response says to wait, or None where it does not say."""
    for name, unit in (("retry-after-ms", 1000.0), ("retry-after", 1.0)):
        value = headers.get(name)
        if value is None:
            continue
        try:
            seconds = float(value) / unit
        except ValueError:
            seconds = _until(value)
        if math.isfinite(seconds):
            return max(0.0, seconds)
    return None


def _until(date: str) -> float:
    try:
        return parsedate_to_datetime(date).timestamp() - time.time()
    except (TypeError, ValueError, OverflowError):
        return math.nan


def _advice(status: int) -> str:
    if status == 401:
        return "Is the key in the variable that llm.key_env names the right one?"
    if status == 403:
        return "Does the key have access to this model?"
    return "Look at the account's quota and billing."


def _is_too_long(error: Mapping[str, Any], said: str) -> bool:
    told = f"{error.get('code')} {error.get('type')} {said}".lower()
    return any(words in told for words in _TOO_LONG)


def _error_of(text: str) -> Mapping[str, Any]:
    try:
        parsed = json.loads(text)
    except ValueError:
        return {}
    error = parsed.get("error", parsed) if isinstance(parsed, dict) else None
    return error if isinstance(error, dict) else {}
