"""Why a reply has no answer, and what holds of all answers."""

from __future__ import annotations

import pytest
from hypothesis import given
from hypothesis import strategies as st

from src.prompting.answers import DefaultAnswers
from src.prompting.paper_answers import PaperAnswers
from src.records import Reply
from tests.prompting.answer_features import feature

FEATURES = ("wals_81a", "gb_107", "wals_116a", "wals_49a")
STATUSES = {"parsed", "unparsed", "empty", "cut_off", "refused"}

CASES = [
    ("", "stop", "empty"),
    (" \n", "stop", "empty"),
    ("", "length", "cut_off"),
    ("<think>SOV, or is it?", "stop", "empty"),
    ("<think>SOV, or is it?", "length", "cut_off"),
    ("<think>SOV, or is it?</think>The verb", "length", "cut_off"),
    ("The verb is", "length", "cut_off"),
    ("Conclusion: SOV", "length", "parsed"),
    ("Conclusion: SOV or SVO", "length", "unparsed"),
    ("", "content_filter", "refused"),
    ("No.", "refusal", "refused"),
    ("I'm sorry, but I can't assist with that request.", "stop", "refused"),
    ("I’m sorry, but I can’t help with that.", "stop", "refused"),
    ("I cannot comply.", "stop", "refused"),
    ("As an AI language model, I cannot provide this.", "stop", "refused"),
    ("Unfortunately, I cannot assist.", "stop", "refused"),
    ("Sorry, I can't. Conclusion: SOV", "stop", "parsed"),
    ("I cannot determine the word order.", "stop", "unparsed"),
    ("I can't tell from these paragraphs.", "stop", "unparsed"),
    ("I am sorry that the text is long. It says SOV.", "stop", "unparsed"),
]


@pytest.mark.parametrize(("text", "finish", "status"), CASES)
def test_statuses(text, finish, status):
    assert DefaultAnswers().read(Reply(text, finish=finish), feature("wals_81a")).status == status


def test_the_reasoning_is_not_read():
    reply = Reply("", reasoning="Conclusion: SOV", finish="length")
    assert DefaultAnswers().read(reply, feature("wals_81a")).status == "cut_off"


def test_what_was_read_is_shown():
    answer = DefaultAnswers().read(Reply("Long.\n\n**Conclusion:** AOV"), feature("wals_81a"))
    assert (answer.labels, answer.found) == ({"": "SOV"}, "AOV")


PIECES = """Conclusion: Answer SOV SVO S O V 1 0 yes no not although or and ( ) ** # | { } "
\\boxed{ <think> </think> 6-7 seven cases case-marking Tone: Tone word order - = , ."""
WORDS = st.sampled_from([*PIECES.split(), "\n"])


@given(st.one_of(st.text(), st.lists(WORDS).map(" ".join)), st.sampled_from(FEATURES))
def test_an_answer_is_whole_and_of_the_feature(text, name):
    asked = feature(name)
    for answers in (DefaultAnswers(), PaperAnswers()):
        answer = answers.read(Reply(text), asked)
        assert answer.status in STATUSES
        assert bool(answer.labels) == (answer.status == "parsed")
        if answer.labels:
            assert list(answer.labels) == [part.id for part in asked.parts]
            assert all(answer.labels[part.id] in part.labels for part in asked.parts)


@given(st.text(alphabet="abcdefghij .,\n"), st.sampled_from(("wals_81a", "gb_107", "wals_49a")))
def test_the_last_conclusion_counts_whatever_precedes_it(text, name):
    asked = feature(name)
    label = asked.parts[0].labels[1]
    answer = DefaultAnswers().read(Reply(f"{text}\nConclusion: {label}"), asked)
    assert answer.labels == {"": label}
