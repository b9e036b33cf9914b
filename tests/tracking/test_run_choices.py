import pytest

from src.tracking.choices import agree, choices_in

PARAMS = {
    **{"llm.name": "uniform", "feature.id": "wals_81a", "data.name": "demo", "rerank.k": "3"},
    **{"seed": "0", "limit": "", "llm.temperature": "0.0", "force": "True", "one": "1"},
    **{"task.cutoffs": "[1, 5]", "setting": "baseline"},
}


@pytest.mark.parametrize(
    ("text", "agrees"),
    [
        ("llm=uniform feature=wals_81a data=demo", True),
        ("llm=uniform feature=gb_107", False),
        ("rerank.k=3 +seed=0", True),
        ("rerank.k=30", False),
        ("limit=null", True),
        ("limit=0", False),
        ("llm.temperature=0", True),
        ("force=true", True),
        ("one=true", False),
        ("task.cutoffs=[1,5]", True),
        ("setting=baseline", True),
        ("setting=[", False),
        ("prompt=plain", False),
        ("llm.nmae=uniform", False),
    ],
)
def test_a_run_agrees_with_choices(text, agrees):
    assert agree(choices_in(text), PARAMS) is agrees


@pytest.mark.parametrize("text", ["", "llm", "llm=uniform twin", "=x", "llm=uniform ~debug"])
def test_other_words_are_no_choices(text):
    assert choices_in(text) == {}
