import math

import pytest

from src.errors import GrambenchError
from src.launch.choices import CONF
from src.launch.outcome import Outcome
from src.launch.published import Cell, compare, read_published, summary, write_comparison

ROWS = """feature,setting,metric,value,sd
wals_81a,baseline,f1_micro,0.5551,0.0359
wals_81a,bm25,f1_micro,0.6892,
wals_81a,oracle,f1_micro,0.7868,
"""


def cells(tmp_path, text=ROWS):
    file = tmp_path / "published.csv"
    file.write_text(text, encoding="utf-8")
    return read_published(file)


def outcome(name, **metrics):
    return Outcome(name, "finished", metrics=metrics)


def test_figures_are_equal_to_the_decimals_that_were_published(tmp_path):
    ours = [
        outcome("a", f1_micro=0.55509, f1_micro_sd=0.03594),
        outcome("b", f1_micro=0.68926),
        Outcome("c", "failed", error="no replies"),
    ]
    chosen = {"a": ("wals_81a", "baseline"), "b": ("wals_81a", "bm25"), "c": ("wals_81a", "oracle")}
    compared = compare(cells(tmp_path), ours, chosen)
    assert [cell.equal for cell in compared] == [True, False, False]
    assert [cell.measured for cell in compared] == [True, True, False]
    said = summary(compared, "table")
    assert said.startswith("table: 1 of 2 figures equal to 4 decimals; 1 more have no run here.")
    assert "| wals_81a bm25 f1_micro |    0.6892 | 0.6893 |    +0.0001 |" in said


def test_a_deviation_that_was_published_must_be_equal_too():
    cell = Cell("f", "s", "m", 0.5, 0.1, ours=0.5)
    assert not cell.equal
    assert Cell("f", "s", "m", 0.5, 0.1, ours=0.5, ours_sd=0.1).equal
    said = summary([cell, Cell("f", "s", "m", 0.5, 0.1, ours=0.5, ours_sd=0.11)], "table")
    assert said.split("\n")[3:] == [
        "| f s m, SD |    0.1000 |      – |          – |",
        "| f s m, SD |    0.1000 | 0.1100 |    +0.0100 |",
    ]
    assert Cell("f", "s", "m", 0.5, math.nan, ours=0.5).equal


def test_half_a_unit_of_the_last_decimal_is_equal():
    assert Cell("f", "s", "m", 0.3452, math.nan, ours=0.34525).equal
    assert not Cell("f", "s", "m", 0.3452, math.nan, ours=0.345251).equal


def test_all_cells_are_written_with_both_figures(tmp_path):
    compared = compare(cells(tmp_path), [outcome("b", f1_micro=0.7)], {"b": ("wals_81a", "bm25")})
    write_comparison(tmp_path / "out.csv", compared)
    assert (tmp_path / "out.csv").read_text().split("\n")[1:4] == [
        "wals_81a,baseline,f1_micro,0.5551,0.0359,,,",
        "wals_81a,bm25,f1_micro,0.6892,,0.7,,false",
        "wals_81a,oracle,f1_micro,0.7868,,,,",
    ]


@pytest.mark.parametrize(
    ("text", "said"),
    [
        ("", "has no rows"),
        ("feature,setting,value,sd\na,b,1,\n", "no column metric"),
        ("feature,setting,metric,value,sd\na,b,c,much,\n", "row 2"),
    ],
)
def test_a_table_that_is_none_is_refused(tmp_path, text, said):
    with pytest.raises(GrambenchError, match=said):
        cells(tmp_path, text)
    with pytest.raises(GrambenchError, match="cannot be read"):
        read_published(tmp_path / "not there.csv")


@pytest.mark.parametrize(("table", "figures"), [("mtob_table4", 150), ("mtob_table9", 210)])
def test_the_papers_tables_are_whole(table, figures):
    found = read_published(CONF / "tables" / f"{table}.csv")
    assert len({(c.feature, c.setting, c.metric) for c in found}) == len(found) == figures
