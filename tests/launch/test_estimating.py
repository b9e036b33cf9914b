import pytest

from src.errors import GrambenchError
from src.launch.estimating import estimate, estimate_table, total
from src.records import Estimate
from tests.composing import config

KNOWN = Estimate(10, 4, 6000, 1200, usd=0.05, most_usd=0.1, seconds=30.0)
UNKNOWN = Estimate(5, 0, 1000, 100, notes=("tokens are counted by characters",))


def test_a_run_is_laid_out_with_its_notes():
    said = estimate_table({"this run": UNKNOWN})
    assert (
        "|        5 |      0 |         1,000 |          100 | unknown |     unknown | unknown |"
        in said
    )
    assert said.endswith("note: tokens are counted by characters")


def test_several_runs_are_added_up():
    lines = estimate_table({"a": KNOWN, "b": KNOWN}).split("\n")
    assert [cell.strip() for cell in lines[-1].split("|")[1:-1]] == [
        *("in all", "20", "8", "12,000", "2,400", "0.10", "0.20", "60 s")
    ]


def test_what_one_does_not_know_the_sum_does_not_know():
    found = total([KNOWN, UNKNOWN])
    assert (found.requests, found.prompt_tokens) == (15, 7000)
    assert found.usd is found.seconds is None


@pytest.mark.parametrize(
    ("seconds", "said"), [(89.4, "89 s"), (90, "2 min"), (5400, "1.5 h"), (3600, "60 min")]
)
def test_times_are_said_as_people_say_them(seconds, said):
    assert f" {said} |" in estimate_table({"x": Estimate(1, 0, 1, 1, seconds=seconds)})


def test_a_task_that_asks_no_llm_has_no_estimate():
    with pytest.raises(GrambenchError, match="task=rerank asks none"):
        estimate(config())
