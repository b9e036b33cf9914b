"""Typological features as conf/feature/ tells them."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import Any
from unicodedata import normalize

from src.errors import GrambenchError
from src.prompting.feature_checks import check_parts, check_texts
from src.prompting.feature_records import LANGUAGE, NO, YES, Feature, Part, Value
from src.prompting.gold import NOT_MENTIONED, gold_of, is_mentioned

__all__ = [
    "LANGUAGE",
    "NO",
    "NOT_MENTIONED",
    "YES",
    "Feature",
    "Part",
    "Value",
    "feature_of",
    "gold_of",
    "is_mentioned",
]


def feature_of(config: Mapping[str, Any]) -> Feature:
    """Read a feature from its config (conf/feature/).

    Raises:
        GrambenchError: naming feature.<key>: it has neither values nor parts, a label or alias
            stands for two things, ``not_mentioned`` is no label, or the like.
    """
    names = ("id", "title", "definition", "question", "counts", "guidelines", "not_mentioned")
    texts = {name: _text(config, name) for name in names}
    parts = _parts(config) if config.get("parts") else (Part("", "", _values(config)),)
    feature = Feature(parts=parts, multiple=bool(config.get("parts")), **texts)
    check_texts(feature)
    check_parts(feature)
    return feature


def _parts(config: Mapping[str, Any]) -> tuple[Part, ...]:
    values = _values(config) or (Value(YES), Value(NO))
    return tuple(
        Part(
            id=_text(entry, "id", f"parts[{at}]."),
            label=_text(entry, "label", f"parts[{at}]."),
            values=values,
            meaning=_text(entry, "meaning", f"parts[{at}]."),
            aliases=_texts(entry, "aliases", f"parts[{at}]."),
            annotations=_texts(entry, "annotations", f"parts[{at}]."),
        )
        for at, entry in enumerate(_entries(config, "parts"))
    )


def _values(config: Mapping[str, Any]) -> tuple[Value, ...]:
    return tuple(
        Value(
            label=_text(entry, "label", f"values[{at}]."),
            aliases=_texts(entry, "aliases", f"values[{at}]."),
            annotations=_texts(entry, "annotations", f"values[{at}]."),
            meaning=_text(entry, "meaning", f"values[{at}]."),
            offered=bool(entry.get("offered", True)),
        )
        for at, entry in enumerate(_entries(config, "values"))
    )


def _entries(config: Mapping[str, Any], key: str) -> Sequence[Mapping[str, Any]]:
    entries = config.get(key) or ()
    if isinstance(entries, str | Mapping) or not all(isinstance(e, Mapping) for e in entries):
        raise GrambenchError(f"feature.{key} must be a list of mappings, each with a label.")
    return list(entries)


def _text(config: Mapping[str, Any], key: str, within: str = "") -> str:
    text = config.get(key)
    if text is None:
        return ""
    if str(text) in {"True", "False"}:  # a text from Hydra, a bool from YAML
        raise GrambenchError(
            f"feature.{within}{key} is {text}. YAML takes yes, no, on, off, true, false for that:"
            ' put it in quotes, such as "yes".'
        )
    if not isinstance(text, str | int):
        raise GrambenchError(
            f'feature.{within}{key} must be text, not {text!r}. Put it in quotes: "{text}".'
        )
    return normalize("NFC", str(text)).strip()


def _texts(config: Mapping[str, Any], key: str, within: str) -> tuple[str, ...]:
    entries = config.get(key) or ()
    if isinstance(entries, str | Mapping):
        raise GrambenchError(f"feature.{within}{key} must be a list: [{entries}].")
    return tuple(
        _text({f"{key}[{at}]": entry}, f"{key}[{at}]", within) for at, entry in enumerate(entries)
    )
