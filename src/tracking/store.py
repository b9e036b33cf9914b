"""MLflow, reached through its client alone: no global state that the environment could turn."""

from __future__ import annotations

import logging
import os
import re
import tempfile
import time
import traceback
from collections.abc import Iterator, Mapping, Sequence
from contextlib import contextmanager
from pathlib import Path
from typing import TYPE_CHECKING, Any

from src.errors import GrambenchError
from src.processes import is_dead, process
from src.tracking import payload, provenance

if TYPE_CHECKING:
    from mlflow import MlflowClient
    from mlflow.entities import Run

SQLITE = "sqlite:///"
CREDENTIALS = re.compile(r"://[^/@]+@")
BUSY_SECONDS = 120  # how long a writer waits for another sweep's write before it gives up
TAG_IDENTITY = "grambench.identity"
TAG_SWEEP = "grambench.sweep"
TAG_PROCESS = "grambench.process"
TAG_ERROR = "grambench.error"
TAG_PARENT = "mlflow.parentRunId"


class TrackedRun:
    """A run in progress."""

    def __init__(self, client: MlflowClient, run_id: str) -> None:
        self.client = client
        self.run_id = run_id

    def log(
        self,
        metrics: Mapping[str, float],
        curves: Mapping[str, Sequence[float]] | None = None,
        artifacts: Path | None = None,
    ) -> None:
        """Log metrics, curves (the first value is step 1) and the files of a folder."""
        from mlflow.entities import Metric

        now = int(time.time() * 1000)
        rows = [Metric(k, v, now, 0) for k, v in payload.finite(metrics).items()]
        for name, curve in (curves or {}).items():
            steps = {str(step): value for step, value in enumerate(curve, 1)}
            rows += [
                Metric(payload.key(name), value, now, int(step))
                for step, value in payload.finite(steps).items()
            ]
        for start in range(0, len(rows), 1000):
            self.client.log_batch(self.run_id, metrics=rows[start : start + 1000])
        if artifacts is not None:
            self.client.log_artifacts(self.run_id, str(artifacts))


class Tracker:
    """Records the runs of one MLflow experiment.

    Raises:
        GrambenchError: the place to record in cannot be written or reached.
    """

    def __init__(self, uri: str, artifacts: str, experiment: str) -> None:
        if CREDENTIALS.search(uri):
            raise GrambenchError(
                "tracking.uri holds a password, which every run would record. Give it in the"
                " environment, as MLFLOW_TRACKING_USERNAME and MLFLOW_TRACKING_PASSWORD."
            )
        self.uri = uri
        with _first_time_alone(uri):
            self.client = connect(uri)
            self.experiment_id = self._experiment(experiment, artifacts)

    def finished(self, identity: str) -> str | None:
        """Return the id of the newest finished run of an identity."""
        runs = self._search(f"tags.`{TAG_IDENTITY}` = '{identity}' and {_status('FINISHED')}")
        return str(runs[0].info.run_id) if runs else None

    def read_file(self, run_id: str, name: str) -> str | None:
        """Return a finished run's text file; None where it is no longer there."""
        from mlflow.exceptions import MlflowException

        with tempfile.TemporaryDirectory() as folder:
            try:
                path = Path(self.client.download_artifacts(run_id, name, folder))
                return path.read_text(encoding="utf-8")
            except (MlflowException, OSError):
                return None

    @contextmanager
    def run(
        self,
        name: str,
        *,
        identity: str = "",
        params: Mapping[str, Any] | None = None,
        tags: Mapping[str, str] | None = None,
        parent: str | None = None,
    ) -> Iterator[TrackedRun]:
        """Record a run: FINISHED at the end, FAILED after an error, KILLED when interrupted."""
        run_id = self._create(name, identity, tags or {}, parent)
        with self._ending(run_id):
            self._log_params(run_id, params or {})
            yield TrackedRun(self.client, run_id)

    def record_failure(self, name: str, error: str, parent: str | None = None) -> None:
        """Record a run that failed before it could begin; under a parent, once."""
        tag = _error_tag(error)
        if parent and any(
            run.info.run_name == name and run.data.tags.get(TAG_ERROR) == tag
            for run in self._search(f"tags.`{TAG_PARENT}` = '{parent}' and {_status('FAILED')}")
        ):
            return
        run_id = self._create(name, "", {TAG_ERROR: tag}, parent)
        self.client.set_terminated(run_id, status="FAILED")

    @contextmanager
    def sweep(self, name: str, identity: str, params: Mapping[str, Any]) -> Iterator[TrackedRun]:
        """Record a sweep's parent; one that was broken off before is taken up again."""
        ended = [
            run
            for run in self._search(f"tags.`{TAG_SWEEP}` = '{identity}'")
            if run.info.status != "RUNNING"
        ]
        if ended:
            run_id = ended[0].info.run_id
            self.client.update_run(run_id, status="RUNNING")
            self.client.set_tag(run_id, TAG_PROCESS, process())
            if TAG_ERROR in ended[0].data.tags:
                self.client.delete_tag(run_id, TAG_ERROR)
        else:
            run_id = self._create(name, "", {TAG_SWEEP: identity}, None)
        with self._ending(run_id):
            if not ended:
                self._log_params(run_id, params)
            yield TrackedRun(self.client, run_id)

    def reap(self) -> int:
        """Mark as KILLED what a dead process of this host left RUNNING; return how many."""
        left = [
            run
            for run in self._search(_status("RUNNING"))
            if is_dead(run.data.tags.get(TAG_PROCESS, ""))
        ]
        for run in left:
            self.client.set_terminated(run.info.run_id, status="KILLED")
        return len(left)

    def _create(self, name: str, identity: str, tags: Mapping[str, str], parent: str | None) -> str:
        commit, dirty = provenance.commit()
        all_tags = {
            TAG_PROCESS: process(),
            "mlflow.source.name": "grambench",
            "mlflow.source.type": "LOCAL",
            "mlflow.source.git.commit": commit,
            "git.dirty": str(dirty).lower(),
            **({TAG_IDENTITY: identity} if identity else {}),
            **({TAG_PARENT: parent} if parent else {}),
            **tags,
        }
        run = self.client.create_run(self.experiment_id, run_name=name, tags=all_tags)
        return str(run.info.run_id)

    def _log_params(self, run_id: str, params: Mapping[str, Any]) -> None:
        from mlflow.entities import Param

        rows = [Param(k, v) for k, v in payload.flatten(params).items()]
        for start in range(0, len(rows), 100):
            self.client.log_batch(run_id, params=rows[start : start + 100])

    @contextmanager
    def _ending(self, run_id: str) -> Iterator[None]:
        try:
            yield
        except Exception as error:
            self.client.set_terminated(run_id, status="FAILED")
            said = str(error) if isinstance(error, GrambenchError) else repr(error)
            self.client.set_tag(run_id, TAG_ERROR, _error_tag(said))
            self.client.log_text(run_id, traceback.format_exc(), "traceback.txt")
            raise
        except BaseException:
            self.client.set_terminated(run_id, status="KILLED")
            self._end_children(run_id)
            raise
        self.client.set_terminated(run_id, status="FINISHED")

    def _end_children(self, run_id: str) -> None:
        """End runs that were interrupted after they were made and before they were entered."""
        children = f"tags.`{TAG_PARENT}` = '{run_id}' and {_status('RUNNING')}"
        for run in self._search(children):
            if run.data.tags.get(TAG_PROCESS) == process():
                self.client.set_terminated(run.info.run_id, status="KILLED")

    def _search(self, condition: str) -> list[Run]:
        return list(
            self.client.search_runs(
                [self.experiment_id], condition, order_by=["attributes.start_time DESC"]
            )
        )

    def _experiment(self, name: str, artifacts: str) -> str:
        found = self.client.get_experiment_by_name(name)
        if found is None:
            place = None
            if self.uri.startswith(SQLITE):
                place = (Path(artifacts) / name).resolve().as_uri()
            return str(self.client.create_experiment(name, artifact_location=place))
        if found.lifecycle_stage == "deleted":
            self.client.restore_experiment(found.experiment_id)
        return str(found.experiment_id)


def _error_tag(error: str) -> str:
    return payload.clip(error, 5000, whole="run.log")


def _status(status: str) -> str:
    return f"attributes.status = '{status}'"


def connect(uri: str) -> MlflowClient:
    """Return a client of an MLflow address that answers.

    Raises:
        GrambenchError: it does not.
    """
    os.environ.setdefault("MLFLOW_ENABLE_ARTIFACTS_PROGRESS_BAR", "false")
    # a server that is not there must not be waited for a minute and more
    os.environ.setdefault("MLFLOW_HTTP_REQUEST_MAX_RETRIES", "2")
    from mlflow import MlflowClient
    from mlflow.exceptions import MlflowException

    for chatty in ("mlflow", "alembic"):
        logging.getLogger(chatty).setLevel(logging.WARNING)
    full = f"{uri}?timeout={BUSY_SECONDS}" if uri.startswith(SQLITE) and "?" not in uri else uri
    try:
        client = MlflowClient(tracking_uri=full, registry_uri=full)
        client.search_experiments(max_results=1)
    except (MlflowException, OSError) as error:
        raise GrambenchError(
            f"MLflow at '{uri}' does not answer: {error}. Set tracking.uri, or tracking=none."
        ) from error
    return client


@contextmanager
def _first_time_alone(uri: str) -> Iterator[None]:
    """Let one process make the database: two that migrate an empty file at once spoil it."""
    if not uri.startswith(SQLITE):
        yield
        return
    from filelock import FileLock

    file = Path(uri.removeprefix(SQLITE).partition("?")[0])
    try:
        file.parent.mkdir(parents=True, exist_ok=True)
        for path in (file, file.with_suffix(".lock")):
            with path.open("ab"):
                pass
    except OSError as error:
        raise GrambenchError(
            f"Cannot write to {file.parent} ({error.strerror}). Runs are recorded there: give"
            " yourself the right to write, or choose another folder with paths.mlruns=FOLDER,"
            " or record nothing with tracking=none."
        ) from error
    with FileLock(file.with_suffix(".lock")):
        yield
