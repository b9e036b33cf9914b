"""Which recorded runs have what was chosen on a command line, as ``llm=uniform rerank.k=3``."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

import yaml

_NAMED_BY = {"feature": "feature.id"}


def choices_in(text: str) -> dict[str, str]:
    """Return the choices that a text consists of; none where a word of it is no ``key=value``."""
    pairs = [word.lstrip("+").partition("=") for word in text.split()]
    if not all(key and sign for key, sign, _ in pairs):
        return {}
    return {key: value for key, _, value in pairs}


def agree(choices: Mapping[str, str], params: Mapping[str, str]) -> bool:
    """Whether a run's recorded parameters are those of the choices.

    A key is a parameter (``rerank.k``, ``seed``) or a group, whose choice is recorded as its name.
    """
    return all(_is(params, key, value) for key, value in choices.items())


def _is(params: Mapping[str, str], key: str, value: str) -> bool:
    name = key if key in params or "." in key else _NAMED_BY.get(key, f"{key}.name")
    if name not in params:
        return False
    return params[name] == value or _read(params[name]) == _read(value)


def _read(text: str) -> tuple[bool, Any]:
    """Return a value as YAML has it, truth values apart from numbers: 0, 0.0 and -0.0 are one."""
    try:
        value = yaml.safe_load(text)
    except yaml.YAMLError:
        value = text
    return isinstance(value, bool), value
