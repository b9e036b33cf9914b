"""Finished runs in MLflow, looked up by what a person has at hand: an id, a name, choices."""

from __future__ import annotations

import tempfile
from dataclasses import dataclass
from pathlib import Path
from typing import TYPE_CHECKING, Any

from src.errors import GrambenchError, suggest
from src.tracking.choices import agree, choices_in
from src.tracking.store import SQLITE, connect

if TYPE_CHECKING:
    from mlflow import MlflowClient
    from mlflow.entities import Run

_SHORTEST = 6
_MOST = 50_000


@dataclass(frozen=True)
class FoundRun:
    """A finished run: its id, its name, and the MLflow experiment, which is the task."""

    id: str
    name: str
    task: str


class Lookup:
    """Reads the finished runs that are recorded at an MLflow address.

    Raises:
        GrambenchError: there is nothing at the address.
    """

    def __init__(self, uri: str) -> None:
        file = Path(uri.removeprefix(SQLITE).partition("?")[0])
        if uri.startswith(SQLITE) and not file.is_file():  # MLflow would make an empty one
            raise GrambenchError(f"There is no MLflow database {file}: no run was recorded there.")
        self.uri = uri
        self.client: MlflowClient = connect(uri)

    def run(self, wanted: str, task: str | None = None) -> FoundRun:
        """Return the finished run that is wanted, of several the newest.

        It is the one with an id, or a beginning of it of at least 6 digits; else one of that name;
        else one of ``task`` whose name has the same words in any order; else, where all words are
        ``key=value``, one of ``task`` whose parameters agree, since a run that a sweep took over
        keeps its old name. Without a ``task`` the last two look at the runs of all tasks.

        Raises:
            GrambenchError: there is no such run, or the digits begin several ids.
        """
        experiments = {e.experiment_id: e.name for e in self.client.search_experiments()}
        runs = self.client.search_runs(
            list(experiments),
            "attributes.status = 'FINISHED'",
            max_results=_MOST,
            order_by=["attributes.start_time DESC"],
        )
        own = [run for run in runs if task in (None, experiments[run.info.experiment_id])]
        run = _identified(runs, wanted) or _chosen(own, wanted) or _named(runs, wanted)
        if run is None:
            raise _no_such_run(own, wanted, self.uri)
        return FoundRun(run.info.run_id, run.info.run_name, experiments[run.info.experiment_id])

    def table(self, run: FoundRun, name: str) -> list[dict[str, Any]]:
        """Return the rows of a run's sample-level table.

        Raises:
            GrambenchError: the run has no such table, or its files are gone.
        """
        import pyarrow.parquet as pq
        from mlflow.exceptions import MlflowException

        with tempfile.TemporaryDirectory() as folder:
            try:
                path = self.client.download_artifacts(run.id, f"{name}.parquet", folder)
                rows: list[dict[str, Any]] = pq.read_table(Path(path)).to_pylist()
            except (MlflowException, OSError) as error:
                raise GrambenchError(
                    f"Run {run.id[:8]} ({run.name}) has no table '{name}' any more, or never had."
                ) from error
        return rows


def _identified(runs: list[Run], wanted: str) -> Run | None:
    if len(wanted) < _SHORTEST:
        return None
    begun = [run for run in runs if run.info.run_id.startswith(wanted)]
    if len(begun) > 1:
        raise GrambenchError(f"{len(begun)} runs' ids begin with '{wanted}': give more digits.")
    return begun[0] if begun else None


def _named(runs: list[Run], wanted: str) -> Run | None:
    return next((run for run in runs if run.info.run_name == wanted), None)


def _chosen(runs: list[Run], wanted: str) -> Run | None:
    """Return the newest of the runs with a name, with its words, or with what they choose."""
    if named := _named(runs, wanted):
        return named
    words = sorted(wanted.split())
    for run in runs:
        if words and sorted((run.info.run_name or "").split()) == words:
            return run
    choices = choices_in(wanted)
    if choices:
        return next((run for run in runs if agree(choices, run.data.params)), None)
    return None


def _no_such_run(runs: list[Run], wanted: str, uri: str) -> GrambenchError:
    near = suggest(wanted, {run.info.run_name for run in runs})
    return GrambenchError(
        f"There is no finished run '{wanted}' in {uri}.{near} Give a run's id (or its first"
        f" {_SHORTEST} digits or more), as src.run prints it, its name, as MLflow or a sweep's"
        " table has it, or its choices: 'llm=uniform feature=wals_81a'."
    )
