"""Parameters, names and metrics in the shape that MLflow accepts."""

from __future__ import annotations

import hashlib
import math
import re
from collections.abc import Mapping
from typing import Any

PARAM_LENGTH = 6000  # MLflow refuses longer values, and the whole batch with them
KEY_LENGTH = 250
_NOT_ALLOWED = re.compile(r"[^\w\-. /]")
_PATH_LIKE = re.compile(r"(^|/)(\.{0,2})(?=/|$)")


def key(name: str) -> str:
    """Return a name that MLflow takes for a parameter or a metric.

    MLflow allows letters, digits, ``_ - . /`` and space, and no part of a path such as ``..``. A
    name that must be altered ends in a short hash, so that no two become one.
    """
    clean = _PATH_LIKE.sub(lambda m: m.group(1) + "_" * (len(m.group(2)) + 1), name)
    clean = _NOT_ALLOWED.sub("_", clean)
    clean = re.sub(r"^\.\.", "__", clean)  # MLflow takes any such name for a way out of a folder
    if clean == name and len(name) <= KEY_LENGTH:
        return name
    digest = hashlib.sha256(name.encode()).hexdigest()[:8]
    return f"{clean[: KEY_LENGTH - 9].rstrip('/')}_{digest}"


def flatten(config: Mapping[str, Any]) -> dict[str, str]:
    """Flatten a nested config to dotted keys and values as text, ready for MLflow.

    A value over MLflow's limit is cut and says so; the config artifact holds it whole.
    """
    return {key(name): clip(_text(value)) for name, value in _walk("", config)}


def clip(text: str, length: int = PARAM_LENGTH, whole: str = "config.yaml") -> str:
    """Cut a text to MLflow's limit, saying that it was cut and which file has it whole."""
    if len(text) <= length:
        return text
    note = f" … ({len(text)} characters; whole in {whole})"
    return text[: length - len(note)] + note


def finite(metrics: Mapping[str, float]) -> dict[str, float]:
    """Drop what is undefined: MLflow would draw a NaN as if it were a figure."""
    return {key(name): float(value) for name, value in metrics.items() if math.isfinite(value)}


def _walk(prefix: str, value: Any) -> list[tuple[str, Any]]:
    if isinstance(value, Mapping) and value:
        pairs = [(f"{prefix}.{name}" if prefix else str(name), v) for name, v in value.items()]
        return [leaf for name, inner in pairs for leaf in _walk(name, inner)]
    return [(prefix, value)]


def _text(value: Any) -> str:
    return "" if value is None else str(value)
