import json
import re
import signal
import time

import pytest

from src import data
from src.retrieval import shared
from tests.launching import ROOT, Workplace, statuses

GRID = ("-m", "reranker=none", "retriever=given,bm25", "query=term,summary")


def test_a_sweep_is_one_parent_with_named_children(workplace, launch):
    ended = launch(*GRID)
    assert ended.status == 0, ended.err
    (parent,) = workplace.parents()
    children = workplace.children()
    assert {c.data.tags["mlflow.parentRunId"] for c in children} == {parent.info.run_id}
    assert statuses([parent, *children]) == ["FINISHED"] * 4
    # the given order reads no query: its two cells are one run
    assert sorted(c.info.run_name for c in children) == [
        "retriever=bm25 query=summary",
        "retriever=bm25 query=term",
        "retriever=given query=term",
    ]
    assert "3 runs: 0 finished before, 3 to do." in ended.out
    assert ended.out.count("| retriever=") == 3
    files = {file.path for file in workplace.client().list_artifacts(parent.info.run_id)}
    assert files == {"metrics.json", "ndcg.csv", "ndcg.png", "table.md"}


def test_a_sweep_that_is_done_runs_nothing(workplace, launch):
    first = launch(*GRID)
    again = launch(*GRID)
    assert "3 runs: 3 finished before, 0 to do." in again.out
    assert len(workplace.runs()) == 4
    table = re.compile(r"^\|.*\|$", re.MULTILINE)
    assert table.findall(again.out) == table.findall(first.out)


def test_a_sweep_runs_only_what_is_missing(workplace, launch):
    launch("reranker=none", "retriever=bm25", "query=term")
    ended = launch(*GRID)
    assert "3 runs: 1 finished before, 2 to do." in ended.out
    assert len(workplace.children()) == 2


def test_force_runs_all_again(workplace, launch):
    launch(*GRID)
    ended = launch(*GRID, "force=true")
    assert "3 to do" in ended.out and len(workplace.children()) == 6


def test_one_failure_stops_no_other_run(workplace, launch):
    ended = launch("-m", "reranker=none", "retriever=bm25", "retriever.b=0.75,-1,0.5")
    assert ended.status == 1
    assert statuses(workplace.children()) == ["FAILED", "FINISHED", "FINISHED"]
    assert "1 of 3 runs have no result:" in ended.err
    assert "x retriever.b=-1" in ended.err and "Traceback" not in ended.err
    # at once, too, and not only in the table at the end
    assert "x retriever.b=-1" in ended.out
    assert statuses(workplace.parents()) == ["FINISHED"]


def test_a_cell_that_cannot_be_composed_stops_no_other_run(workplace, launch):
    ended = launch("-m", "reranker=none,nome")
    assert ended.status == 1
    assert "There is no reranker 'nome'. Did you mean 'none'?" in ended.err
    assert statuses(workplace.children()) == ["FAILED", "FINISHED"]


def test_on_error_stop_starts_nothing_after_a_failure(workplace, launch):
    ended = launch(
        "-m", "reranker=none", "retriever=bm25", "retriever.b=0.75,-1,0.5", "on_error=stop"
    )
    assert ended.status == 1
    assert statuses(workplace.children()) == ["FAILED", "FINISHED"]
    assert "not started: a run before it failed" in ended.err


def test_on_error_stop_starts_nothing_beside_a_cell_that_cannot_be_composed(workplace, launch):
    ended = launch("-m", "reranker=nome,none", "on_error=stop")
    assert ended.status == 1 and "not started" in ended.err
    assert statuses(workplace.children()) == ["FAILED"]


def test_a_process_that_dies_does_not_take_the_sweep_with_it(workplace, launch, tmp_path):
    (tmp_path / "deadly.py").write_text(
        "import os\n"
        "class Deadly:\n"
        "    def __init__(self, name, at): self.at = at\n"
        "    def score(self, search, paragraphs):\n"
        "        import numpy as np\n"
        "        if self.at == 2: os._exit(137)\n"
        "        return np.zeros(len(paragraphs))\n"
    )
    (tmp_path / "conf" / "reranker").mkdir(parents=True)
    (tmp_path / "conf" / "reranker" / "deadly.yaml").write_text(
        "_target_: deadly.Deadly\nname: deadly\nat: 0\n"
    )
    sweep = ("-m", "reranker=deadly", "reranker.at=0,1,2,3", *PARALLEL)
    process = workplace.start(
        *sweep, f"--config-dir={tmp_path}/conf", PYTHONPATH=f"{tmp_path}:{ROOT}"
    )
    out, err = process.communicate(timeout=120)
    assert process.returncode == 1, out + err
    assert "the launcher ended early" in err and "runs have no result" in err
    assert "RUNNING" not in statuses(workplace.runs())
    assert statuses(workplace.parents()) == ["FINISHED"]


def test_only_the_failed_run_is_run_again(workplace, launch):
    launch("-m", "reranker=none,nome")
    ended = launch("-m", "reranker=none,nome")
    assert "1 finished before, 0 to do, 1 that cannot be composed" in ended.out
    assert len(workplace.parents()) == 1
    assert statuses(workplace.children()) == ["FAILED", "FINISHED"]


def test_a_report_for_dvc(workplace, launch):
    folder = workplace.folder / "report"
    launch(*GRID, f"report={folder}")
    metrics = json.loads((folder / "metrics.json").read_text())
    assert set(metrics) == {
        "retriever=given query=term",
        "retriever=bm25 query=term",
        "retriever=bm25 query=summary",
    }
    assert 0 < metrics["retriever=bm25 query=term"]["ndcg_at_20"] <= 1
    lines = (folder / "ndcg.csv").read_text().split("\n")
    assert lines[0] == "run,k,ndcg" and len(lines) == 1 + 3 * 6 + 1
    before = {path.name: path.read_bytes() for path in folder.iterdir()}
    launch(*GRID, f"report={folder}")
    assert {path.name: path.read_bytes() for path in folder.iterdir()} == before


@pytest.fixture
def nothing_in_memory():
    """Counts must not depend on what other tests encoded in this process."""
    for kept in (shared.DOCUMENTS, shared.QUERIES):
        kept.clear()


def encoded(runs, what):
    return sum(run.data.metrics.get(f"usage/{what}_encoded", 0) for run in runs)


MINILM = ("-m", "reranker=minilm", "instruct=default,specific", "query=term,summary")


def test_a_sweep_encodes_paragraphs_once(workplace, launch, nothing_in_memory):
    ended = launch(*MINILM)
    assert ended.status == 0, ended.err
    children = workplace.children()
    assert statuses(children) == ["FINISHED"] * 4
    assert encoded(children, "documents") == 18 and encoded(children, "queries") == 4
    launch(*MINILM, "force=true")
    assert encoded(workplace.children(), "documents") == 18


@pytest.mark.realdata
def test_a_sweep_encodes_500_paragraphs_and_4_queries(
    workplace, launch, real_data, nothing_in_memory
):
    folder = str(workplace.folder / "data")
    assert data.main(["import", "mtob", str(real_data / "mtob"), "--data-dir", folder]) == 0
    ended = launch(*MINILM, "data=mtob")
    assert ended.status == 0, ended.err
    assert encoded(workplace.children(), "documents") == 500
    assert encoded(workplace.children(), "queries") == 4


def test_a_sweep_in_parallel_processes(workplace, launch):
    ended = launch(*GRID, "hydra/launcher=joblib", "hydra.launcher.n_jobs=2")
    assert ended.status == 0, ended.err
    assert statuses(workplace.children()) == ["FINISHED"] * 3


def many(count):
    return ("-m", "reranker=none", "retriever=bm25", f"seed=range({count})")


def wait_for(condition, seconds=60):
    end = time.monotonic() + seconds
    while time.monotonic() < end:
        if condition():
            return
        time.sleep(0.05)
    raise AssertionError("it never came to that")


PARALLEL = ("hydra/launcher=joblib", "hydra.launcher.n_jobs=2")


@pytest.mark.parametrize("launcher", [(), PARALLEL], ids=["one process", "joblib"])
@pytest.mark.parametrize(("number", "status"), [(signal.SIGINT, 130), (signal.SIGTERM, 143)])
def test_an_interrupted_sweep_leaves_no_run_running(workplace, number, status, launcher):
    process = workplace.start(*many(30), *launcher)
    wait_for(lambda: workplace.count("FINISHED") >= 2)
    process.send_signal(number)
    _, err = process.communicate(timeout=60)
    assert process.returncode == status, err
    if not launcher:  # joblib's own processes may say how they were ended
        assert "Traceback" not in err
    found = statuses(workplace.runs())
    assert "RUNNING" not in found and "KILLED" in found
    assert statuses(workplace.parents()) == ["KILLED"]


def test_a_sweep_that_was_killed_goes_on_from_there(workplace, launch):
    process = workplace.start(*many(20))
    wait_for(lambda: workplace.count("FINISHED") >= 2)
    process.kill()
    process.communicate(timeout=60)
    before = workplace.count("FINISHED")
    assert 2 <= before < 20
    ended = launch(*many(20))
    assert ended.status == 0, ended.err
    assert f"20 runs: {before} finished before, {20 - before} to do." in ended.out
    assert statuses(workplace.children()).count("FINISHED") == 20
    (parent,) = workplace.parents()
    assert parent.info.status == "FINISHED"
    assert {c.data.tags["mlflow.parentRunId"] for c in workplace.children()} == {parent.info.run_id}
    assert "RUNNING" not in statuses(workplace.runs())


def test_two_sweeps_started_together_do_not_disturb_each_other(tmp_path):
    workplace = Workplace(tmp_path)  # without a database: both find none
    first = workplace.start(*many(12))
    second = workplace.start("-m", "reranker=none", "retriever=given", "seed=range(12)")
    for process in (first, second):
        out, err = process.communicate(timeout=120)
        assert process.returncode == 0, out + err
        assert "locked" not in err
    assert statuses(workplace.children()) == ["FINISHED"] * 24
    folders = list((workplace.folder / "outputs" / "sweeps").glob("*/*"))
    assert len(folders) == 2
