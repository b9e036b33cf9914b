"""The parser of the paper (MTOB), to the letter; its mistakes are part of its figures.

Where the paper leaves things open, this does what the released labels show: segments and lines are
trimmed, "not mentioned in the grammar" is one of the values of WALS 81A, and a reply in which
nothing is found has no label (those that were released for such replies were put in by hand).
"""

from __future__ import annotations

import re
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from functools import lru_cache

from src.prompting.features import Feature
from src.prompting.statuses import without_answer
from src.records import Answer, Reply

_DROPPED = str.maketrans("", "", '*#."')


@dataclass(frozen=True)
class PaperAnswers:
    """Reads replies as the paper did; the labels are the feature's."""

    name: str = "paper"
    inputs: Sequence[str] | None = None

    def read(self, reply: Reply, feature: Feature) -> Answer:
        """Return what the paper's parser takes a reply for."""
        text = reply.text.lower().translate(_DROPPED)
        labels, found = _several(text, feature) if feature.multiple else _one(text, feature)
        return Answer("parsed", labels, found) if labels else without_answer(reply, found)


def _one(text: str, feature: Feature) -> tuple[Mapping[str, str], str]:
    labels = {label.lower(): label for label in feature.parts[0].labels}
    segments = text.split("conclusion:")
    if all(_has_letters(label) for label in labels):
        segments = [segment for segment in segments if _has_letters(segment)]
    found = _line(segments)
    if found in labels:
        return {"": labels[found]}, found
    contained = next((label for lower, label in labels.items() if lower in found), None)
    return ({} if contained is None else {"": contained}), found


def _line(segments: Sequence[str]) -> str:
    """Return the shorter of the outer lines of the shorter of the outer segments."""
    trimmed = [segment.strip() for segment in segments if segment.strip()]
    if not trimmed:
        return ""
    lines = min(trimmed[0], trimmed[-1], key=len).split("\n")
    return min(lines[0].strip(), lines[-1].strip(), key=len)


def _has_letters(text: str) -> bool:
    return any(character.isalpha() for character in text)


def _several(text: str, feature: Feature) -> tuple[Mapping[str, str], str]:
    match = _pattern(feature).search(text)
    if match is None:
        return {}, ""
    codes = zip(feature.parts, match.groups(), strict=True)
    return {part.id: code for part, code in codes}, match[0]


@lru_cache(maxsize=16)
def _pattern(feature: Feature) -> re.Pattern[str]:
    return re.compile(
        ", ".join(f"{re.escape(part.label.lower())}: ([01])" for part in feature.parts)
    )
