"""Planned cells, handed to Hydra's launcher; what comes of them whatever happens to it."""

from __future__ import annotations

import os
from collections.abc import Sequence
from dataclasses import dataclass
from typing import Any

from hydra.plugins.launcher import Launcher
from omegaconf import DictConfig, OmegaConf

from src.launch.cells import Cell, as_overrides
from src.launch.job import message, reused
from src.launch.outcome import Outcome
from src.launch.planned import PlannedLoader
from src.tracking.store import Tracker

SECONDS_TO_END = 10.0


@dataclass(frozen=True)
class Planned:
    """A cell and what is known of it before it runs; an ``outcome`` means that it need not run."""

    name: str
    cell: Cell
    identity: str = ""
    config: DictConfig | None = None
    outcome: Outcome | None = None


@dataclass(frozen=True)
class Launching:
    """Hands planned cells to Hydra's launcher."""

    cfg: DictConfig
    loader: PlannedLoader
    launcher: Launcher
    tracker: Tracker | None

    def run(self, todo: Sequence[Planned], more: dict[str, str]) -> dict[str, Outcome]:
        """Launch the cells, with ``on_error=stop`` a few at a time, and gather their outcomes.

        When it is interrupted, processes of the launcher on this machine are ended, too, and
        their runs closed.
        """
        try:
            return self._in_batches(todo, more)
        except BaseException:
            _end_children()
            raise
        finally:
            if self.tracker is not None:
                self.tracker.reap()

    def _in_batches(self, todo: Sequence[Planned], more: dict[str, str]) -> dict[str, Outcome]:
        stop = self.cfg.on_error == "stop"
        size = _parallel_jobs(self.cfg) if stop else max(len(todo), 1)
        outcomes: dict[str, Outcome] = {}
        for start in range(0, len(todo), size):
            if stop and any(not outcome.succeeded for outcome in outcomes.values()):
                return outcomes | skipped(todo[start:])
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
        try:
            jobs = self.launcher.launch(overrides, initial_job_idx=first)
        except Exception as error:
            # a process that died takes the launcher's whole answer with it, not the other runs
            return {p.name: self._after(p, error) for p in batch}
        return {p.name: _outcome(p.name, job) for p, job in zip(batch, jobs, strict=True)}

    def _after(self, planned: Planned, error: Exception) -> Outcome:
        """Say how a cell ended whose launcher broke down: MLflow knows if it was done.

        With ``force`` it may know an older run, which must not be taken for this one.
        """
        found = None
        if self.tracker is not None and not self.cfg.force:
            found = reused(self.tracker, planned.name, planned.identity)
        said = message(error).partition("\n")[0]
        return found or Outcome(planned.name, "failed", error=f"the launcher ended early: {said}")


def skipped(cells: Sequence[Planned]) -> dict[str, Outcome]:
    """Return the outcomes of cells that are not started after a failure."""
    reason = "not started: a run before it failed (on_error=stop)"
    return {p.name: Outcome(p.name, "skipped", error=reason) for p in cells}


def _outcome(name: str, job: Any) -> Outcome:
    """Read Hydra's job return; what failed outside our own code has only an exception."""
    value = job._return_value
    if isinstance(value, Outcome):
        return value
    return Outcome(name, "failed", folder=job.working_dir or "", error=message(value))


def _parallel_jobs(cfg: DictConfig) -> int:
    launcher = cfg.hydra.launcher
    jobs = OmegaConf.select(launcher, "n_jobs") or OmegaConf.select(launcher, "array_parallelism")
    return int(jobs or 1) if (jobs or 1) > 0 else os.cpu_count() or 1


def _end_children() -> None:
    import psutil

    children = psutil.Process().children(recursive=True)
    for child in children:
        try:
            child.terminate()
        except psutil.NoSuchProcess:
            continue
    _, alive = psutil.wait_procs(children, timeout=SECONDS_TO_END)
    for child in alive:
        child.kill()
