"""The labels that were released with recorded replies."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from functools import lru_cache

from src.errors import GrambenchError
from src.prompting.features import Feature
from src.prompting.labels import normal
from src.prompting.statuses import without_answer
from src.records import Answer, Reply


@dataclass(frozen=True)
class ReleasedAnswers:
    """Takes the labels as they were released, whatever the reply says."""

    name: str = "released"
    inputs: Sequence[str] | None = None

    def read(self, reply: Reply, feature: Feature) -> Answer:
        """Return the label released with a reply; a reply without one has no answer.

        Raises:
            GrambenchError: the reply is not a recorded one.
        """
        if reply.label is None:
            raise GrambenchError(
                "answers=released takes the labels released with recorded replies (llm=recorded);"
                " these replies have none. Use answers=default, which reads the replies themselves."
            )
        labels = _several(reply.label, feature) if feature.multiple else _one(reply.label, feature)
        if labels:
            return Answer("parsed", labels, reply.label)
        return without_answer(reply, reply.label)


@lru_cache(maxsize=4096)
def _one(released: str, feature: Feature) -> Mapping[str, str]:
    for value in feature.parts[0].values:
        if normal(released) in map(normal, (value.label, *value.aliases, *value.annotations)):
            return {"": value.label}
    return {}


@lru_cache(maxsize=4096)
def _several(released: str, feature: Feature) -> Mapping[str, str]:
    """Read ``label: code`` pairs with commas between them; all parts must have one."""
    pairs = [pair.rpartition(":") for pair in released.split(",")]
    codes = {normal(label): code.strip() for label, _, code in pairs}
    labels = {part.id: codes.get(normal(part.label), "") for part in feature.parts}
    known = all(labels[part.id] in part.labels for part in feature.parts)
    return labels if known else {}
