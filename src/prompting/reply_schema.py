"""The JSON schema of replies, where servers support one."""

from __future__ import annotations

from typing import Any

from src.prompting.features import NO, YES, Feature


def reply_schema(feature: Feature) -> dict[str, Any]:
    """Return the schema of {reasoning, conclusion}.

    The conclusion is an offered label or, of a feature of several parts, an object with "1" or
    "0" under the label of each. Every key is required and no other allowed, as strict servers ask.
    """
    if feature.multiple:
        conclusion = _object({part.label: _one_of(YES, NO) for part in feature.parts})
    else:
        conclusion = _one_of(*(option.label for option in feature.options))
    # the reasoning comes first, so that the conclusion can follow from it
    return _object({"reasoning": {"type": "string"}, "conclusion": conclusion})


def _one_of(*labels: str) -> dict[str, Any]:
    return {"type": "string", "enum": list(labels)}


def _object(properties: dict[str, Any]) -> dict[str, Any]:
    return {
        "type": "object",
        "properties": properties,
        "required": list(properties),
        "additionalProperties": False,
    }
