"""Answers in JSON: ``{"reasoning": ..., "conclusion": ...}``, fenced or with text around it."""

from __future__ import annotations

import json
import re
from collections.abc import Mapping
from typing import Any

_KEY = re.compile(r'"(?:final[_ ])?(?:conclusion|answer)"\s*:', re.IGNORECASE)
_NAMES = frozenset({"conclusion", "answer", "final_answer", "final answer", "final_conclusion"})
_NAMING = frozenset({"strategy", "feature", "subfeature", "sub-feature", "name", "label", "part"})
_MOST = 200


def conclusion_in_json(text: str) -> Any:
    """Return the conclusion of the last JSON object in a text that has one, else None."""
    if not _KEY.search(text):
        return None
    decoder = json.JSONDecoder(strict=False)
    found, at = None, text.find("{")
    for _ in range(_MOST):
        if at < 0:
            break
        try:
            value, end = decoder.raw_decode(text, at)
        except (ValueError, RecursionError):
            end = at + 1
        else:
            conclusion = _conclusion(value)
            found = found if conclusion is None else conclusion
        at = text.find("{", end)
    return found


def _conclusion(value: Any) -> Any:
    if not isinstance(value, Mapping):
        return None
    return next((value[key] for key in value if str(key).casefold() in _NAMES), None)


def as_text(conclusion: Any) -> str:
    """Return a conclusion as the plain text that says the same: names with codes, or one value."""
    if isinstance(conclusion, bool):
        return str(int(conclusion))
    if isinstance(conclusion, Mapping):
        key, *_ = [*conclusion, ""]
        if str(key).casefold() in _NAMING and len(conclusion) > 1:  # {"strategy": ..., "code": ...}
            return ": ".join(as_text(value) for value in list(conclusion.values())[:2])
        return "\n".join(f"{_name(key)}: {as_text(value)}" for key, value in conclusion.items())
    if isinstance(conclusion, list):
        return ", ".join(as_text(entry) for entry in conclusion)
    return str(conclusion)


def _name(key: Any) -> str:
    """Return a key such as ``word_order`` as words."""
    return str(key).replace("_", " ")
