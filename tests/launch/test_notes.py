from src.launch.notes import noted


def test_a_note_is_said_once_with_the_runs_that_it_holds_for():
    runs = {name: ["all"] for name in "abcde"}
    runs["a"] = ["all", "one"]
    runs |= {name: ["all", "some"] for name in "bcde"}
    assert noted(runs) == [
        "\nnote: all",
        "\nnote: one (in a)",
        "\nnote: some (in 4 runs: b; c; d and 1 more)",
    ]


def test_a_single_run_is_not_named():
    assert noted({"this run": ["few grammars"]}) == ["\nnote: few grammars"]
    assert noted({}) == []
