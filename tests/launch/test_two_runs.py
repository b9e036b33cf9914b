"""``python -m src.compare`` over runs that MLflow has."""

from __future__ import annotations

import re
import shutil

import pytest

from src.compare import main
from src.corpus.tables import columns_of, write_parquet
from src.errors import GrambenchError
from src.tracking.lookup import Lookup
from src.tracking.store import Tracker
from tests.launch.classifying import CLASSIFY, make_classifiable

GOLD = {"alpha": "SOV", "beta": "SVO", "gamma": "SOV"}
RUNS = {"sov": ["SOV"] * 3, "osv": ["OSV"] * 3, "twin": ["SVO"] * 3}


def rows(answers, gold):
    return [
        {"grammar": g, "part": "", "gold": gold[g], "predicted": a, "correct": a == gold[g]}
        for g, a in zip(gold, answers, strict=True)
    ]


@pytest.fixture(scope="module")
def recorded(database, tmp_path_factory):
    """An MLflow address, and the ids of its runs by name; of two twins the newer one's."""
    folder = tmp_path_factory.mktemp("recorded")
    shutil.copy(database, folder / "mlflow.db")
    uri = f"sqlite:///{folder}/mlflow.db"
    ids = {}

    def record(tracker, name, answers, gold=GOLD):
        table = folder / "files" / name
        table.mkdir(parents=True, exist_ok=True)
        write_parquet(table / "grammars.parquet", columns_of(rows(answers, gold)))
        with tracker.run(name, identity=name) as run:
            run.log({"f1_micro": 0.5}, artifacts=table)
        ids[name] = run.run_id

    tracker = Tracker(uri, str(folder / "artifacts"), "classify")
    for name in ("twin", "sov", "osv", "twin"):
        record(tracker, name, RUNS[name])
    record(tracker, "other gold", ["SOV"] * 3, GOLD | {"beta": "OVS"})
    record(Tracker(uri, str(folder / "artifacts"), "rerank"), "reranked", ["SOV"] * 3)
    with pytest.raises(ZeroDivisionError), tracker.run("broken", identity="x"):
        raise ZeroDivisionError
    return uri, ids


@pytest.fixture
def compare(recorded, capsys):
    def call(*arguments):
        status = main([*arguments, "--uri", recorded[0], "--resamples", "50"])
        return status, *capsys.readouterr()

    return call


def test_two_runs_beside_each_other(recorded, compare):
    _, ids = recorded
    status, out, err = compare("sov", ids["osv"])
    assert (status, err) == (0, "")
    assert f"first : sov ({ids['sov'][:8]})" in out
    assert f"second: osv ({ids['osv'][:8]})" in out
    assert "3 grammars that both have classified" in out
    # two of three right against none: the binomial of 2 pairs gives 2 * 1/4
    assert "| accuracy | 0.6667 | 0.0000 |     0.6667 | 0.5000 |" in out
    assert "| f1_macro | 0.4000 | 0.0000 |" in out
    said = "right in both 0, only in the first 2, only in the second 0, in neither 1"
    assert f"{said} (McNemar's exact test: p 0.5000)" in out
    same = compare("sov", "sov")[1]
    assert "| accuracy | 0.6667 | 0.6667 |     0.0000 | 1.0000 |" in same
    gold_only = compare("sov", "osv", "--labels", "all")[1]
    assert "| f1_macro |" in gold_only


@pytest.mark.parametrize(
    ("second", "said"),
    [
        ("osvv", "Did you mean 'osv'?"),
        ("broken", "no finished run 'broken'"),
        ("reranked", "is of task=rerank"),
        ("other gold", "other gold labels for 1 (beta)"),
    ],
)
def test_runs_that_cannot_be_compared(compare, second, said):
    status, out, err = compare("sov", second)
    assert (status, out) == (1, "") and said in err


def test_an_address_without_runs_is_not_made(tmp_path, capsys):
    assert main(["a", "b", "--uri", f"sqlite:///{tmp_path}/none/mlflow.db"]) == 1
    assert "error: There is no MLflow database" in capsys.readouterr().err
    assert list(tmp_path.iterdir()) == []


def test_runs_are_found_by_id_its_beginning_and_name(recorded):
    uri, ids = recorded
    lookup = Lookup(uri)
    for wanted in (ids["sov"], ids["sov"][:6], "sov"):
        found = lookup.run(wanted)
        assert (found.id, found.name, found.task) == (ids["sov"], "sov", "classify")
    assert lookup.run("twin").id == ids["twin"]  # the newest
    for wanted in (ids["sov"][:5], "", "%"):  # five digits might be anybody's
        with pytest.raises(GrambenchError, match="no finished run"):
            lookup.run(wanted)


def test_a_table_of_a_run(recorded):
    lookup = Lookup(recorded[0])
    run = lookup.run("sov")
    assert lookup.table(run, "grammars") == rows(RUNS["sov"], GOLD)
    for name in ("grammers", "../sov/grammars"):
        with pytest.raises(GrambenchError, match="has no table"):
            lookup.table(run, name)


def test_runs_as_the_task_records_them(workplace, launch, capsys):
    make_classifiable(workplace.pack)
    for name, llm in (("one", "majority"), ("two", "uniform")):
        assert launch(*CLASSIFY, f"llm={llm}", f"tracking.run_name={name}").status == 0
    assert main(["one", "two", "--uri", f"sqlite:///{workplace.folder}/mlruns/mlflow.db"]) == 0
    assert "| accuracy | 0.6667 |" in capsys.readouterr().out


def test_every_row_of_a_sweep_is_found(workplace, launch, capsys):
    make_classifiable(workplace.pack)
    uri = f"sqlite:///{workplace.folder}/mlruns/mlflow.db"
    single = launch(*CLASSIFY, "llm=uniform")
    digits = re.search(r"^run: (\w{8}) \(compare runs: python -m src.compare", single.out, re.M)[1]
    swept = launch("-m", *CLASSIFY, "llm=uniform,majority", "seed=0,1")
    assert "1 finished before" in swept.out
    rows = re.findall(r"^\| (llm=\S+ seed=\d)", swept.out, re.M)
    found = {row: Lookup(uri).run(row, "classify") for row in rows}
    params = {row: workplace.client().get_run(run.id).data.params for row, run in found.items()}
    assert len(rows) >= 3 and len({run.id for run in found.values()}) == len(rows)
    for row in rows:
        assert f"llm={params[row]['llm.name']} seed={params[row]['seed']}" == row
        swapped = " ".join(reversed(row.split()))
        assert Lookup(uri).run(swapped, "classify") == found[row]
    (old,) = [run for run in found.values() if run.id.startswith(digits)]
    assert old.name == " ".join([*CLASSIFY, "llm=uniform"])
    assert main([digits, rows[-1], "--uri", uri, "--resamples", "9"]) == 0
    assert f"first : {old.name} ({digits})" in capsys.readouterr().out


def test_a_rerank_run_prints_its_id_but_no_command_to_compare(launch):
    ended = launch("reranker=none")
    assert re.search(r"^run: \w{8} \(compare runs: make ui\)$", ended.out, re.M)
    assert "run: " not in launch("reranker=none", "tracking=none").out
