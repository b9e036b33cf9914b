"""One composed config: run its task, record it, say how it ended."""

from __future__ import annotations

import logging
import time
from collections.abc import Mapping
from dataclasses import replace
from functools import lru_cache
from pathlib import Path
from typing import Any

from hydra.core.hydra_config import HydraConfig
from hydra.errors import HydraException, InstantiationException
from hydra.utils import get_method
from omegaconf import DictConfig, OmegaConf
from omegaconf.errors import OmegaConfBaseException

from src.errors import GrambenchError
from src.launch import files
from src.launch.cells import shorten
from src.launch.choices import unknown_key
from src.launch.faults import fault
from src.launch.missing import check_missing
from src.launch.outcome import Outcome
from src.launch.secrets import secret_in
from src.launch.signals import end_if_interrupted
from src.records import Result
from src.tracking.identity import groups_read, identity
from src.tracking.store import Tracker

log = logging.getLogger(__name__)

Plain = dict[str, Any]

_ONE = (
    *("limit", "batch_size", "rerank.k", "task.k", "task.cutoffs", "task.resamples"),
    *("task.repeats", "llm.context", "llm.max_tokens", "llm.concurrency", "llm.attempts"),
    *("llm.batch.requests",),
)
_ZERO = ("seed", "repeat", "llm.temperature", "llm.budget_usd", "llm.batch.poll")
_LEAST = {**dict.fromkeys(_ONE, 1), **dict.fromkeys(_ZERO, 0)}


def execute(cfg: DictConfig) -> Outcome:
    """Run one composed config, unless its identity has a finished run already.

    Returns:
        The outcome, ``finished``, ``reused`` or ``failed``; a failure's traceback is in the log of
        the run's folder and its message in MLflow.
    """
    end_if_interrupted()
    folder = Path(HydraConfig.get().runtime.output_dir)
    name = cfg.tracking.run_name or _own_name()
    try:
        check_values(cfg)
        tracker = open_tracker(cfg) if cfg.tracking.enabled else None
        plain, run_identity = _prepared(cfg, name, tracker)
        if tracker is None:
            return _run(cfg, plain, run_identity, name, folder)
        found = None if cfg.force else reused(tracker, name, run_identity)
        if found is not None:
            files.write_json(folder / files.RESULT, files.as_json(found))
            return replace(found, folder=str(folder))
        return _recorded(cfg, plain, run_identity, name, folder, tracker)
    except Exception as error:
        end_if_interrupted()
        log.info("%s failed", name, exc_info=True)  # the terminal gets one line, the log all
        return Outcome(name, "failed", folder=str(folder), error=message(error))


def check_values(cfg: DictConfig) -> None:
    """Refuse values that say nothing.

    Raises:
        GrambenchError: a count or a cut-off is below its least, or ``on_error`` is none that there
            is.
    """
    if cfg.on_error not in ("continue", "stop"):
        raise GrambenchError(f"on_error is '{cfg.on_error}': give continue or stop.")
    for key, least in _LEAST.items():
        value = OmegaConf.select(cfg, key)
        for number in value if OmegaConf.is_list(value) else (value,):
            if isinstance(number, int | float) and number < least:
                raise GrambenchError(f"{key} is {value}; give {least} or more.")


def resolved(cfg: DictConfig) -> Plain:
    """Return a composed config as plain values, without Hydra's own part.

    Raises:
        GrambenchError: a value is still to be given, or one is a key or a password.
        omegaconf.errors.OmegaConfBaseException: a value cannot be resolved.
    """
    own = OmegaConf.masked_copy(cfg, [str(key) for key in cfg if key != "hydra"])
    check_missing(own)
    # what is missing now, the task does not read
    container = OmegaConf.to_container(own, resolve=True)
    assert isinstance(container, dict)
    plain = {str(key): value for key, value in container.items()}
    if said := secret_in(plain):
        raise GrambenchError(said)
    return plain


def identity_of(plain: Mapping[str, Any]) -> str:
    """Return the identity of a resolved config over its pack's present content.

    Raises:
        GrambenchError: the pack, or what the task reads beside it, is missing or faulty.
    """
    return identity({**plain, **_exact(plain)}, data_digest(plain))


def _exact(plain: Mapping[str, Any]) -> Plain:
    """Return what determines the result of what the task reads, in the place of mere names."""
    from src.llm.standing import llm_stands_for
    from src.models.tokens import tokenizer_identity
    from src.retrieval.standing import stands_for

    standing = {
        **{"retriever": stands_for, "reranker": stands_for, "llm": llm_stands_for},
        "prompt": dict,  # nothing stands behind a prompt's texts
    }
    own, read = plain["data"]["path"], groups_read(plain)
    exact = {
        kind: _packs({**plain[kind], **stand(plain[kind])}, own)
        for kind, stand in standing.items()
        if kind in read
    }
    tokenizer = plain["task"].get("tokenizer")
    if tokenizer is not None:
        found = tokenizer_identity(tokenizer["model"], tokenizer["revision"])
        exact["task"] = {**plain["task"], "tokenizer": found}
    return exact


def _packs(value: Any, own: str) -> Any:
    """Where a component reads another pack than the run's, put that one's digest for its path."""
    if isinstance(value, list):
        return [_packs(item, own) for item in value]
    if not isinstance(value, Mapping):
        return value
    found = {key: _packs(inner, own) for key, inner in value.items()}
    if "_target_" in value and value.get("pack") not in (None, own):
        digest = _digest(value["pack"])
        found["pack"] = own if digest == _digest(own) else digest
    return found


def data_digest(plain: Mapping[str, Any]) -> str:
    """Return the digest of the pack that a resolved config names.

    Raises:
        GrambenchError: the pack is missing or faulty.
    """
    from src.corpus.names import check_name

    check_name(plain["data"]["name"])
    return _digest(plain["data"]["path"])


def _digest(path: str) -> str:
    from src.corpus.pack import load_pack

    return load_pack(path).digest


def open_tracker(cfg: DictConfig) -> Tracker:
    """Open the MLflow experiment of a config's task."""
    return _tracker(cfg.tracking.uri, cfg.tracking.artifacts, cfg.task.name)


@lru_cache(maxsize=8)
def _tracker(uri: str, artifacts: str, experiment: str) -> Tracker:
    tracker = Tracker(uri, artifacts, experiment)
    tracker.reap()
    return tracker


def reused(tracker: Tracker, name: str, run_identity: str) -> Outcome | None:
    """Return the outcome of the finished run of an identity; None where its files are gone."""
    run_id = tracker.finished(run_identity)
    text = tracker.read_file(run_id, files.RESULT) if run_id else None
    return files.from_json(name, text) if text else None


def message(error: Exception) -> str:
    """Say an error in a line or a few: a user's mistake as it is, anything else with its type."""
    cause = error.__cause__
    if isinstance(error, InstantiationException) and isinstance(cause, Exception):
        return message(cause)
    if isinstance(error, GrambenchError):
        return str(error)
    if isinstance(error, OmegaConfBaseException | HydraException):
        said = [str(e).partition("\n")[0] for e in (error, cause) if e is not None]
        return unknown_key(error) or fault(error) or ": ".join(said)
    return f"{type(error).__name__}: {error}"


def _own_name() -> str:
    """Name a single run by what was chosen for it."""
    aside = ("paths.", "tracking", "force", "device", "batch_size", "on_error")
    chosen = [text for text in HydraConfig.get().overrides.task if not text.startswith(aside)]
    return shorten(" ".join(chosen) or "defaults")


def _prepared(cfg: DictConfig, name: str, tracker: Tracker | None) -> tuple[Plain, str]:
    """Resolve a config and compute its identity; what cannot be is still a run that failed."""
    try:
        plain = resolved(cfg)
        return plain, identity_of(plain)
    except Exception as error:
        if tracker is not None:
            tracker.record_failure(name, message(error), cfg.tracking.parent)
        raise


def _recorded(
    cfg: DictConfig, plain: Plain, run_identity: str, name: str, folder: Path, tracker: Tracker
) -> Outcome:
    params = {key: value for key, value in plain.items() if key != "sweep"}
    params["data"] = {**plain["data"], "digest": data_digest(plain)}
    parent = cfg.tracking.parent
    with tracker.run(name, identity=run_identity, params=params, parent=parent) as run:
        outcome = _run(cfg, plain, run_identity, name, folder, run.run_id)
        run.log(outcome.metrics, outcome.curves, folder / "artifacts")
    return outcome


def _run(
    cfg: DictConfig, plain: Plain, run_identity: str, name: str, folder: Path, run_id: str = ""
) -> Outcome:
    start = time.perf_counter()
    result: Result = get_method(cfg.task.run)(cfg)
    if identity_of(plain) != run_identity:
        raise GrambenchError("The data or the model changed while the run read it; run it again.")
    outcome = Outcome(
        name,
        "finished",
        identity=run_identity,
        run_id=run_id,
        folder=str(folder),
        metrics=result.metrics,
        curves=result.curves,
        headline=result.headline,
        notes=result.notes,
        seconds=time.perf_counter() - start,
    )
    files.write_artifacts(folder / "artifacts", result, outcome, plain)
    files.write_json(folder / files.RESULT, files.as_json(outcome))
    return replace(outcome, seconds=time.perf_counter() - start)
