"""One composed config: run its task, record it, say how it ended."""

from __future__ import annotations

import dataclasses
import logging
import time
from functools import lru_cache
from pathlib import Path
from typing import Any

from hydra.core.hydra_config import HydraConfig
from hydra.errors import InstantiationException
from hydra.utils import get_method
from omegaconf import DictConfig, OmegaConf

from src.errors import GrambenchError
from src.launch import files
from src.launch.outcome import Outcome
from src.records import Result
from src.tracking.identity import identity
from src.tracking.store import TrackedRun, Tracker

log = logging.getLogger(__name__)


def execute(cfg: DictConfig) -> Outcome:
    """Run one composed config, unless its identity has a finished run already.

    Returns:
        The outcome, ``finished``, ``reused`` or ``failed``; a failure's traceback is in the log of
        the run's folder and its message in MLflow.
    """
    folder = Path(HydraConfig.get().runtime.output_dir)
    name = cfg.tracking.run_name or "run"
    try:
        if not cfg.tracking.enabled:
            return _run(cfg, name, folder, None)
        tracker = open_tracker(cfg)
        found = None if cfg.force else reused(tracker, name, identity_of(cfg))
        return found or _recorded(cfg, name, folder, tracker)
    except Exception as error:
        log.info("%s failed", name, exc_info=True)  # the terminal gets one line, the log all
        return Outcome(name, "failed", folder=str(folder), error=message(error))


def identity_of(cfg: DictConfig) -> str:
    """Return the identity of a composed config over its pack's present content.

    Raises:
        GrambenchError: the pack is missing or faulty.
        omegaconf.errors.OmegaConfBaseException: a value is missing or cannot be resolved.
    """
    from src.corpus.pack import load_pack

    return identity(resolved(cfg), load_pack(cfg.data.path).digest)


def resolved(cfg: DictConfig) -> dict[str, Any]:
    """Return a composed config as plain values."""
    container = OmegaConf.to_container(cfg, resolve=True, throw_on_missing=True)
    assert isinstance(container, dict)
    container.pop("hydra", None)
    return {str(key): value for key, value in container.items()}


def open_tracker(cfg: DictConfig) -> Tracker:
    """Open the MLflow experiment of a config's task."""
    return _tracker(cfg.tracking.uri, cfg.tracking.artifacts, cfg.task.name)


@lru_cache(maxsize=8)
def _tracker(uri: str, artifacts: str, experiment: str) -> Tracker:
    return Tracker(uri, artifacts, experiment)


def reused(tracker: Tracker, name: str, run_identity: str) -> Outcome | None:
    """Return the outcome of the finished run of an identity, if there is one."""
    found = tracker.finished(run_identity)
    if found is None:
        return None
    text = tracker.read_file(found.run_id, files.RESULT)
    if text is None:
        return Outcome(name, "reused", run_identity, found.run_id, metrics=found.metrics)
    return files.from_json(name, text)


def message(error: Exception) -> str:
    """Say an error in a line or a few: a user's mistake as it is, anything else with its type."""
    cause = error.__cause__
    if isinstance(error, InstantiationException) and isinstance(cause, GrambenchError):
        return str(cause)
    if isinstance(error, GrambenchError):
        return str(error)
    return f"{type(error).__name__}: {error}"


def _recorded(cfg: DictConfig, name: str, folder: Path, tracker: Tracker) -> Outcome:
    # what cannot be resolved is still a run: its failure belongs into MLflow too
    try:
        params, run_identity = resolved(cfg), identity_of(cfg)
    except Exception:
        params, run_identity = {}, ""
    with tracker.run(
        name,
        identity=run_identity,
        params={k: v for k, v in params.items() if k != "sweep"},
        parent=cfg.tracking.parent,
    ) as run:
        return _run(cfg, name, folder, run)


def _run(cfg: DictConfig, name: str, folder: Path, run: TrackedRun | None) -> Outcome:
    start = time.perf_counter()
    run_identity = identity_of(cfg)
    result: Result = get_method(cfg.task.run)(cfg)
    outcome = Outcome(
        name,
        "finished",
        identity=run_identity,
        run_id=run.run_id if run else "",
        folder=str(folder),
        metrics=result.metrics,
        curves=result.curves,
        headline=result.headline,
        notes=result.notes,
        seconds=time.perf_counter() - start,
    )
    files.write_artifacts(folder / "artifacts", result, outcome, resolved(cfg))
    files.write_json(folder / files.RESULT, files.as_json(outcome))
    if run is not None:
        run.log(result.metrics, result.curves, folder / "artifacts")
    return dataclasses.replace(outcome, seconds=time.perf_counter() - start)
