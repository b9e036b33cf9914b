"""What a piece of a reply was read as."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, field


@dataclass(frozen=True, slots=True)
class Reading:
    """What a piece concludes: part id to label.

    There are no labels where the piece does conclude, but contradicts itself, says too little, or
    names several options or none that the feature has.
    """

    text: str
    labels: Mapping[str, str] = field(default_factory=dict)


def of_one(text: str, label: str) -> Reading:
    """Return the reading of a feature of one part; ``label`` is ``""`` where it has none."""
    return Reading(text, {"": label} if label else {})
