"""A sweep: plan its cells, run what is missing, report all of it."""

from __future__ import annotations

import hashlib
from collections.abc import Sequence
from pathlib import Path
from typing import Any

from hydra.plugins.launcher import Launcher
from omegaconf import DictConfig, OmegaConf

from src.errors import GrambenchError
from src.launch import console
from src.launch.cells import Cell, as_overrides, names
from src.launch.choices import unknown_choice
from src.launch.estimating import estimate, estimate_table
from src.launch.job import (
    check_values,
    identity_of,
    message,
    open_tracker,
    resolved,
    reused,
)
from src.launch.launching import Launching, Planned, skipped
from src.launch.outcome import Outcome
from src.launch.planned import PlannedLoader
from src.launch.published import Cell as Figure
from src.launch.published import compare, read_published, summary, write_comparison
from src.launch.report import write_report
from src.launch.signals import end_if_interrupted
from src.records import Estimate
from src.tracking.store import TrackedRun, Tracker


def run_sweep(
    cfg: DictConfig, cells: Sequence[Cell], loader: PlannedLoader, launcher: Launcher
) -> bool:
    """Run the cells that have no finished run yet, as children of one parent run.

    A cell that cannot be composed or fails stops no other, unless ``on_error=stop``.

    Returns:
        Whether every cell has a result.

    Raises:
        GrambenchError: no cell can be composed, and for all it is the same that is wrong.
    """
    check_values(cfg)
    figures = read_published(Path(cfg.published)) if cfg.published else []
    tracker = open_tracker(cfg) if cfg.tracking.enabled else None
    plan = _plan(cfg, cells, loader, tracker)
    _check_some(plan)
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
    if cfg.dry_run:
        return _estimate(missing) and not broken
    outcomes = _with_parent(cfg, plan, tracker, Launching(cfg, loader, launcher, tracker))
    if figures:
        _compare(cfg, figures, plan, outcomes)
    return _report(cfg, outcomes)


def _estimate(missing: Sequence[Planned]) -> bool:
    """Tell what the runs to do would ask; whether that is known of each."""
    found: dict[str, Estimate] = {}
    for planned in missing:
        assert planned.config is not None
        try:
            found[planned.name] = estimate(planned.config)
        except Exception as error:
            end_if_interrupted()
            console.complain(f"x {planned.name}\n    {message(error)}")
    if found:
        console.say(f"\n{estimate_table(found)}")
    return len(found) == len(missing)


def _compare(
    cfg: DictConfig,
    figures: Sequence[Figure],
    plan: Sequence[Planned],
    outcomes: Sequence[Outcome],
) -> None:
    """Set what was measured beside published figures."""
    chosen = {p.name: (p.config.feature.id, p.config.setting) for p in plan if p.config is not None}
    cells = compare(figures, outcomes, chosen)
    folder = Path(cfg.report or cfg.hydra.sweep.dir)
    folder.mkdir(parents=True, exist_ok=True)
    write_comparison(folder / "published.csv", cells)
    console.say(f"\n{summary(cells, cfg.published)}\nAll of them: {folder}/published.csv")


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
            end_if_interrupted()
            plan[name] = Planned(name, cell, outcome=_uncomposed(name, cell, error))
            continue
        if identity not in plan:
            found = reused(tracker, name, identity) if tracker and not cfg.force else None
            plan[identity] = Planned(name, cell, identity, composed, found)
    return list(plan.values())


def _check_some(plan: Sequence[Planned]) -> None:
    """Refuse a sweep that cannot begin, such as one over a pack that is not there."""
    errors = {p.outcome.error if p.outcome is not None else "" for p in plan}
    (error, *others) = errors
    if error and not others:
        raise GrambenchError(error)


def _uncomposed(name: str, cell: Cell, error: Exception) -> Outcome:
    said = unknown_choice(as_overrides(cell)) or message(error)
    return Outcome(name, "failed", error=said)


def _with_parent(
    cfg: DictConfig, plan: Sequence[Planned], tracker: Tracker | None, launching: Launching
) -> list[Outcome]:
    """Run what is missing under the sweep's parent run; without anything to do there is none."""
    todo = [planned for planned in plan if planned.outcome is None]
    known = {p.name: p.outcome for p in plan if p.outcome is not None}
    broken = [o for o in known.values() if not o.succeeded]
    stop = cfg.on_error == "stop" and bool(broken)
    if tracker is None:
        known |= skipped(todo) if stop else launching.run(todo, {})
    elif todo or broken:
        with tracker.sweep(_sweep_name(cfg), _sweep_identity(plan), _parent_params(cfg)) as parent:
            for outcome in broken:
                tracker.record_failure(outcome.name, outcome.error, parent.run_id)
            more = {"tracking.parent": parent.run_id}
            known |= skipped(todo) if stop else launching.run(todo, more)
            _log_report(cfg, parent, [known[planned.name] for planned in plan])
    return [known[planned.name] for planned in plan]


def _log_report(cfg: DictConfig, parent: TrackedRun, outcomes: Sequence[Outcome]) -> None:
    folder = Path(cfg.hydra.sweep.dir) / "report"
    write_report(folder, outcomes)
    failed = sum(not outcome.succeeded for outcome in outcomes)
    parent.log({"runs": len(outcomes), "runs_without_result": failed}, artifacts=folder)


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
