"""A sweep: plan its cells, run what is missing, report all of it."""

from __future__ import annotations

import hashlib
import os
from collections.abc import Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import Any

from hydra.plugins.launcher import Launcher
from omegaconf import DictConfig, OmegaConf

from src.errors import GrambenchError
from src.launch import console
from src.launch.cells import Cell, as_overrides, names
from src.launch.choices import unknown_choice
from src.launch.job import identity_of, message, open_tracker, resolved, reused
from src.launch.outcome import Outcome
from src.launch.planned import PlannedLoader
from src.launch.report import write_report
from src.tracking.store import Tracker


@dataclass(frozen=True)
class Planned:
    """A cell and what is known of it before it runs; an ``outcome`` means that it need not run."""

    name: str
    cell: Cell
    identity: str = ""
    config: DictConfig | None = None
    outcome: Outcome | None = None


def run_sweep(
    cfg: DictConfig, cells: Sequence[Cell], loader: PlannedLoader, launcher: Launcher
) -> bool:
    """Run the cells that have no finished run yet, as children of one parent run.

    A cell that cannot be composed or fails stops no other, unless ``on_error=stop``.

    Returns:
        Whether every cell has a result.
    """
    if cfg.on_error not in ("continue", "stop"):
        raise GrambenchError(f"on_error is '{cfg.on_error}': give continue or stop.")
    tracker = open_tracker(cfg) if cfg.tracking.enabled else None
    plan = _plan(cfg, cells, loader, tracker)
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
    outcomes = _with_parent(cfg, plan, tracker, Launching(cfg, loader, launcher))
    return _report(cfg, outcomes)


def _plan(
    cfg: DictConfig, cells: Sequence[Cell], loader: PlannedLoader, tracker: Tracker | None
) -> list[Planned]:
    """Compose every cell once, drop those of equal identity, and look up what is finished."""
    plan: dict[str, Planned] = {}
    for name, cell in zip(names(cells), cells, strict=True):
        try:
            composed = loader.load_sweep_config(cfg, as_overrides(cell))
            identity = identity_of(resolved(composed))
        except Exception as error:
            plan[name] = Planned(name, cell, outcome=_uncomposed(name, cell, error))
            continue
        if identity not in plan:
            found = reused(tracker, name, identity) if tracker and not cfg.force else None
            plan[identity] = Planned(name, cell, identity, composed, found)
    return list(plan.values())


def _uncomposed(name: str, cell: Cell, error: Exception) -> Outcome:
    said = unknown_choice(as_overrides(cell)) or message(error)
    return Outcome(name, "failed", error=said)


def _with_parent(
    cfg: DictConfig, plan: Sequence[Planned], tracker: Tracker | None, launching: Launching
) -> list[Outcome]:
    """Run what is missing under the sweep's parent run; without anything to do there is none."""
    todo = [planned for planned in plan if planned.outcome is None]
    known = {p.name: p.outcome for p in plan if p.outcome is not None}
    failed_before = [o for o in known.values() if not o.succeeded]
    if tracker is None:
        known |= launching.run(todo, {})
    elif todo or failed_before:
        sweep_identity = _sweep_identity(plan)
        with tracker.sweep(_sweep_name(cfg), sweep_identity, _parent_params(cfg)) as parent:
            for outcome in failed_before:
                tracker.record_failure(outcome.name, outcome.error, parent.run_id)
            known |= launching.run(todo, {"tracking.parent": parent.run_id})
            outcomes = [known[planned.name] for planned in plan]
            failed = sum(not outcome.succeeded for outcome in outcomes)
            folder = Path(cfg.hydra.sweep.dir) / "report"
            write_report(folder, outcomes)
            parent.log({"runs": len(outcomes), "runs_without_result": failed}, artifacts=folder)
    return [known[planned.name] for planned in plan]


@dataclass(frozen=True)
class Launching:
    """Hands planned cells to Hydra's launcher."""

    cfg: DictConfig
    loader: PlannedLoader
    launcher: Launcher

    def run(self, todo: Sequence[Planned], more: dict[str, str]) -> dict[str, Outcome]:
        """Launch the cells, with ``on_error=stop`` a few at a time, and gather their outcomes."""
        stop = self.cfg.on_error == "stop"
        size = _parallel_jobs(self.cfg) if stop else max(len(todo), 1)
        outcomes: dict[str, Outcome] = {}
        for start in range(0, len(todo), size):
            if stop and any(not outcome.succeeded for outcome in outcomes.values()):
                reason = "not started: a run before it failed (on_error=stop)"
                return outcomes | {
                    p.name: Outcome(p.name, "skipped", error=reason) for p in todo[start:]
                }
            outcomes |= self._batch(todo[start : start + size], start, more)
        return outcomes

    def _batch(
        self, batch: Sequence[Planned], first: int, more: dict[str, str]
    ) -> dict[str, Outcome]:
        overrides = [
            self.loader.plan(p.config, as_overrides(p.cell), {**more, "tracking.run_name": p.name})
            for p in batch
            if p.config is not None
        ]
        jobs = self.launcher.launch(overrides, initial_job_idx=first)
        return {p.name: _outcome(p.name, job) for p, job in zip(batch, jobs, strict=True)}


def _outcome(name: str, job: Any) -> Outcome:
    """Read Hydra's job return; what failed outside our own code has only an exception."""
    value = job._return_value
    if isinstance(value, Outcome):
        return value
    return Outcome(name, "failed", folder=job.working_dir or "", error=message(value))


def _parallel_jobs(cfg: DictConfig) -> int:
    jobs = OmegaConf.select(cfg, "hydra.launcher.n_jobs", default=1) or 1
    return int(jobs) if jobs > 0 else os.cpu_count() or 1


def _sweep_identity(plan: Sequence[Planned]) -> str:
    parts = sorted(planned.identity or planned.name for planned in plan)
    return hashlib.sha256("\n".join(parts).encode()).hexdigest()


def _sweep_name(cfg: DictConfig) -> str:
    experiment = OmegaConf.select(cfg, "hydra.runtime.choices.experiment")
    return str(experiment or f"sweep of {cfg.task.name} on {cfg.data.name}")


def _parent_params(cfg: DictConfig) -> dict[str, Any]:
    return {"task": cfg.task.name, "overrides": " ".join(cfg.hydra.overrides.task)}


def _report(cfg: DictConfig, outcomes: Sequence[Outcome]) -> bool:
    if cfg.report:
        write_report(Path(cfg.report), outcomes)
        console.say(f"\nWritten to {cfg.report}/: metrics.json, table.md, curves as CSV and PNG.")
    elif any(outcome.succeeded for outcome in outcomes):
        console.say(f"\n{console.sweep_table(outcomes)}")
    lost = console.failure_table(outcomes)
    if lost:
        console.complain(f"\n{lost}")
    return not lost
