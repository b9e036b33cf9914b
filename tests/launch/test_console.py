import math

import pytest

from src.launch import console
from src.launch.outcome import Outcome

HEADLINE = ("ndcg_at_20", "grammars")


def outcome(name, value, notes=()):
    metrics = {"ndcg_at_20": value, "grammars": 3}
    return Outcome(name, "finished", metrics=metrics, headline=HEADLINE, notes=notes)


FAILED = Outcome("c", "failed", folder="outputs/1", error="no such model")


@pytest.mark.parametrize(
    ("value", "text"),
    [(0.5, "0.5000"), (1.0, "1.0000"), (3, "3"), (math.nan, "–"), (-0.1, "-0.1000")],
)
def test_figures(value, text):
    assert console.figure(value) == text


def test_a_sweep_is_a_markdown_table_of_what_has_a_result():
    table = console.sweep_table([outcome("a", 0.25), outcome("bb", math.nan), FAILED])
    assert table.split("\n") == [
        "| run | ndcg_at_20 | grammars |",
        "|-----|-----------:|---------:|",
        "| a   |     0.2500 |        3 |",
        "| bb  |          – |        3 |",
    ]


def test_notes_say_which_runs_they_hold_for():
    runs = [outcome("a", 0.1, ["all"]), outcome("b", 0.2, ["all", "some"])]
    table = console.sweep_table(runs)
    assert table.endswith("\nnote: all\n\nnote: some (in b)")


def test_a_deviation_stands_in_the_cell_of_its_mean():
    headline = ["f1", "f1_sd", "lone_sd"]
    figures = {"f1": 0.5551, "f1_sd": 0.0359, "lone_sd": 0.25}
    repeated = Outcome("a", "finished", metrics=figures, headline=headline)
    once = Outcome("b", "finished", metrics={"f1": 0.75}, headline=["f1"])
    assert console.sweep_table([repeated, once]).split("\n") == [
        "| run |              f1 | lone_sd |",
        "|-----|----------------:|--------:|",
        "| a   | 0.5551 ± 0.0359 |  0.2500 |",
        "| b   |          0.7500 |       – |",
    ]


def test_failures_are_listed_with_their_logs():
    assert console.failure_table([outcome("a", 0.1)]) == ""
    assert console.failure_table([outcome("a", 0.1), FAILED]) == (
        "1 of 2 runs have no result:\n  x c: no such model\n      log: outputs/1/run.log"
    )


def test_a_run_shows_its_headline_first():
    run = Outcome(
        "run",
        "finished",
        metrics={"b": 0.5, "ndcg_at_20": 0.25, "n": 7},
        headline=["ndcg_at_20"],
        notes=["few grammars"],
    )
    assert console.run_table(run).split("\n") == [
        "ndcg_at_20    0.2500",
        "b             0.5000",
        "n                  7",
        "note: few grammars",
    ]
    assert console.run_line(run) == "+ run  ndcg_at_20 0.2500  (0.00 s)"


def test_a_reader_that_went_away_does_not_end_a_sweep(capfd, monkeypatch):
    def broken(*_, **__):
        raise BrokenPipeError

    monkeypatch.setattr("builtins.print", broken)
    console.say("nobody reads this")
    assert capfd.readouterr().err == ""


def test_a_name_does_not_break_the_table():
    assert "| a b \\| c |" in console.sweep_table([outcome("a\nb | c", 0.1)])
