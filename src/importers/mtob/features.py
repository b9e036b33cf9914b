"""The features, as the clone's folders and columns call them."""

from __future__ import annotations

import re

from src.corpus.text import nfc

# Paragraphs are numbered in this order of their features; others follow by name.
ORDER = ("wals_81a", "gb_107", "wals_116a", "wals_49a")


def feature_id(name: str) -> str:
    """Return the id of a feature by its name in the clone: ``wals_81a`` for ``WALS 81A``."""
    return re.sub(r"\s+", "_", nfc(name).strip().lower())


def rank(feature: str) -> tuple[int, str]:
    """Return what features are sorted by."""
    return (ORDER.index(feature) if feature in ORDER else len(ORDER), feature)
