"""A sweep beside published figures: which cells it gives again, and which it does not."""

from __future__ import annotations

import csv
import math
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from pathlib import Path

from src.errors import GrambenchError
from src.launch.console import figure
from src.launch.markdown import markdown
from src.launch.outcome import Outcome

COLUMNS = ("feature", "setting", "metric", "value", "sd")
DECIMALS = 4
# half a unit of the last decimal, and the little that binary fractions are off
_HALF = 0.5 * 10.0**-DECIMALS + 1e-9
_SHOWN = 40


@dataclass(frozen=True)
class Cell:
    """A published figure, and what was measured in its place; NaN where nothing was.

    ``sd`` is the standard deviation over repeats, NaN where none was published.
    """

    feature: str
    setting: str
    metric: str
    value: float
    sd: float
    ours: float = math.nan
    ours_sd: float = math.nan

    @property
    def measured(self) -> bool:
        """Whether there is a figure to compare."""
        return math.isfinite(self.ours)

    @property
    def equal(self) -> bool:
        """Whether the figures are the same in the decimals that were published."""
        return _same(self.value, self.ours) and (
            math.isnan(self.sd) or _same(self.sd, self.ours_sd)
        )


def read_published(path: Path) -> list[Cell]:
    """Read a table of published figures, a CSV file with the columns of a Cell.

    Raises:
        GrambenchError: there is no such file, or a row of it is no figure.
    """
    try:
        with path.open(encoding="utf-8", newline="") as file:
            rows = list(csv.DictReader(file))
    except (OSError, UnicodeDecodeError, csv.Error) as error:
        raise GrambenchError(f"published: {path} cannot be read: {error}.") from error
    missing = [name for name in COLUMNS if not rows or name not in rows[0]]
    if missing:
        raise GrambenchError(f"published: {path} has no rows or no column {', '.join(missing)}.")
    return [_cell(path, number, row) for number, row in enumerate(rows, 2)]


def compare(
    cells: Sequence[Cell], outcomes: Sequence[Outcome], chosen: Mapping[str, tuple[str, str]]
) -> list[Cell]:
    """Put what runs measured into the cells; ``chosen`` is each run's feature and setting."""
    measured = {chosen[o.name]: o.metrics for o in outcomes if o.succeeded and o.name in chosen}
    return [_filled(cell, measured.get((cell.feature, cell.setting), {})) for cell in cells]


def summary(cells: Sequence[Cell], source: str) -> str:
    """Say in words how many cells are equal, and list those that are not."""
    measured = [cell for cell in cells if cell.measured]
    equal = sum(cell.equal for cell in measured)
    lines = [
        f"{source}: {equal} of {len(measured)} figures equal to {DECIMALS} decimals"
        + (f"; {len(cells) - len(measured)} more have no run here" if measured != cells else "")
        + "."
    ]
    different = [row for cell in measured for row in _different(cell)]
    if different:
        lines.append(markdown(["figure", "published", "here", "difference"], different[:_SHOWN]))
    if len(different) > _SHOWN:
        lines.append(f"... and {len(different) - _SHOWN} more, in published.csv")
    return "\n".join(lines)


def write_comparison(path: Path, cells: Sequence[Cell]) -> None:
    """Write all cells with both figures as CSV; what was not measured is empty."""
    with path.open("w", encoding="utf-8", newline="") as file:
        writer = csv.writer(file, lineterminator="\n")
        writer.writerow([*COLUMNS, "ours", "ours_sd", "equal"])
        for cell in cells:
            figures = (cell.value, cell.sd, cell.ours, cell.ours_sd)
            equal = str(cell.equal).lower() if cell.measured else ""
            names = (cell.feature, cell.setting, cell.metric)
            writer.writerow([*names, *("" if math.isnan(x) else x for x in figures), equal])


def _cell(path: Path, number: int, row: Mapping[str, str | None]) -> Cell:
    try:
        value, sd = float(row["value"] or ""), float(row["sd"] or "nan")
    except ValueError as error:
        raise GrambenchError(f"published: {path}, row {number}: {error}.") from error
    return Cell(row["feature"] or "", row["setting"] or "", row["metric"] or "", value, sd)


def _filled(cell: Cell, metrics: Mapping[str, float]) -> Cell:
    names = (cell.feature, cell.setting, cell.metric)
    ours, ours_sd = (metrics.get(cell.metric + end, math.nan) for end in ("", "_sd"))
    return Cell(*names, cell.value, cell.sd, ours, ours_sd)


def _same(published: float, ours: float) -> bool:
    return abs(published - ours) <= _HALF


def _different(cell: Cell) -> list[list[str]]:
    """Return a row for the figure, and one for its SD, where they are not the same."""
    what = f"{cell.feature} {cell.setting} {cell.metric}"
    pairs = [(what, cell.value, cell.ours), (f"{what}, SD", cell.sd, cell.ours_sd)]
    return [
        [name, f"{theirs:.{DECIMALS}f}", figure(ours), figure(ours - theirs, sign="+")]
        for name, theirs, ours in pairs
        if not (math.isnan(theirs) or _same(theirs, ours))
    ]
