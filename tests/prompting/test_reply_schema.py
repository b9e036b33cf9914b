"""The JSON schema of replies, against jsonschema."""

from __future__ import annotations

import jsonschema
import pytest

from src.prompting.features import feature_of
from src.prompting.reply_schema import reply_schema
from tests.prompting.invented import ONE, SEVERAL

ALL = {"Plural suffix": "1", "Plural word": "0", "Plural tone": "0"}


def accepts(config: dict[str, object], reply: object) -> bool:
    schema = reply_schema(feature_of(config))
    jsonschema.Draft202012Validator.check_schema(schema)
    return bool(jsonschema.Draft202012Validator(schema).is_valid(reply))


@pytest.mark.parametrize(
    ("config", "conclusion", "right"),
    [
        (ONE, "none", True),
        (ONE, "three-or-more", True),
        (ONE, "unstated", False),  # not offered
        (ONE, "None", False),
        (ONE, {"": "none"}, False),
        (SEVERAL, ALL, True),
        (SEVERAL, {**ALL, "Plural tone": "2"}, False),
        (SEVERAL, {**ALL, "Plural tone": 0}, False),
        (SEVERAL, {**ALL, "Dual": "1"}, False),
        (SEVERAL, {"Plural suffix": "1"}, False),
        (SEVERAL, "1", False),
    ],
)
def test_conclusions(config, conclusion, right):
    assert accepts(config, {"reasoning": "so", "conclusion": conclusion}) is right


@pytest.mark.parametrize("reply", [{"conclusion": "none"}, {"reasoning": "so"}, {}, "none", None])
def test_both_keys_are_needed(reply):
    assert not accepts(ONE, reply)


def test_nothing_else_is_allowed_and_the_reasoning_comes_first():
    assert not accepts(ONE, {"reasoning": "so", "conclusion": "none", "more": 1})
    assert list(reply_schema(feature_of(ONE))["properties"]) == ["reasoning", "conclusion"]
