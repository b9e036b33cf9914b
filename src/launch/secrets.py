"""Keys and passwords that were put into a config: found before anything of it is written down."""

from __future__ import annotations

import re
from collections.abc import Iterator, Mapping, Sequence
from typing import Any

_VARIABLE = re.compile(r"[A-Za-z_][A-Za-z0-9_]*")
_PASSWORD = re.compile(r"://[^/?#\s]*@")
_NAMES = re.compile(r"api_?key|password|passwd|secret|authorization|access_token", re.IGNORECASE)
# what OpenAI, Anthropic, Hugging Face, Groq and Google begin their keys with
_KEY = re.compile(r"\b(sk-|hf_|gsk_|AIza)[\w-]{16,}")
_NOTHING = ("", "null", "???", "None")


def secret_in_overrides(overrides: Sequence[str]) -> str:
    """Say which override holds a key or a password, without showing it; ``""`` if none does."""
    pairs = (text.lstrip("+~").partition("=") for text in overrides)
    return _first((key, value.strip("'\"")) for key, _, value in pairs)


def secret_in(config: Mapping[str, Any]) -> str:
    """Say which entry of a resolved config holds a key or a password; ``""`` if none does."""
    return _first(_leaves(config))


def _first(entries: Iterator[tuple[str, str]]) -> str:
    return next((said for key, value in entries if (said := _said(key, value))), "")


def _said(key: str, value: str) -> str:
    name = key.rpartition(".")[2]
    if value in _NOTHING:
        return ""
    if name == "key_env":
        if all(_VARIABLE.fullmatch(part) for part in value.split(",")):
            return ""
        return (
            f"{key} is not the name of an environment variable. It names the variable that holds"
            " the key, such as OPENAI_API_KEY; a key itself has no place in a config."
        )
    if _PASSWORD.search(value):
        return (
            f"{key} holds a user or a password, which would be written down with every run. Give"
            " the address without; a key goes into the environment (llm.key_env)."
        )
    if _NAMES.search(name) or _KEY.search(value):
        return (
            f"{key} looks like a key, which would be written down with every run. Put it into the"
            " environment, and the variable's name into llm.key_env."
        )
    return ""


def _leaves(value: Any, prefix: str = "") -> Iterator[tuple[str, str]]:
    if isinstance(value, Mapping):
        for key, inner in value.items():
            yield from _leaves(inner, f"{prefix}.{key}" if prefix else str(key))
    elif isinstance(value, list | tuple):
        for inner in value:
            yield from _leaves(inner, prefix)
    elif isinstance(value, str):
        yield prefix, value
