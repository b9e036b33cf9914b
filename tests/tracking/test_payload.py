import math
import posixpath

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
    ("name", "expected"),
    [
        ("ndcg_at_20", "ndcg_at_20"),
        ("candidates/ndcg_at_20", "candidates/ndcg_at_20"),
        ("accuracy/language/Gã", "accuracy/language/Gã"),
        ("a,b=c@d", "a_2c_b_3d_c_40_d"),
        ("a//b", "a/_/b"),
        ("/a", "_/a"),
        ("", "_"),
    ],
)
def test_names_that_mlflow_refuses_are_spelt_out(name, expected):
    assert payload.key(name) == expected


@given(st.text())
def test_every_name_is_one_that_mlflow_takes(name):
    from mlflow.utils.validation import _validate_metric_name

    key = payload.key(name)
    _validate_metric_name(key)
    assert posixpath.normpath(key) == key and len(key) <= 250


def test_undefined_figures_are_left_out():
    assert payload.finite({"a": 1, "b": math.nan, "c": math.inf}) == {"a": 1.0}
