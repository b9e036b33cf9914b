"""Clones to spoil: where their files lie, how to change a cell, what the report says."""

from __future__ import annotations

import csv
from pathlib import Path

from tests.mtob_clone import Clone, read_rows, write_rows


def report(folder: Path) -> list[dict[str, str]]:
    with (folder / "import_report.csv").open(encoding="utf-8", newline="") as file:
        return list(csv.DictReader(file))


def benchmark(clone: Clone, stem: str) -> Path:
    return clone.root / "rerankers_benchmark" / f"{stem}.csv"


def metrics(clone: Clone, stem: str) -> Path:
    return clone.root / "rerankers_metrics" / f"{stem}.csv"


def change(path: Path, row: int, column: str, value: str) -> None:
    """Change a cell; rows count as in a spreadsheet."""
    rows = read_rows(path)
    rows[row - 1][rows[0].index(column)] = value
    write_rows(path, rows)
