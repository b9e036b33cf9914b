"""What a person reads in the terminal."""

from __future__ import annotations

import math
import os
import sys
from collections.abc import Sequence
from typing import Literal

from src.launch.markdown import markdown
from src.launch.notes import noted
from src.launch.outcome import Outcome

MARKS = {"finished": "+", "reused": "=", "failed": "x", "skipped": "-"}
_SD = "_sd"


def say(text: str = "") -> None:
    """Print at once, whatever the launcher buffers."""
    try:
        print(text, flush=True)
    except BrokenPipeError:
        # whoever read along (``| head``) has gone: that is no reason to end a sweep
        os.dup2(os.open(os.devnull, os.O_WRONLY), sys.stdout.fileno())


def complain(text: str) -> None:
    """Print an error for a person."""
    print(text, file=sys.stderr, flush=True)


def figure(value: float, sign: Literal["-", "+"] = "-") -> str:
    """Write a metric: counts (int) as they are, else four decimals, undefined as a dash.

    ``sign="+"`` writes that of positive figures, too.
    """
    if not math.isfinite(value):
        return "–"
    return str(value) if isinstance(value, int) else f"{value:{sign}.4f}"


def run_line(outcome: Outcome) -> str:
    """Say in one line how a run of a sweep ended."""
    mark = MARKS[outcome.status]
    if outcome.status == "failed":
        log = f"\n    log: {outcome.folder}/run.log" if outcome.folder else ""
        return f"{mark} {outcome.name}\n    {outcome.error}{log}"
    first = outcome.headline[:1]
    figures = "  ".join(f"{name} {figure(outcome.metrics[name])}" for name in first)
    return f"{mark} {outcome.name}  {figures}  ({outcome.seconds:.2f} s)"


def run_table(outcome: Outcome) -> str:
    """Lay out one run's figures, the headline first, then the rest."""
    first = [name for name in outcome.headline if name in outcome.metrics]
    names = first + [name for name in outcome.metrics if name not in first]
    width = max(map(len, names), default=0)
    lines = [f"{name:<{width}}  {figure(outcome.metrics[name]):>8}" for name in names]
    return "\n".join([*lines, *(f"note: {note}" for note in outcome.notes)])


def sweep_table(outcomes: Sequence[Outcome]) -> str:
    """Lay out a sweep's runs as a Markdown table, a run a row, in the order of the sweep.

    A deviation over repeats, ``f1_micro_sd``, stands in the cell of its mean.
    """
    done = [outcome for outcome in outcomes if outcome.succeeded]
    names = dict.fromkeys(name for outcome in done for name in outcome.headline)
    columns = [
        name for name in names if not (name.endswith(_SD) and name.removesuffix(_SD) in names)
    ]
    rows = [[_in_a_cell(o.name), *(_with_sd(o, c) for c in columns)] for o in done]
    notes = noted({outcome.name: outcome.notes for outcome in done})
    return "\n".join([markdown(["run", *columns], rows), *notes])


def _with_sd(outcome: Outcome, name: str) -> str:
    mean = figure(outcome.metrics.get(name, math.nan))
    sd = outcome.metrics.get(f"{name}{_SD}", math.nan)
    shown = f"{name}{_SD}" in outcome.headline and math.isfinite(sd)
    return f"{mean} ± {figure(sd)}" if shown else mean


def _in_a_cell(name: str) -> str:
    return " ".join(name.split()).replace("|", "\\|")


def failure_table(outcomes: Sequence[Outcome]) -> str:
    """List the runs that failed or were not started, with their reasons; ``""`` if none."""
    lost = [o for o in outcomes if not o.succeeded]
    if not lost:
        return ""
    lines = [f"{len(lost)} of {len(outcomes)} runs have no result:"]
    for outcome in lost:
        lines.append(f"  {MARKS[outcome.status]} {outcome.name}: {outcome.error}")
        if outcome.folder:
            lines.append(f"      log: {outcome.folder}/run.log")
    return "\n".join(lines)
