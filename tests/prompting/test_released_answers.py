"""Labels as released."""

from __future__ import annotations

import pytest

from src.errors import GrambenchError
from src.prompting.released_answers import ReleasedAnswers
from src.records import Reply
from tests.prompting.answer_features import feature
from tests.prompting.test_paper_answers import CODES

ANSWERS = ReleasedAnswers()


@pytest.mark.parametrize(
    ("name", "label", "expected"),
    [
        ("wals_81a", "sov", "SOV"),
        ("wals_81a", "not mentioned in the grammar", "Not mentioned in the grammar"),
        ("gb_107", "0", "0"),
        ("wals_49a", "6-7 cases", "6-7 cases"),
        ("wals_49a", "no morphological case-marking", "No morphological case-marking"),
        ("wals_81a", "xyz", "unparsed"),
        ("wals_81a", "", "unparsed"),
    ],
)
def test_one(name, label, expected):
    answer = ANSWERS.read(Reply("Conclusion: SVO", label=label), feature(name))
    assert answer.labels.get("", answer.status) == expected


def test_several():
    answer = ANSWERS.read(Reply("", label=CODES), feature("wals_116a"))
    assert "".join(answer.labels.values()) == "1001000"
    part = ANSWERS.read(Reply("x", label="tone: 1"), feature("wals_116a"))
    assert (part.status, part.labels) == ("unparsed", {})


def test_no_text_and_no_label_is_empty():
    assert ANSWERS.read(Reply("", label=""), feature("gb_107")).status == "empty"


def test_replies_that_are_not_recorded():
    with pytest.raises(GrambenchError, match="answers=default"):
        ANSWERS.read(Reply("Conclusion: SOV"), feature("wals_81a"))
