"""The paper's parser, by hand."""

from __future__ import annotations

import pytest

from src.prompting.paper_answers import PaperAnswers
from src.records import Reply
from tests.prompting.answer_features import feature

CODES = (
    "interrogative intonation only: 1, interrogative word order: 0, clause-initial question"
    " particle: 0, clause-final question particle: 1, clause-medial question particle: 0,"
    " interrogative verb morphology: 0, tone: 0"
)
CASES = [
    ("wals_81a", "The verb is last.\n\n**Conclusion: SOV.**", "SOV"),
    # the shorter of the outer segments, here the first, and of its outer lines
    ("wals_81a", "It is SVO.\nConclusion: The order of subject and object is SOV.", "SVO"),
    ("wals_81a", "Conclusion: SOV\n\nA line that is longer and names SVO.", "SOV"),
    # the first of the listed values that is contained, not the first in the text
    ("wals_81a", "The verb is in the middle.\nConclusion: SVO or SOV", "SOV"),
    ("wals_81a", "The verb stands last.\nConclusion: not SVO, AOV", "SVO"),
    ("wals_81a", "The verb stands last.\nConclusion: AOV", "unparsed"),
    # segments without letters are left out, except where labels have none
    ("wals_81a", "No dominant order.\nConclusion: ---", "No dominant order"),
    ("gb_107", "It is bound to the verb.\nConclusion: 1", "1"),
    ("gb_107", "It is free.\nConclusion: 10", "1"),
    ("wals_49a", "There are a good many of them.\nConclusion: 12 cases", "2 cases"),
    (
        "wals_49a",
        "There are a good many of them.\nConclusion: 10 or more cases",
        "10 or more cases",
    ),
    ("wals_49a", "", "empty"),
]


@pytest.mark.parametrize(("name", "text", "expected"), CASES)
def test_one(name, text, expected):
    answer = PaperAnswers().read(Reply(text), feature(name))
    assert answer.labels.get("", answer.status) == expected


@pytest.mark.parametrize(
    ("text", "found"),
    [
        (f'So "{CODES}".', True),
        (f"**{CODES.upper()}**", True),
        (CODES.replace(", ", "\n"), False),
        (CODES.replace("tone: 0", "tone: x"), False),
        (", ".join(reversed(CODES.split(", "))), False),
    ],
)
def test_several(text, found):
    answer = PaperAnswers().read(Reply(text), feature("wals_116a"))
    assert "".join(answer.labels.values()) == ("1001000" if found else "")
