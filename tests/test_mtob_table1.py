"""Table 1 of From MTEB to MTOB from the released files, through the same commands as a user's."""

import csv
import re
import sys
from pathlib import Path

import pyarrow.parquet as pq
import pytest

from src import data
from tests.launching import Workplace, statuses
from tests.mtob_clone import write_clone


def stored_curves(clone: Path) -> dict[tuple[str, str], list[float]]:
    """Read the NDCG columns as released: (column, grammar) -> values for k = 1 .. n."""
    csv.field_size_limit(sys.maxsize)
    found = {}
    for path in sorted((clone / "rerankers_metrics").glob("*.csv")):
        with path.open(encoding="utf-8", newline="") as file:
            rows = list(csv.DictReader(file))
        for column in rows[0]:
            if column.endswith(" NDCG@K"):
                name = column.removesuffix(" NDCG@K")
                found[name, path.stem] = [float(row[column]) for row in rows]
    return found


def column_of(params: dict[str, str]) -> str:
    if params["reranker.name"] == "none":
        return "BM25"
    instruct = {"default": "Default Instruct", "specific": "Specific Instruct"}
    suffix = {"term": ": Term Only", "summary": ""}[params["query.name"]]
    return f"{params['reranker.model']} {instruct[params['instruct.name']]}{suffix}"


def check_parity(workplace: Workplace, clone: Path, columns: int) -> None:
    stored = stored_curves(clone)
    children = workplace.children()
    assert statuses(children) == ["FINISHED"] * columns and len(workplace.parents()) == 1
    assert {column_of(run.data.params) for run in children} == {name for name, _ in stored}
    for run in children:
        column = column_of(run.data.params)
        folder = Path(workplace.client().download_artifacts(run.info.run_id, ""))
        ours: dict[str, list[float]] = {}
        for row in pq.read_table(folder / "ndcg.parquet").to_pylist():
            ours.setdefault(row["grammar"], []).append(row["ndcg"])
        theirs = {grammar: curve for (name, grammar), curve in stored.items() if name == column}
        assert ours.keys() == theirs.keys()
        for grammar, curve in theirs.items():
            assert ours[grammar] == pytest.approx(curve, rel=0, abs=1e-12), (column, grammar)
        at_20 = [curve[min(20, len(curve)) - 1] for curve in theirs.values()]
        mean = sum(at_20) / len(at_20)
        assert run.data.metrics["ndcg_at_20"] == pytest.approx(mean, rel=0, abs=1e-12)


def reproduce(clone, tmp_path, database, monkeypatch, capsys):
    workplace = Workplace(tmp_path / "place", database)
    folder = str(workplace.folder / "data")
    assert data.main(["import", "mtob", str(clone), "--data-dir", folder]) == 0
    ended = workplace.here(monkeypatch, capsys, "experiment=mtob_table1")
    assert ended.status == 0, ended.err
    return workplace, ended


@pytest.mark.realdata
def test_the_released_ndcg_comes_back_to_the_last_digit(
    real_data, tmp_path, database, monkeypatch, capsys
):
    clone = real_data / "mtob"
    workplace, ended = reproduce(clone, tmp_path, database, monkeypatch, capsys)
    assert "29 runs: 0 finished before, 29 to do." in ended.out
    check_parity(workplace, clone, columns=29)
    again = workplace.here(monkeypatch, capsys, "experiment=mtob_table1")
    assert "29 runs: 29 finished before, 0 to do." in again.out
    assert len(workplace.runs()) == 30


def test_an_invented_clone_comes_back_too(tmp_path, database, monkeypatch, capsys):
    clone = tmp_path / "clone"
    write_clone(clone)
    workplace, ended = reproduce(clone, tmp_path, database, monkeypatch, capsys)
    assert re.search(r"29 runs: 0 finished before, 29 to do", ended.out)
    check_parity(workplace, clone, columns=29)
