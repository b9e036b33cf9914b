"""A workplace whose pack can be classified, for tests of commands."""

from __future__ import annotations

import csv
from pathlib import Path

from tests.packs import GRADES

VALUES = {"alpha": "SOV", "beta": "SVO", "gamma": "SOV"}
CLASSIFY = ("task=classify", "retriever=none", "reranker=none", "task.resamples=20")


def make_classifiable(pack: Path) -> None:
    """Give every grammar a value, and replies of a setting named baseline."""
    _write(pack / "values.csv", ["feature", "grammar", "value"], VALUES.items())
    replies = [("baseline", 0, name, "Conclusion: SOV", "SOV") for name in GRADES]
    columns = ["feature", "setting", "repeat", "grammar", "text", "label"]
    _write(pack / "replies.csv", columns, replies)


def _write(path: Path, header: list[str], rows) -> None:
    with path.open("w", encoding="utf-8", newline="") as file:
        csv.writer(file).writerows([header, *(["wals_81a", *row] for row in rows)])
