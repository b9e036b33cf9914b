"""Figures by macroarea: whether a search does as well in all parts of the world."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import Any

import numpy as np

UNKNOWN = "unknown"

Row = Mapping[str, Any]


def macroarea_rows(rows: Sequence[Row], shown: Sequence[str]) -> list[dict[str, Any]]:
    """Return a row a macroarea: its number of grammars, and the means of the figures ``shown``.

    ``rows`` are those of grammars; without a macroarea in any of them there is nothing to tell.
    """
    areas = sorted({row["macroarea"] for row in rows})
    found = []
    for area in areas if any(areas) else ():
        own = [row for row in rows if row["macroarea"] == area]
        means = {name: float(np.mean([row[name] for row in own])) for name in shown}
        found.append({"macroarea": area or UNKNOWN, "grammars": len(own), **means})
    return found


def macroarea_metrics(rows: Sequence[Row], name: str) -> dict[str, float]:
    """Return one figure and the number of grammars as metrics, from the rows of macroareas."""
    metrics: dict[str, float] = {}
    for row in rows:
        metrics[f"{name}/macroarea/{row['macroarea']}"] = row[name]
        metrics[f"grammars/macroarea/{row['macroarea']}"] = row["grammars"]
    return metrics
