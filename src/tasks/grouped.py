"""Figures of a classification by macroarea or family."""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from typing import Any

import numpy as np

from src.metrics.classification import F1S
from src.records import Grammar
from src.tasks.judging import Judged, exact_matches
from src.tasks.macroareas import UNKNOWN, group_rows

Row = dict[str, Any]


def rows_of_groups(grammars: Sequence[Grammar], parts: Sequence[Judged], by: str) -> list[Row]:
    """Return F1s by macroarea or family, a row a group; ``grammars`` are those of ``parts``.

    ``f1_micro`` is the share of right answers, where a grammar counts as the mean over its repeats
    and parts. Macro and weighted F1 are those of the group's grammars alone, by the run's
    ``labels``, and means over repeats and parts. Of several parts ``exact_match`` is the share of
    grammars in which all are right. Grammars without an answer that counts are left out.
    """
    right = [part.right() for part in parts]
    matches = exact_matches(parts)
    rows: list[Row] = []
    for place, grammar in enumerate(grammars):
        own = _share(repeat[place] for part in right for repeat in part)
        exact = _share(repeat[place] for repeat in matches)
        rows.append({by: getattr(grammar, by), "f1_micro": own, "exact_match": exact})
    counting = [row for row in rows if np.isfinite(row["f1_micro"])]
    micro = group_rows(counting, ["f1_micro"], by=by)
    exact_rows = group_rows(counting, ["exact_match"], by=by) if len(parts) > 1 else micro
    places: dict[str, list[int]] = {}
    for place, row in enumerate(rows):
        places.setdefault(row[by] or UNKNOWN, []).append(place)
    return [
        {**row, **_f1s([part.among(places[row[by]]) for part in parts]), **exact}
        for row, exact in zip(micro, exact_rows, strict=True)
    ]


def _f1s(parts: Sequence[Judged]) -> dict[str, float]:
    """Return macro and weighted F1: means over parts of means over the repeats that count."""
    repeats = [part.of_repeats() for part in parts]
    return {
        name: _mean(_mean(metrics[name] for metrics in own) for own in repeats) for name in F1S[1:]
    }


def _mean(values: Iterable[float]) -> float:
    finite = [value for value in values if np.isfinite(value)]
    return float(np.mean(finite)) if finite else float("nan")


def _share(right: Iterable[bool | None]) -> float:
    counting = [value for value in right if value is not None]
    return sum(counting) / len(counting) if counting else float("nan")
