import os
import shutil
import subprocess
import sys

import pytest
from mlflow import MlflowClient

from src.errors import GrambenchError
from src.processes import process
from src.tracking import provenance
from src.tracking.store import TAG_PROCESS, Tracker


@pytest.fixture
def tracker(tmp_path, database):
    shutil.copy(database, tmp_path / "mlflow.db")
    return Tracker(f"sqlite:///{tmp_path}/mlflow.db", str(tmp_path / "artifacts"), "rerank")


def test_a_finished_run_is_found_by_its_identity(tracker, tmp_path):
    (tmp_path / "files").mkdir()
    (tmp_path / "files" / "note.txt").write_text("gã")
    with tracker.run("one", identity="abc", params={"a": {"b": 1}}) as run:
        run.log({"f1": 0.5, "undefined": float("nan")}, {"ndcg": [0.1, 0.2]}, tmp_path / "files")
    found = tracker.finished("abc")
    assert found == run.run_id
    assert tracker.client.get_run(found).data.metrics == {"f1": 0.5, "ndcg": 0.2}
    assert tracker.read_file(run.run_id, "note.txt") == "gã"
    assert tracker.read_file(run.run_id, "missing.txt") is None
    assert tracker.finished("other") is None


def test_the_newest_run_of_an_identity_counts(tracker):
    for _ in range(2):
        with tracker.run("again", identity="abc") as run:
            pass
    assert tracker.finished("abc") == run.run_id


@pytest.mark.parametrize(
    ("error", "status"), [(ValueError("odd"), "FAILED"), (KeyboardInterrupt(), "KILLED")]
)
def test_a_run_that_does_not_finish_is_not_taken_for_finished(tracker, error, status):
    with pytest.raises(type(error)), tracker.run("broken", identity="abc") as run:
        raise error
    assert tracker.finished("abc") is None
    assert tracker.client.get_run(run.run_id).info.status == status


def test_a_run_keeps_where_it_comes_from(tracker):
    with tracker.run("one") as run:
        pass
    tags = tracker.client.get_run(run.run_id).data.tags
    commit, dirty = provenance.commit()
    assert tags["mlflow.source.git.commit"] == commit
    assert tags["git.dirty"] == str(dirty).lower()


def test_a_run_that_was_interrupted_before_it_was_entered_is_ended_with_its_parent(tracker):
    with pytest.raises(KeyboardInterrupt), tracker.sweep("s", "id", {}) as parent:
        child = tracker._create("child", "abc", {}, parent.run_id)
        raise KeyboardInterrupt
    for run_id in (child, parent.run_id):
        assert tracker.client.get_run(run_id).info.status == "KILLED"


def test_what_a_dead_process_left_running_is_marked_killed(tracker):
    name = subprocess.run(
        [sys.executable, "-c", "from src.processes import process; print(process())"],
        capture_output=True,
        text=True,
        check=True,
    ).stdout.strip()
    client: MlflowClient = tracker.client
    left = client.create_run(tracker.experiment_id, tags={TAG_PROCESS: name})
    mine = client.create_run(tracker.experiment_id, tags={TAG_PROCESS: process()})
    elsewhere = client.create_run(tracker.experiment_id, tags={TAG_PROCESS: "otherhost:1:1.0"})
    assert tracker.reap() == 1
    assert client.get_run(left.info.run_id).info.status == "KILLED"
    assert client.get_run(mine.info.run_id).info.status == "RUNNING"
    assert client.get_run(elsewhere.info.run_id).info.status == "RUNNING"


def test_a_sweep_that_ended_is_taken_up_again(tracker):
    with tracker.sweep("s", "id", {}) as first:
        pass
    with tracker.sweep("s", "id", {}) as second:
        assert tracker.client.get_run(second.run_id).info.status == "RUNNING"
        with tracker.sweep("s", "id", {}) as third:
            pass
    assert first.run_id == second.run_id != third.run_id


def test_many_parameters_and_metrics(tracker):
    params = {f"p{n}": n for n in range(250)}
    with tracker.run("wide", params=params) as run:
        run.log({f"m{n}": n for n in range(1500)})
    data = tracker.client.get_run(run.run_id).data
    assert len(data.params) == 250 and len(data.metrics) == 1500


def test_a_deleted_experiment_is_restored(tracker, tmp_path):
    tracker.client.delete_experiment(tracker.experiment_id)
    again = Tracker(tracker.uri, str(tmp_path / "artifacts"), "rerank")
    assert again.experiment_id == tracker.experiment_id


@pytest.mark.skipif(os.geteuid() == 0, reason="root may write anywhere")
def test_a_read_only_folder_is_named(tmp_path):
    folder = tmp_path / "mlruns"
    folder.mkdir(mode=0o500)
    with pytest.raises(GrambenchError, match="Cannot write to"):
        Tracker(f"sqlite:///{folder}/mlflow.db", str(folder), "rerank")


def test_a_place_that_cannot_be_a_folder_is_named(tmp_path):
    (tmp_path / "file").touch()
    with pytest.raises(GrambenchError, match="Cannot write to"):
        Tracker(f"sqlite:///{tmp_path}/file/mlflow.db", str(tmp_path), "rerank")
