"""The pipeline in a copy of the project, with the real DVC: what re-runs after which change."""

import json
import os
import shutil
import subprocess
import sys
from pathlib import Path

import pytest

from tests.launching import ROOT

pytestmark = pytest.mark.skipif(not (ROOT / ".git").exists(), reason="not a git checkout")


@pytest.fixture(scope="module")
def project(tmp_path_factory):
    """A copy of the project's files with the demo's data and the pipeline run once."""
    folder = tmp_path_factory.mktemp("dvc") / "project"
    listed = subprocess.run(
        ["git", "ls-files", "-co", "--exclude-standard", "-z"],
        cwd=ROOT,
        capture_output=True,
        check=True,
    )
    for name in listed.stdout.decode().split("\0"):
        if name and (ROOT / name).is_file():
            (folder / name).parent.mkdir(parents=True, exist_ok=True)
            shutil.copy(ROOT / name, folder / name)
    subprocess.run(["git", "init", "-q"], cwd=folder, check=True)
    _read_less(folder / "conf/experiment/demo_classify.yaml")
    dvc(folder, "pull", "data.dvc")
    dvc(folder, "repro")
    return folder


def _read_less(experiment: Path) -> None:
    """Let the LLM read one short prompt: all of them take a minute and more."""
    text = experiment.read_text(encoding="utf-8")
    head, _, rest = text.partition("sweep:\n")
    first = next(line for line in rest.split("\n") if "baseline" in line)
    head += "limit: 1\nllm:\n  max_tokens: 8\n\n"
    experiment.write_text(f"{head}sweep:\n{first}\n\nhydra:\n  mode: MULTIRUN\n", encoding="utf-8")


def dvc(folder: Path, *arguments: str) -> str:
    beside = str(Path(sys.executable).parent)
    done = subprocess.run(
        [sys.executable, "-m", "dvc", *arguments],
        cwd=folder,
        env={**os.environ, "PATH": f"{beside}:{os.environ['PATH']}"},
        capture_output=True,
        text=True,
        check=False,
    )
    assert done.returncode == 0, done.stdout + done.stderr
    return done.stdout


SEARCHES = {"demo_rerank", "demo_retrieve"}
RUNS = {*SEARCHES, "demo_classify"}
ON_BOOKS = {"demo_retrieve", "demo_classify"}
EMBEDDINGS = {"embeddings@demo-minilm", "embeddings@demo_books-minilm"}


def changed(folder: Path) -> set[str]:
    return set(json.loads(dvc(folder, "status", "--json") or "{}"))


def test_the_pipeline_leaves_metrics_and_plots(project):
    metrics = json.loads((project / "results/demo_rerank/metrics.json").read_text())
    assert len(metrics) == 7
    assert all(0 < run["ndcg_at_20"] < 1 for run in metrics.values())
    assert (project / "results/demo_rerank/table.md").read_text().count("\n") >= 9
    assert "demo_rerank" in dvc(project, "plots", "show", "--json")


def test_nothing_is_to_do_right_after(project):
    assert changed(project) == set()
    assert "up to date" in dvc(project, "repro")


@pytest.mark.parametrize(
    ("file", "stages"),
    [
        ("conf/instruct/specific.yaml", {"demo_rerank"}),
        ("conf/task/rerank.yaml", {"demo_rerank"}),
        ("conf/experiment/demo_rerank.yaml", {"demo_rerank"}),
        ("conf/task/retrieve.yaml", {"demo_retrieve"}),
        ("conf/reranker/minilm.yaml", {*RUNS, *EMBEDDINGS}),
        ("conf/instruct/none.yaml", set()),
        ("conf/reranker/bge_m3.yaml", set()),
        ("conf/retriever/bm25s.yaml", {*ON_BOOKS, "index@demo_books"}),
        ("conf/retriever/oracle.yaml", ON_BOOKS),
        ("conf/prompt/plain.yaml", {"demo_classify"}),
        ("conf/llm/smollm2.yaml", {"demo_classify"}),
        ("conf/llm/gpt_4_1.yaml", set()),
        ("src/prompting/answers.py", {"demo_classify"}),
        ("src/retrieval/vectors.py", {*RUNS, *EMBEDDINGS}),
        ("src/retrieval/terms.py", {*RUNS, "index@demo_books"}),
        ("src/tasks/rerank.py", RUNS),
        ("src/corpus/reading.py", {*RUNS, "paragraphs@demo_books"}),
        ("src/books/by_blocks.py", {"paragraphs@demo_books"}),
        ("src/launch/console.py", set()),
        ("conf/data/mtob.yaml", set()),
        ("conf/experiment/mtob_table1.yaml", set()),
        ("data/demo/grades.csv", {"demo_rerank", "data.dvc"}),
        ("data/demo/books/gold_pages.csv", {"demo_rerank", "paragraphs@demo_books", "data.dvc"}),
        ("data/demo/paragraphs.csv", {"demo_rerank", "embeddings@demo-minilm", "data.dvc"}),
        ("README.md", set()),
    ],
)
def test_a_change_concerns_what_depends_on_it_and_nothing_else(project, file, stages):
    path = project / file
    before = path.read_bytes()
    path.write_bytes(before + b"\n# changed\n")
    try:
        assert changed(project) == stages
    finally:
        path.write_bytes(before)


def test_a_changed_seed_concerns_the_runs_alone(project):
    path = project / "params.yaml"
    before = path.read_text()
    path.write_text(before.replace("seed: 0", "seed: 1"))
    try:
        assert changed(project) == RUNS
    finally:
        path.write_text(before)


def test_another_way_to_make_paragraphs_concerns_the_books_alone(project):
    path = project / "params.yaml"
    before = path.read_text()
    path.write_text(before.replace("characters: 1500", "characters: 900"))
    try:
        assert changed(project) == {"paragraphs@demo_books"}
    finally:
        path.write_text(before)


def test_changed_code_gives_new_figures(project):
    path = project / "src/metrics/ranking.py"
    before = path.read_text()
    half = before.replace("return _dcg(_gains(ranked", "return 0.5 * _dcg(_gains(ranked")
    assert half != before
    metrics = project / "results/demo_rerank/metrics.json"
    right = json.loads(metrics.read_text())
    path.write_text(half)
    try:
        dvc(project, "repro")
        halved = json.loads(metrics.read_text())
    finally:
        path.write_text(before)
    for name, run in right.items():
        assert halved[name]["ndcg_at_20"] == pytest.approx(run["ndcg_at_20"] / 2)
    dvc(project, "repro")
    assert json.loads(metrics.read_text()) == right


def test_an_imported_pack_is_pushed_nowhere(project):
    shutil.copytree(project / "data" / "demo", project / "data" / "mine")
    try:
        assert changed(project) == set()
        before = sorted((project / "dvcstore").rglob("*"))
        dvc(project, "add", "data/mine")
        subprocess.run(
            [sys.executable, "-m", "dvc", "push"], cwd=project, capture_output=True, check=False
        )
        assert sorted((project / "dvcstore").rglob("*")) == before
    finally:
        shutil.rmtree(project / "data" / "mine")
        (project / "data" / "mine.dvc").unlink()
