"""The published tables of MTOB, from its released labels."""

from __future__ import annotations

import csv
from collections import defaultdict

import pytest

from src.importers.mtob import import_mtob
from src.tasks.classify import run
from tests.composing import config

pytestmark = pytest.mark.realdata

FEATURES = {"WALS 81A": "wals_81a", "GB 107": "gb_107", "WALS 49A": "wals_49a"}
PARTS = {
    "interrog. intonation only": "intonation",
    "interrog. word order": "word_order",
    "clause-initial particle": "initial",
    "clause-final particle": "final",
    "clause-medial particle": "medial",
    "interrog. verb morphology": "verb_morphology",
    "tone": "tone",
}
AT_HAND = {"wals_81a", "gb_107"}
ALWAYS = {"baseline", "bm25", "bm25_cot"}


@pytest.fixture(scope="module")
def imported(real_data, tmp_path_factory):
    folder = tmp_path_factory.mktemp("data")
    import_mtob(real_data / "mtob", folder / "mtob")
    return folder


def published(path, table):
    """The cells of a table that can be computed, by feature and setting: (metric, value, SD)."""
    cells = defaultdict(list)
    with path.open(encoding="utf-8", newline="") as file:
        for row in csv.DictReader(file):
            if row["table"] != table:
                continue
            feature = FEATURES.get(row["row"], "wals_116a")
            if feature in AT_HAND or row["column"] in ALWAYS:
                prefix = f"{PARTS[row['row']]}/" if row["row"] in PARTS else ""
                metric = f"{prefix}f1_{row['average_or_setting']}"
                sd = float(row["sd"]) if row["sd"] else None
                cells[feature, row["column"]].append((metric, float(row["value"]), sd))
    return cells


@pytest.mark.parametrize(("table", "number"), [("4", 15 + 15 + 9 + 63), ("9", 21 + 21 + 9 + 63)])
def test_every_cell_of_a_table(imported, real_data, table, number):
    cells = published(real_data.parent / "reference" / "published_mtob.csv", table)
    assert sum(map(len, cells.values())) == number
    for (feature, setting), figures in cells.items():
        baseline = setting == "baseline"
        result = run(
            config(
                *("task=classify", "data=mtob", f"paths.data={imported}", f"feature={feature}"),
                *("llm=recorded", "answers=released", f"setting={setting}"),
                *("retriever=none", "reranker=none", "task.resamples=100"),
                f"task.rows={'described' if baseline or table == '9' else 'all'}",
                f"task.repeats={10 if baseline else 1}",
            )
        )
        for metric, value, sd in figures:
            where = f"{feature}, {setting}, {metric}"
            assert result.metrics[metric] == pytest.approx(value, abs=5.001e-5), where
            if sd is not None:
                assert result.metrics[f"{metric}_sd"] == pytest.approx(sd, abs=5.001e-5), where
