"""Small features for tests."""

from __future__ import annotations

from typing import Any

ONE: dict[str, Any] = {
    "id": "tones",
    "title": "Tones",
    "question": "How many tones has {language}?",
    "counts": "Pitch accents do not count.",
    "values": [
        {"label": "none", "aliases": ["no tones"], "annotations": ["toneless"]},
        {"label": "two", "meaning": "a high and a low one"},
        {"label": "three-or-more", "aliases": ["many"]},
        {"label": "unstated", "offered": False, "annotations": ["n/a"]},
    ],
    "not_mentioned": "unstated",
}
SEVERAL: dict[str, Any] = {
    "id": "plurals",
    "title": "Plurals",
    "question": "How does {language} mark plurals?",
    "values": [{"label": "1"}, {"label": "0", "annotations": ["unmarked"]}],
    "parts": [
        {"id": "suffix", "label": "Plural suffix", "aliases": ["suffix"]},
        {"id": "word", "label": "Plural word", "annotations": ["Plural particle"]},
        {"id": "tone", "label": "Plural tone", "meaning": "another tone of the noun"},
    ],
}


def with_changes(feature: dict[str, Any], **changes: Any) -> dict[str, Any]:
    """Return a feature's config with other values; None leaves a key out."""
    return {key: value for key, value in {**feature, **changes}.items() if value is not None}
