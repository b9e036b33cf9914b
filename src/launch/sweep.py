"""A sweep: plan its cells, run what is missing, report all of it."""

from __future__ import annotations

import hashlib
import os
from collections.abc import Callable, Sequence
from dataclasses import dataclass, replace
from pathlib import Path
from typing import Any

from omegaconf import DictConfig, OmegaConf

from src.errors import GrambenchError
from src.launch import console
from src.launch.cells import Cell, as_overrides, names, quoted
from src.launch.choices import unknown_choice
from src.launch.job import identity_of, message, open_tracker, reused
from src.launch.outcome import Outcome
from src.launch.report import write_report
from src.tracking.store import Tracker

Launch = Callable[[Sequence[Sequence[str]], int], Sequence[Any]]
Compose = Callable[[list[str]], DictConfig]


@dataclass(frozen=True)
class Planned:
    """A cell and what is known of it before it runs; an ``outcome`` means that it need not run."""

    name: str
    cell: Cell
    identity: str
    outcome: Outcome | None = None


def run_sweep(cfg: DictConfig, cells: Sequence[Cell], compose: Compose, launch: Launch) -> bool:
    """Run the cells that have no finished run yet, as children of one parent run.

    A cell that cannot be composed or fails stops no other, unless ``on_error=stop``.

    Returns:
        Whether every cell has a result.
    """
    if cfg.on_error not in ("continue", "stop"):
        raise GrambenchError(f"on_error is '{cfg.on_error}': give continue or stop.")
    tracker = open_tracker(cfg) if cfg.tracking.enabled else None
    if tracker is not None and (left := tracker.reap()):
        console.say(f"{left} runs of a process that died are now marked KILLED.")
    plan = _plan(cfg, cells, compose, tracker)
    missing = [planned for planned in plan if planned.outcome is None]
    broken = [p.outcome for p in plan if p.outcome is not None and not p.outcome.succeeded]
    console.say(
        f"{len(plan)} runs: {len(plan) - len(missing) - len(broken)} finished before,"
        f" {len(missing)} to do"
        + (f", {len(broken)} that cannot be composed" if broken else "")
        + "."
    )
    for outcome in broken:
        console.say(console.run_line(outcome))
    outcomes = _with_parent(cfg, plan, tracker, launch)
    return _report(cfg, outcomes)


def _plan(
    cfg: DictConfig, cells: Sequence[Cell], compose: Compose, tracker: Tracker | None
) -> list[Planned]:
    """Compose every cell once, drop those of equal identity, and look up what is finished."""
    plan: dict[str, Planned] = {}
    for name, cell in zip(names(cells), cells, strict=True):
        try:
            composed = compose(as_overrides(cell))
            identity = identity_of(composed)
        except Exception as error:
            plan[name] = Planned(name, cell, "", _uncomposed(name, cell, error))
            continue
        if identity not in plan:
            found = reused(tracker, name, identity) if tracker and not cfg.force else None
            plan[identity] = Planned(name, cell, identity, found and replace(found, name=name))
    return list(plan.values())


def _uncomposed(name: str, cell: Cell, error: Exception) -> Outcome:
    said = unknown_choice(as_overrides(cell)) or message(error)
    return Outcome(name, "failed", error=said)


def _with_parent(
    cfg: DictConfig, plan: Sequence[Planned], tracker: Tracker | None, launch: Launch
) -> list[Outcome]:
    """Run what is missing under the sweep's parent run; without anything to do there is none."""
    todo = [planned for planned in plan if planned.outcome is None]
    known = {p.name: p.outcome for p in plan if p.outcome is not None}
    failed_before = [o for o in known.values() if not o.succeeded]
    if tracker is None:
        known |= _launch(cfg, todo, launch, [])
    elif todo or failed_before:
        sweep_identity = _sweep_identity(plan)
        with tracker.sweep(_sweep_name(cfg), sweep_identity, _parent_params(cfg)) as parent:
            for outcome in failed_before:
                _record_failure(tracker, outcome, parent.run_id)
            hidden = [f"tracking.parent={parent.run_id}"]
            known |= _launch(cfg, todo, launch, hidden)
            outcomes = list(known.values())
            failed = sum(not outcome.succeeded for outcome in outcomes)
            parent.log({"runs": len(outcomes), "runs_without_result": failed})
    return [known[planned.name] for planned in plan]


def _launch(
    cfg: DictConfig, todo: Sequence[Planned], launch: Launch, hidden: Sequence[str]
) -> dict[str, Outcome]:
    """Hand the cells to Hydra's launcher; with ``on_error=stop`` a few at a time."""
    outcomes: dict[str, Outcome] = {}
    size = _parallel_jobs(cfg) if cfg.on_error == "stop" else max(len(todo), 1)
    for start in range(0, len(todo), size):
        batch = todo[start : start + size]
        if cfg.on_error == "stop" and any(not o.succeeded for o in outcomes.values()):
            reason = "not started: a run before it failed (on_error=stop)"
            outcomes |= {p.name: Outcome(p.name, "skipped", error=reason) for p in todo[start:]}
            break
        overrides = [
            [*as_overrides(p.cell), *hidden, f"tracking.run_name={quoted(p.name)}"] for p in batch
        ]
        for planned, job in zip(batch, launch(overrides, start), strict=True):
            outcomes[planned.name] = _outcome(planned.name, job)
    return outcomes


def _outcome(name: str, job: Any) -> Outcome:
    """Read Hydra's job return; what failed outside our own code has only an exception."""
    value = job._return_value
    if isinstance(value, Outcome):
        return value
    return Outcome(name, "failed", folder=job.working_dir or "", error=message(value))


def _parallel_jobs(cfg: DictConfig) -> int:
    jobs = OmegaConf.select(cfg, "hydra.launcher.n_jobs", default=1) or 1
    return int(jobs) if jobs > 0 else os.cpu_count() or 1


def _record_failure(tracker: Tracker, outcome: Outcome, parent: str) -> None:
    try:
        with tracker.run(outcome.name, parent=parent):
            raise GrambenchError(outcome.error)
    except GrambenchError:
        return


def _sweep_identity(plan: Sequence[Planned]) -> str:
    parts = sorted(planned.identity or planned.name for planned in plan)
    return hashlib.sha256("\n".join(parts).encode()).hexdigest()


def _sweep_name(cfg: DictConfig) -> str:
    experiment = OmegaConf.select(cfg, "hydra.runtime.choices.experiment")
    return str(experiment or f"sweep of {cfg.task.name} on {cfg.data.name}")


def _parent_params(cfg: DictConfig) -> dict[str, Any]:
    return {"task": cfg.task.name, "overrides": " ".join(cfg.hydra.overrides.task)}


def _report(cfg: DictConfig, outcomes: Sequence[Outcome]) -> bool:
    console.say()
    console.say(console.sweep_table(outcomes))
    if cfg.report:
        write_report(Path(cfg.report), outcomes)
        console.say(f"\nWritten to {cfg.report}/: metrics.json, table.md and the curves.")
    lost = console.failure_table(outcomes)
    if lost:
        console.complain(f"\n{lost}")
    return not lost
