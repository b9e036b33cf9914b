import pytest

from src.errors import GrambenchError
from src.launch.estimating import estimate
from tests.composing import GIVEN, composed, config
from tests.launch.classifying import CLASSIFY, make_classifiable


@pytest.mark.parametrize(
    ("overrides", "left", "given"),
    [
        (["llm=ollama"], "llm=ollama leaves open llm.model.", "Give llm.model=NAME"),
        (
            ["llm=endpoint", "llm.model=x"],
            "llm=endpoint leaves open llm.base_url, llm.context.",
            "llm.context=TOKENS",
        ),
        (["llm=endpoint", "llm.model=x", "llm.context=9"], "open llm.base_url.", "base_url=URL"),
        (["seed=???"], "There is no value for seed.", "Give seed=VALUE."),
        (
            ["reranker=recorded", "reranker.model=???", "llm=ollama"],
            "llm=ollama, reranker=recorded leaves open llm.model, reranker.model.",
            "reranker.model=VALUE.",
        ),
        (["retriever=bm25", "retriever.k=???"], "retriever=bm25 leaves open retriever.k.", "Give"),
        (["prompt.parts.task=???"], "prompt=plain leaves open prompt.parts.task.", "Give"),
        (["rerank.k=???"], "There is no value for rerank.k.", "Give rerank.k=VALUE."),
    ],
)
def test_each_value_that_is_left_open_is_named(overrides, left, given):
    with pytest.raises(GrambenchError) as error:
        composed("task=classify", *overrides)
    assert left in str(error.value) and given in str(error.value)
    assert "???" not in str(error.value)
    with pytest.raises(GrambenchError, match=given):
        estimate(config("task=classify", *overrides))


@pytest.mark.parametrize("choice", GIVEN)
def test_what_was_given_is_all_there(choice):
    assert composed(choice, *GIVEN[choice])["llm"]["model"] == "some"


def test_a_run_ends_with_what_is_to_be_given(launch):
    for mode in ((), ("dry_run=true",)):
        ended = launch("task=classify", "llm=endpoint", *mode)
        assert ended.status == 1 and "llm=endpoint leaves open llm.base_url" in ended.err
        assert "Traceback" not in ended.err and "???" not in ended.err


def test_a_cell_of_a_sweep_that_leaves_something_open_stops_no_other(workplace, launch):
    make_classifiable(workplace.pack)
    ended = launch("-m", *CLASSIFY, "llm=ollama,majority")
    assert ended.status == 1
    assert "llm=ollama: llm=ollama leaves open llm.model. Give llm.model=NAME" in ended.err
    assert "2 runs: 0 finished before, 1 to do, 1 that cannot be composed." in ended.out


def test_what_the_task_does_not_read_may_stay_open(workplace, launch):
    # task=rerank reads no LLM, and of the feature only its id
    ended = launch("reranker=none", "llm=endpoint", "feature.title=???", "tracking=none")
    assert (ended.status, ended.err) == (0, "")
    ended = launch("reranker=none", "feature.id=???", "tracking=none")
    assert ended.status == 1 and "Give feature.id=VALUE" in ended.err
    for key in ("task.gain", "task.k"):
        assert f"Give {key}=VALUE" in launch("reranker=none", f"{key}=???", "tracking=none").err


def test_a_key_that_there_is_not_ends_a_run_with_status_2(launch):
    ended = launch("task=classify", "llm.temprature=0")
    assert ended.status == 2
    assert ended.err.startswith("error: There is no 'llm.temprature' to set. Did you mean")
