"""Run experiments: ``python -m src.run [-m] [group=option] [key=value]``."""

from __future__ import annotations

import logging
import os
import sys
from collections.abc import Iterator
from contextlib import contextmanager

import hydra
from hydra.core.hydra_config import HydraConfig
from hydra.errors import HydraException, OverrideParseException
from hydra.types import RunMode
from omegaconf import DictConfig
from omegaconf.errors import OmegaConfBaseException
from yaml import YAMLError

from src.errors import GrambenchError
from src.launch import console, resolvers, schema, telemetry
from src.launch.choices import CONF, config_folders, unknown_choice, unknown_key
from src.launch.faults import fault
from src.launch.outcome import Outcome
from src.launch.packs import register_packs
from src.launch.secrets import secret_in_overrides
from src.launch.signals import end_if_interrupted, end_on_signals

FULL_ERROR = "HYDRA_FULL_ERROR"

log = logging.getLogger(__name__)

# at import, so that it holds in the processes of other launchers too
telemetry.switch_off()
resolvers.register()
schema.register()


@hydra.main(version_base="1.3", config_path=str(CONF), config_name="config")
def _job(cfg: DictConfig) -> Outcome | None:
    from src.launch.job import execute

    if cfg.sweep and HydraConfig.get().mode != RunMode.MULTIRUN:
        raise GrambenchError("This experiment has grids (sweep): run it with -m.")
    if cfg.dry_run:
        _tell_estimate(cfg)
        return None
    outcome = execute(cfg)
    if HydraConfig.get().mode == RunMode.MULTIRUN:
        console.say(console.run_line(outcome))
        return outcome
    _tell(outcome, cfg.task.name)
    return outcome


def _tell_estimate(cfg: DictConfig) -> None:
    from src.launch.estimating import estimate, estimate_table
    from src.launch.job import check_values, message

    try:
        check_values(cfg)
        found = estimate(cfg)
    except Exception as error:
        end_if_interrupted()
        log.info("dry_run failed", exc_info=True)
        # Hydra would print the overrides, and then the error once more
        console.complain(f"error: {message(error)}")
        raise SystemExit(1) from None
    console.say(estimate_table({"this run": found}))


def _tell(outcome: Outcome, task: str) -> None:
    if not outcome.succeeded:
        console.complain(f"error: {outcome.error}\nlog: {outcome.folder}/run.log")
        raise SystemExit(1)
    console.say(console.run_table(outcome))
    if outcome.status == "reused":
        console.say("\nThis run was finished before (force=true runs it again).")
    console.say(f"\nresult: {outcome.folder}/result.json")
    if outcome.run_id:
        by_command = "python -m src.compare RUN RUN, or " if task == "classify" else ""
        console.say(f"run: {outcome.run_id[:8]} (compare runs: {by_command}make ui)")


def main() -> None:
    """Entry point; exits with 1 after a failure, 2 for an unknown choice, 130 after Ctrl-C."""
    end_on_signals()
    overrides = [a for a in sys.argv[1:] if "=" in a and not a.startswith("-")]
    try:
        if said := secret_in_overrides(overrides):
            console.complain(f"error: {said}")
            raise SystemExit(2)
        register_packs(overrides)
        if said := unknown_choice(overrides, config_folders(sys.argv[1:])):
            console.complain(f"error: {said}")
            raise SystemExit(2)
        with _errors_from_hydra():
            _job()
    except (GrambenchError, HydraException, OmegaConfBaseException, YAMLError, OSError) as error:
        if FULL_ERROR in os.environ:
            raise
        unknown = unknown_key(error)
        console.complain(f"error: {unknown or _said(error)}")
        raise SystemExit(2 if unknown else 1) from None
    except KeyboardInterrupt:
        anew = "force=true" in overrides
        goes_on = "without force=true the same command" if anew else "the same command"
        console.complain(f"Stopped. What was finished is kept; {goes_on} goes on from here.")
        raise SystemExit(130) from None


@contextmanager
def _errors_from_hydra() -> Iterator[None]:
    """Let Hydra raise errors, which are told in a line, instead of printing tracebacks."""
    before = os.environ.get(FULL_ERROR)
    os.environ[FULL_ERROR] = "1"
    try:
        yield
    finally:
        if before is None:
            del os.environ[FULL_ERROR]


def _said(error: Exception) -> str:
    """Say an error that came before any run began, with what it goes back to."""
    if isinstance(error, OverrideParseException):
        return (
            f"'{error.override}' is not in Hydra's grammar. A value with spaces or signs needs"
            " quotes inside the shell's: 'query.text=\"What is the order?\"'"
        )
    if known := fault(error):
        return known
    lines = [str(error), *([str(error.__cause__)] if error.__cause__ else [])]
    return "\n".join(line for line in lines if line)


if __name__ == "__main__":
    # under its own name, the job can be sent to the processes and machines of other launchers
    from src.run import main as run

    run()
