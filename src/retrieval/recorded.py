"""Scores that someone recorded, for instance the similarities published with a paper."""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence
from pathlib import Path

import numpy as np

from src.corpus.pack import Pack, load_pack
from src.errors import GrambenchError, suggest
from src.records import Paragraph, Scores, Search


class RecordedReranker:
    """Takes its scores from the pack's table of recorded scores."""

    def __init__(
        self,
        name: str,
        inputs: Sequence[str],
        model: str,
        pack: Path | str,
        about: Mapping[str, object] | None = None,
    ) -> None:
        self.name = name
        self.inputs = tuple(inputs)
        self.model = model
        self.pack = pack

    def score(self, search: Search, paragraphs: Sequence[Paragraph]) -> Scores:
        """Return the recorded scores; a missing set or paragraph is a GrambenchError."""
        if not paragraphs:
            return np.zeros(0, dtype=np.float64)
        pack = load_pack(self.pack)
        wanted = (self.model, search.instruct_name, search.query_name, search.feature)
        if wanted not in set(pack.score_sets()):
            raise GrambenchError(_unknown_set(pack, wanted))
        scores = pack.scores(*wanted)
        missing = [paragraph.id for paragraph in paragraphs if paragraph.id not in scores]
        if missing:
            raise GrambenchError(
                f"Pack '{pack.name}' has no score recorded for {_some(missing)} by {_name(wanted)}."
                " Rerank only what was scored (retriever=given), or import the scores again."
            )
        return np.array([scores[paragraph.id] for paragraph in paragraphs], dtype=np.float64)


def _unknown_set(pack: Pack, wanted: tuple[str, str, str, str]) -> str:
    """Say which part of ``wanted`` is unknown, what there is instead, and what is near."""
    sets = pack.score_sets()
    if not sets:
        return (
            f"Pack '{pack.name}' has no recorded scores, so reranker=recorded has nothing to "
            "read. Choose another reranker, or import a pack with scores."
        )
    lines = [f"Pack '{pack.name}' has no scores recorded by {_name(wanted)}."]
    options = ("reranker.model", "instruct", "query", "feature")
    for option, value, known in zip(options, wanted, zip(*sets, strict=True), strict=True):
        there = list(dict.fromkeys(known))
        hint = "" if value in there else suggest(value, there)
        lines.append(f"  {option}: {', '.join(there)}{hint}")
    return "\n".join(lines)


def _name(wanted: tuple[str, str, str, str]) -> str:
    model, instruct, query, feature = wanted
    return f"model '{model}' with instruct '{instruct}' and query '{query}' for '{feature}'"


def _some(ids: Iterable[str], most: int = 3) -> str:
    listed = list(ids)
    shown = ", ".join(listed[:most])
    return shown if len(listed) <= most else f"{shown} and {len(listed) - most} more paragraphs"
