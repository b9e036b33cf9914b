"""Run experiments: ``python -m src.run [-m] [group=option] [key=value]``."""

from __future__ import annotations

import sys

import hydra
from hydra.core.hydra_config import HydraConfig
from hydra.errors import HydraException
from hydra.types import RunMode
from omegaconf import DictConfig

from src.errors import GrambenchError
from src.launch import console, resolvers, schema, telemetry
from src.launch.choices import CONF, config_folders, unknown_choice
from src.launch.outcome import Outcome
from src.launch.signals import end_on_sigterm

# at import, so that it holds in the processes of other launchers too
telemetry.switch_off()
resolvers.register()
schema.register()


@hydra.main(version_base="1.3", config_path=str(CONF), config_name="config")
def _job(cfg: DictConfig) -> Outcome:
    from src.launch.job import execute

    outcome = execute(cfg)
    if HydraConfig.get().mode == RunMode.MULTIRUN:
        console.say(console.run_line(outcome))
        return outcome
    _tell(outcome)
    return outcome


def _tell(outcome: Outcome) -> None:
    if not outcome.succeeded:
        console.complain(f"error: {outcome.error}\nlog: {outcome.folder}/run.log")
        raise SystemExit(1)
    console.say(console.run_table(outcome))
    if outcome.status == "reused":
        console.say("\nThis run was finished before (force=true runs it again).")
    console.say(f"\nresult: {outcome.folder}/result.json\ncompare runs: make ui")


def main() -> None:
    """Entry point; exits with 1 after a failure, 2 for an unknown choice, 130 after Ctrl-C."""
    end_on_sigterm()
    overrides = [a for a in sys.argv[1:] if "=" in a and not a.startswith("-")]
    try:
        if said := unknown_choice(overrides, config_folders(sys.argv[1:])):
            console.complain(f"error: {said}")
            raise SystemExit(2)
        _job()
    except (GrambenchError, HydraException) as error:
        console.complain(f"error: {error}")
        raise SystemExit(1) from None
    except KeyboardInterrupt:
        console.complain("Stopped. What was finished is kept; the same command goes on from here.")
        raise SystemExit(130) from None


if __name__ == "__main__":
    # under its own name, the job can be sent to the processes and machines of other launchers
    from src.run import main as run

    run()
