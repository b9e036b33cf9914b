"""Sweeps over LLMs: what they would cost, and how they compare with published figures."""

from __future__ import annotations

import pytest

from tests.launch.classifying import CLASSIFY, make_classifiable
from tests.llm.loopback import Act, Loopback, Seen

PUBLISHED = """feature,setting,metric,value,sd
wals_81a,baseline,f1_micro,0.6667,
wals_81a,baseline,f1_macro,0.5,
wals_81a,baselin,f1_micro,0.9,
wals_81a,oracle,f1_micro,0.9,
"""


@pytest.fixture
def classify(workplace, launch):
    make_classifiable(workplace.pack)
    replies = f"paths.replies={workplace.folder}/replies.db"
    return lambda *chosen: launch(*CLASSIFY, replies, *chosen)


def at(server):
    return (
        *("llm=endpoint", "llm.model=parrot", f"llm.base_url={server.url}", "llm.context=9000"),
        "llm.max_tokens=10",
        *("llm.price.prompt=1", "llm.price.completion=2"),
    )


def answered(seen: list[Seen]) -> int:
    return sum(one.answered for one in seen)


def test_a_dry_run_sends_nothing(classify, workplace):
    with Loopback() as server:
        one = classify(*at(server), "dry_run=true", "task.repeats=2")
        many = classify("-m", *at(server), "prompt=plain,guidelines", "dry_run=true")
        assert server.seen == []
        assert (one.status, many.status) == (0, 0), one.err + many.err
        assert [line.split("|")[2].strip() for line in one.out.split("\n")[2:3]] == ["6"]
        rows = [line.split("|") for line in many.out.split("\n") if line.startswith("| ")]
        assert [row[1].strip() for row in rows] == [
            *("run", "prompt=plain", "prompt=guidelines", "in all")
        ]
        assert [int(row[2]) for row in rows[1:]] == [3, 3, 6]
        assert workplace.runs("classify") == []
        # what is told is what is sent
        assert classify(*at(server), "task.repeats=2").status == 0
        assert answered(server.seen) == 6
        again = classify(*at(server), "dry_run=true", "task.repeats=3")
        assert [line.split("|")[2:4] for line in again.out.split("\n")[2:3]] == [
            ["        9 ", "      6 "]
        ]


def test_a_dry_run_of_what_asks_nobody(classify):
    ended = classify("-m", "llm=majority,nobody", "dry_run=true")
    assert ended.status == 1 and "There is no llm 'nobody'" in ended.out + ended.err
    assert "| llm=majority |        0 |" in ended.out
    other = classify("-m", "task=rerank", "reranker=none", "retriever=bm25,given", "dry_run=true")
    assert other.status == 1 and "task=rerank asks none" in other.err
    assert "Traceback" not in ended.err + other.err


def test_a_forced_run_says_that_replies_are_kept(classify):
    with Loopback([Act("Conclusion: SOV")]) as server:
        classify(*at(server))
        forced = classify(*at(server), "force=true")
        assert answered(server.seen) == 3
    assert "force=true runs again, but asks nothing again: 3 replies were in the" in forced.out
    assert "usage/stored" in forced.out


def test_a_sweep_beside_published_figures(classify, workplace):
    table = workplace.folder / "published.csv"
    table.write_text(PUBLISHED, encoding="utf-8")
    folder = workplace.folder / "report"
    sweep = ("-m", "llm=recorded", "setting=baseline,baselin", f"published={table}")
    ended = classify(*sweep, f"report={folder}")
    # the setting that has no replies is a failure, with its near name
    assert ended.status == 1 and "Did you mean 'baseline'?" in ended.err
    said = f"{table}: 1 of 2 figures equal to 4 decimals; 2 more have no run here."
    assert said in ended.out
    assert "| wals_81a baseline f1_macro |    0.5000 | 0.4000 |    -0.1000 |" in ended.out
    rows = (folder / "published.csv").read_text().split("\n")
    assert rows[1].startswith("wals_81a,baseline,f1_micro,0.6667,,0.666")
    assert rows[1].endswith(",,true") and rows[2].endswith(",,false") and rows[4].endswith(",,,")
    # a second time everything is there already, and compared again
    again = classify("-m", "llm=recorded", "setting=baseline", f"published={table}")
    assert again.status == 0 and "1 finished before" in again.out
    assert "1 of 2 figures equal to 4 decimals" in again.out


def test_published_figures_that_are_not_there(classify, workplace):
    ended = classify("-m", "llm=majority", "published=nowhere.csv")
    assert ended.status == 1 and "nowhere.csv cannot be read" in ended.err
    assert "Traceback" not in ended.err and workplace.runs("classify") == []
    assert classify("-m", "llm=majority", "published=null").status == 0
