"""Keys and passwords that were put into a config: found before anything of it is written down."""

from __future__ import annotations

import os
import re
from collections.abc import Iterator, Mapping, Sequence
from typing import Any

from src.llm.keys import NO_VARIABLE, is_variable

_PASSWORD = re.compile(r"://[^/?#\s]*@")
_NAMES = re.compile(
    r"api_?key|password|passwd|secret|authorization|(access|auth|api)_?token", re.IGNORECASE
)
_HOLDS_ONE = re.compile(r"KEY|TOKEN|SECRET|PASSWORD", re.IGNORECASE)
_LEAST = 12  # characters of a variable's value that cannot be there by chance
# what OpenAI, Anthropic, Hugging Face, Groq and Google begin their keys with
_KEY = re.compile(r"\b(sk-|hf_|gsk_|AIza)[\w-]{16,}")
_WRITTEN = "which would be written down with every run."
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
        return "" if all(map(is_variable, value.split(","))) else NO_VARIABLE
    if variable := _variable_in(value):
        return f"{key} holds what is in the environment variable {variable}, {_WRITTEN}"
    if _PASSWORD.search(value):
        return f"{key} holds a user or a password, {_WRITTEN} {_instead(key)}"
    if _NAMES.search(name) or _KEY.search(value):
        return (
            f"{key} looks like a key, {_WRITTEN} Put it into the environment, and the variable's"
            " name into llm.key_env."
        )
    return ""


def _instead(key: str) -> str:
    if key == "tracking.uri":
        return (
            "Give them in the environment: MLFLOW_TRACKING_USERNAME and MLFLOW_TRACKING_PASSWORD."
        )
    return "Give the address without; a key goes into the environment (llm.key_env)."


def _variable_in(value: str) -> str:
    """Return the name of an environment variable whose secret is in a text."""
    secrets = ((name, of) for name, of in os.environ.items() if _HOLDS_ONE.search(name))
    return next((name for name, of in secrets if len(of) >= _LEAST and of in value), "")


def _leaves(value: Any, prefix: str = "") -> Iterator[tuple[str, str]]:
    if isinstance(value, Mapping):
        for key, inner in value.items():
            yield from _leaves(inner, f"{prefix}.{key}" if prefix else str(key))
    elif isinstance(value, list | tuple):
        for inner in value:
            yield from _leaves(inner, prefix)
    elif isinstance(value, str):
        yield prefix, value
