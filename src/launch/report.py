"""A sweep's results as files: in the sweep's folder, on its parent run, and for DVC."""

from __future__ import annotations

import csv
import math
from collections.abc import Sequence
from pathlib import Path

from src.launch.console import sweep_table
from src.launch.files import write_json
from src.launch.outcome import Outcome
from src.tasks.figures import draw_runs


def write_report(folder: Path, outcomes: Sequence[Outcome]) -> None:
    """Write the headline figures as metrics.json and table.md, each curve as CSV and PNG."""
    folder.mkdir(parents=True, exist_ok=True)
    done = [outcome for outcome in outcomes if outcome.succeeded]
    write_json(folder / "metrics.json", {outcome.name: _headline(outcome) for outcome in done})
    for name in dict.fromkeys(name for outcome in done for name in outcome.curves):
        _write_curve(folder / f"{name}.csv", name, done)
        draw_runs(
            folder / f"{name}.png",
            {outcome.name: outcome.curves.get(name, ()) for outcome in done},
            title=f"{len(done)} runs",
            ylabel=name,
        )
    (folder / "table.md").write_text(sweep_table(outcomes) + "\n", encoding="utf-8")


def _headline(outcome: Outcome) -> dict[str, float]:
    figures = {name: outcome.metrics.get(name, math.nan) for name in outcome.headline}
    return {name: value for name, value in figures.items() if math.isfinite(value)}


def _write_curve(path: Path, name: str, outcomes: Sequence[Outcome]) -> None:
    with path.open("w", encoding="utf-8", newline="") as file:
        writer = csv.writer(file, lineterminator="\n")
        writer.writerow(["run", "k", name])
        for outcome in outcomes:
            for step, value in enumerate(outcome.curves.get(name, ()), 1):
                writer.writerow([outcome.name, step, value])
