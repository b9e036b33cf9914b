"""Finished runs in MLflow, looked up by what a person has at hand: an id, its beginning, a name."""

from __future__ import annotations

import tempfile
from dataclasses import dataclass
from pathlib import Path
from typing import TYPE_CHECKING, Any

from src.errors import GrambenchError, suggest
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

    def run(self, wanted: str) -> FoundRun:
        """Return the finished run with an id, of at least 6 digits, or the newest with a name.

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
        run = _chosen(runs, wanted, self.uri)
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


def _chosen(runs: list[Run], wanted: str, uri: str) -> Run:
    named = [run for run in runs if run.info.run_name == wanted or run.info.run_id == wanted]
    if named:
        return named[0]
    digits = len(wanted) >= _SHORTEST
    begun = [run for run in runs if digits and run.info.run_id.startswith(wanted)]
    if len(begun) == 1:
        return begun[0]
    if begun:
        raise GrambenchError(f"{len(begun)} runs' ids begin with '{wanted}': give more digits.")
    near = suggest(wanted, {run.info.run_name for run in runs})
    raise GrambenchError(
        f"There is no finished run '{wanted}' in {uri}.{near} Give a run's id (or its first"
        f" {_SHORTEST} digits or more), as in its result.json, or its name, as MLflow shows it."
    )
