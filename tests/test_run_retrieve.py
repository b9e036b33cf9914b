"""task=retrieve as people run it: figures, reuse, sweeps, reports."""

import csv
import json
from pathlib import Path

import pyarrow.parquet as pq
import pytest
import yaml

from src.retrieval import shared
from tests.launching import statuses
from tests.packs import write_books

BOOKS = ("task=retrieve", "data.name=books", "query=definition")


@pytest.fixture
def books(workplace):
    return write_books(workplace.folder / "data" / "books")


@pytest.fixture
def nothing_in_memory():
    shared.forget_models()
    yield
    shared.forget_models()


def metrics(ended, name):
    (line,) = [line for line in ended.out.split("\n") if line.startswith(f"{name} ")]
    return float(line.split()[-1])


def test_a_run_is_recorded_and_not_run_again(workplace, launch, books):
    ended = launch(*BOOKS, "retriever=bm25s", "reranker=none", "rerank.k=2")
    assert ended.status == 0, ended.err
    (run,) = workplace.runs("retrieve")
    assert run.info.status == "FINISHED" and run.data.metrics["grammars"] == 2
    assert run.data.metrics["page_recall_at_2"] == metrics(ended, "page_recall_at_2")
    assert run.data.metrics["page_recall_at_2/macroarea/Africa"] == 1
    files = {file.path for file in workplace.client().list_artifacts(run.info.run_id)}
    assert {"page_recall.png", "page_recall.parquet", "rankings.parquet"} <= files
    folder = Path(workplace.client().download_artifacts(run.info.run_id, ""))
    rows = pq.read_table(folder / "rankings.parquet").to_pylist()
    assert [row["rank"] for row in rows] == [1, 2, 1, 2] and rows[0]["gold"]
    again = launch(*BOOKS, "retriever=bm25s", "reranker=none", "rerank.k=2")
    assert "finished before" in again.out and len(workplace.runs("retrieve")) == 1
    launch(*BOOKS, "retriever=bm25s", "reranker=none", "rerank.k=3")
    assert len(workplace.runs("retrieve")) == 2


def test_what_is_passed_on_is_no_matter_of_task_rerank(workplace, launch):
    launch("reranker=none", "rerank.k=3")
    assert "finished before" in launch("reranker=none", "rerank.k=null").out


def test_no_retriever_finds_nothing_and_the_oracle_all_that_is_there(launch, books):
    nothing = launch(*BOOKS, "retriever=none", "reranker=minilm")
    assert nothing.status == 0, nothing.err
    assert metrics(nothing, "page_recall_at_20") == 0
    oracle = launch(*BOOKS, "retriever=oracle", "reranker=none", "rerank.k=null")
    assert metrics(oracle, "page_recall_at_20") == metrics(oracle, "reachable") == 1
    assert metrics(oracle, "characters_at_50") < metrics(oracle, "characters_to_all_pages") + 1


def test_a_sweep_writes_its_report(workplace, launch, books, tmp_path):
    report = tmp_path / "report"
    ended = launch(
        "-m", *BOOKS, "retriever=bm25,bm25s", "reranker=none", "rerank.k=3", f"report={report}"
    )
    assert ended.status == 0, ended.err
    assert statuses(workplace.runs("retrieve")) == ["FINISHED"] * 3
    names = {path.name for path in report.iterdir()}
    assert names == {"metrics.json", "table.md", "page_recall.csv", "page_recall.png"}
    headline = json.loads((report / "metrics.json").read_text())
    assert set(headline) == {"retriever=bm25", "retriever=bm25s"}
    assert {"page_recall_at_3", "page_rr_at_3", "characters_at_3"} <= set(
        headline["retriever=bm25"]
    )
    rows = list(csv.reader((report / "page_recall.csv").read_text().splitlines()))
    assert rows[0] == ["run", "k", "page_recall"] and len(rows) == 1 + 2 * 3
    # the same ranking by two libraries
    assert headline["retriever=bm25"] == headline["retriever=bm25s"]


def test_a_sweep_encodes_each_paragraph_once(workplace, launch, books, nothing_in_memory):
    sweep = ("-m", *BOOKS, "retriever=bm25s,dense,hybrid", "reranker=none,minilm")
    ended = launch(*sweep, "instruct=default,specific")
    assert ended.status == 0, ended.err
    # bm25s alone reads no instruct
    children = [r for r in workplace.runs("retrieve") if "mlflow.parentRunId" in r.data.tags]
    assert statuses(children) == ["FINISHED"] * 11
    for kind, number in (("documents", 9), ("queries", 2)):
        counts = [run.data.metrics.get(f"usage/{kind}_encoded", 0) for run in children]
        assert sum(counts) == number


def test_what_models_were_sent_is_recorded(workplace, launch, books):
    launch(*BOOKS, "retriever=dense", "reranker=minilm", "instruct=specific", "query.text=order")
    (run,) = workplace.runs("retrieve")
    folder = Path(workplace.client().download_artifacts(run.info.run_id, ""))
    texts = yaml.safe_load((folder / "texts.yaml").read_text())
    assert texts["sent"] == texts["sent_by_retriever"] == f"{texts['instruct']}\norder"


def test_a_sweep_in_parallel_processes(workplace, launch, books):
    ended = launch(
        "-m",
        *BOOKS,
        "retriever=bm25s,dense",
        "reranker=none",
        "hydra/launcher=joblib",
        "hydra.launcher.n_jobs=2",
    )
    assert ended.status == 0, ended.err
    assert statuses(workplace.runs("retrieve")) == ["FINISHED"] * 3


def test_a_pack_without_queries_is_told_of_those_that_need_none(launch, books):
    ended = launch(*BOOKS[:2], "query=summary", "retriever=bm25s", "reranker=none")
    assert ended.status == 1
    assert "query=definition and query=term need no text of the pack" in ended.err
    # a hybrid reads what its parts read
    ended = launch(*BOOKS[:2], "query=summary", "retriever=hybrid", "reranker=none")
    assert "query=definition and query=term" in ended.err
    assert launch(*BOOKS[:2], "query=summary", "retriever=oracle", "reranker=none").status == 0


def test_nothing_to_rank_is_said(launch):
    ended = launch("retriever=none", "reranker=none")
    assert ended.status == 1 and "nothing is left to rank" in ended.err


def test_a_pack_without_gold_pages_is_named(launch):
    ended = launch("task=retrieve", "retriever=bm25s", "reranker=none")
    assert ended.status == 1 and "no gold pages for the feature 'wals_81a'" in ended.err


def test_to_pass_on_nothing_is_refused(launch, books):
    ended = launch(*BOOKS, "retriever=bm25s", "reranker=none", "rerank.k=0")
    assert ended.status == 1 and "rerank.k is 0; give 1 or more" in ended.err


def test_a_tokenizer_that_is_not_there_is_named(launch, books):
    ended = launch(*BOOKS, "retriever=none", "reranker=none", "task.tokenizer.revision=9.9")
    assert ended.status == 1 and "version 9.9" in ended.err


@pytest.mark.parametrize(
    ("overrides", "said"),
    [
        (["query=definition", "feature.definition="], "The query 'definition'"),
        (["query.text="], "is empty"),
        (["query.text='  '"], "is empty"),
        (["query.text='?!'"], "no term of the query"),
        (["query.text='порядок слов'"], "no term of the query"),
    ],
)
def test_a_query_that_asks_nothing_is_refused(launch, books, overrides, said):
    ended = launch(*BOOKS, "retriever=bm25s", "reranker=none", *overrides)
    assert ended.status == 1
    assert said in ended.err
