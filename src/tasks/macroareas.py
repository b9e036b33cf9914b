"""Figures by macroarea or family: whether things go as well in all parts of the world."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import Any

import numpy as np

UNKNOWN = "unknown"

Row = Mapping[str, Any]


def macroarea_rows(rows: Sequence[Row], shown: Sequence[str]) -> list[dict[str, Any]]:
    """Return a row a macroarea: its number of grammars, and the means of the figures ``shown``."""
    return group_rows(rows, shown, by="macroarea")


def group_rows(rows: Sequence[Row], shown: Sequence[str], *, by: str) -> list[dict[str, Any]]:
    """Return a row a group: its number of grammars, and the means of the figures ``shown``.

    ``rows`` are those of grammars, ``by`` is what they are grouped by, such as ``family``; without
    it in any of them there is nothing to tell.
    """
    groups = sorted({row[by] for row in rows})
    found = []
    for group in groups if any(groups) else ():
        own = [row for row in rows if row[by] == group]
        means = {name: float(np.mean([row[name] for row in own])) for name in shown}
        found.append({by: group or UNKNOWN, "grammars": len(own), **means})
    return found


def macroarea_metrics(rows: Sequence[Row], name: str) -> dict[str, float]:
    """Return one figure and the number of grammars as metrics, from the rows of macroareas."""
    metrics: dict[str, float] = {}
    for row in rows:
        metrics[f"{name}/macroarea/{row['macroarea']}"] = row[name]
        metrics[f"grammars/macroarea/{row['macroarea']}"] = row["grammars"]
    return metrics
