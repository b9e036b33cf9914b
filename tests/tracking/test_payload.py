import math
import posixpath
import re

import pytest
from hypothesis import given
from hypothesis import strategies as st

from src.tracking import payload


def test_nested_values_become_dotted_keys():
    config = {"task": {"name": "rerank", "cutoffs": [1, 5]}, "limit": None, "empty": {}}
    assert payload.flatten(config) == {
        "task.name": "rerank",
        "task.cutoffs": "[1, 5]",
        "limit": "",
        "empty": "{}",
    }


def test_a_long_value_is_cut_and_says_so():
    cut = payload.clip("x" * 20_000)
    assert len(cut) == payload.PARAM_LENGTH
    assert cut.endswith("… (20000 characters; whole in config.yaml)")
    assert payload.clip("short") == "short"


@pytest.mark.parametrize(
    "name", ["ndcg_at_20", "candidates/ndcg_at_20", "accuracy/language/Gã", "a.b - c/d", "x" * 250]
)
def test_names_that_mlflow_takes_stay(name):
    assert payload.key(name) == name


@pytest.mark.parametrize(
    ("name", "begins"),
    [("a,b=c@d", "a_b_c_d_"), ("a//b", "a/_/b_"), ("/a", "_/a_"), ("../a", "___/a_"), ("", "__")],
)
def test_other_names_are_cleaned_and_marked(name, begins):
    key = payload.key(name)
    assert key.startswith(begins) and re.search("_[0-9a-f]{8}$", key)


def test_no_two_names_become_one():
    names = ["a,b", "a=b", "a_b", "x" * 249 + "/y", "x" * 249 + "/z", "x" * 251]
    assert len({payload.key(name) for name in names}) == len(names)


@given(st.one_of(st.text(), st.text(alphabet="x/.", min_size=240)))
def test_every_name_is_one_that_mlflow_takes(name):
    from mlflow.utils.validation import _validate_metric_name

    key = payload.key(name)
    _validate_metric_name(key)
    assert posixpath.normpath(key) == key and len(key) <= 250


def test_undefined_figures_are_left_out():
    assert payload.finite({"a": 1, "b": math.nan, "c": math.inf}) == {"a": 1.0}
