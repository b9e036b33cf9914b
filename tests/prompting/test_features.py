"""Features from their configs, and every fault by its key."""

from __future__ import annotations

import pytest

from src.errors import GrambenchError
from src.prompting.features import Feature, Value, feature_of
from tests.prompting.invented import ONE, SEVERAL, with_changes


def test_a_feature_of_one_part():
    feature = feature_of(ONE)
    assert (feature.id, feature.multiple, feature.not_mentioned) == ("tones", False, "unstated")
    (part,) = feature.parts
    assert (part.id, part.label) == ("", "")
    assert part.labels == ("none", "two", "three-or-more", "unstated")
    assert [option.label for option in feature.options] == ["none", "two", "three-or-more"]
    assert part.values[0] == Value("none", ("no tones",), ("toneless",))


def test_a_feature_of_several_parts():
    feature = feature_of(SEVERAL)
    assert feature.multiple
    assert [part.id for part in feature.parts] == ["suffix", "word", "tone"]
    assert {part.labels for part in feature.parts} == {("1", "0")}
    assert feature.options == feature.parts
    assert feature.options[2].meaning == "another tone of the noun"


def test_parts_are_1_or_0_without_being_told():
    feature = feature_of(with_changes(SEVERAL, values=None))
    assert {part.labels for part in feature.parts} == {("1", "0")}


def test_the_question_asks_of_a_language():
    assert feature_of(ONE).asked_of("Tavelo") == "How many tones has Tavelo?"
    # a name is put in as it stands
    assert feature_of(ONE).asked_of("{language}") == "How many tones has {language}?"


def test_a_feature_need_have_no_question_until_it_is_asked():
    feature = feature_of(with_changes(ONE, question=None))
    with pytest.raises(
        GrambenchError, match=r"feature\.question is empty \(feature\.id is 'tones'\): it"
    ):
        feature.asked_of("Tavelo")


def test_texts_are_composed_and_numbers_are_labels():
    values = [{"label": 1}, {"label": 0, "aliases": ["ne\u0301ant"]}]
    feature = feature_of(with_changes(ONE, values=values, not_mentioned="0"))
    assert feature.parts[0].labels == ("1", "0")
    assert feature.parts[0].values[1].aliases == ("n\u00e9ant",)


def value(label: object = "x", **more: object) -> dict[str, object]:
    return {"label": label, **more}


FAULTS = {
    "id": ({"id": ""}, r"feature\.id is missing"),
    "title": ({"title": None}, r"feature\.title is missing"),
    "a title that is no text": ({"title": ["x"]}, r"feature\.title must be text"),
    "question": ({"question": "How many?"}, r"feature\.question must hold \{language\}"),
    "neither": ({"values": []}, r"feature\.values must have two values .* feature\.parts"),
    "one offered": (
        {"values": [value("none"), value("unstated", offered=False)]},
        r"feature\.values must have two values or more that are offered",
    ),
    "values that are no list": ({"values": "none"}, r"feature\.values must be a list"),
    "values that are no mappings": ({"values": ["a", "b"]}, r"feature\.values must be a list"),
    "no label": ({"values": [value("unstated"), value("")]}, r"feature\.values\[1\] has an empty"),
    "a label that YAML took for a truth": (
        {"values": [value("unstated"), value(False)]},
        r"feature\.values\[1\]\.label is False\. YAML takes yes, no, .* in quotes",
    ),
    "an alias that Hydra made of a truth": (
        {"values": [value("unstated", aliases=["a", "True"]), value()]},
        r"feature\.values\[0\]\.aliases\[1\] is True\. YAML takes yes",
    ),
    "label twice": (
        {"values": [value("unstated"), value("Un\u00adstated")]},
        r"feature\.values\[1\]\.label .* which values\[0\] has already",
    ),
    "alias twice": (
        {"values": [value("unstated", aliases=["a-b"]), value(aliases=["A b."])]},
        r"feature\.values\[1\]: 'A b\.' stands for 'unstated' too",
    ),
    "alias is a label": (
        {"values": [value("unstated"), value(aliases=["UNSTATED"])]},
        r"feature\.values\[1\]: 'UNSTATED' stands for 'unstated' too",
    ),
    "annotation twice": (
        {"values": [value("unstated", annotations=["n/a"]), value(annotations=["N/A"])]},
        r"feature\.values\[1\]: 'N/A' stands for 'unstated' too",
    ),
    "aliases that are no list": (
        {"values": [value("unstated", aliases="abc"), value()]},
        r"feature\.values\[0\]\.aliases must be a list: \[abc\]",
    ),
    "an alias that is no text": (
        {"values": [value("unstated", aliases=["a", 1.5]), value()]},
        r"feature\.values\[0\]\.aliases\[1\] must be text",
    ),
    "not_mentioned": (
        {"not_mentioned": "unsaid"},
        r"feature\.not_mentioned is 'unsaid'.*\(none, two.*Did you mean 'unstated'",
    ),
}


@pytest.mark.parametrize("fault", FAULTS)
def test_a_fault_is_told_by_its_key(fault):
    changes, message = FAULTS[fault]
    with pytest.raises(GrambenchError, match=message):
        feature_of(with_changes(ONE, **changes))


def part(**changes: object) -> dict[str, object]:
    return {"id": "x", "label": "X", **changes}


FAULTS_OF_SEVERAL = {
    "values too": (
        {"values": [value("a"), value("b")]},
        r"feature\.values and feature\.parts excl",
    ),
    "no id": ({"parts": [part(id="")]}, r"feature\.parts\[0\]\.id is ''"),
    "an id that names no metric": (
        {"parts": [part(id="a b/c")]},
        r"feature\.parts\[0\]\.id is 'a b/c': write it with letters",
    ),
    "id twice": ({"parts": [part(), part(label="Y")]}, r"feature\.parts\[1\]\.id is 'x'"),
    "no label": ({"parts": [part(label=None)]}, r"feature\.parts\[0\] has an empty label"),
    "label twice": ({"parts": [part(), part(id="y")]}, r"feature\.parts\[1\]\.label is 'X'"),
    "comma": (
        {"parts": [part(annotations=["a, b"])]},
        r"feature\.parts\[0\]: 'a, b' holds a comma",
    ),
    "alias twice": (
        {"parts": [part(), part(id="y", label="Y", aliases=["x"])]},
        r"feature\.parts\[1\]: 'x' stands for 'X' too",
    ),
    "said of all twice": (
        {"values": [value("1", annotations=["so"]), value("0", annotations=["So"])]},
        r"feature\.values\[1\]: 'So' stands for '1' too",
    ),
    "not_mentioned": ({"not_mentioned": "1"}, r"feature\.not_mentioned is '1'"),
}


@pytest.mark.parametrize("fault", FAULTS_OF_SEVERAL)
def test_a_fault_of_parts_is_told_by_its_key(fault):
    changes, message = FAULTS_OF_SEVERAL[fault]
    with pytest.raises(GrambenchError, match=message):
        feature_of(with_changes(SEVERAL, **changes))


def test_features_are_equal_by_what_they_say():
    assert feature_of(ONE) == feature_of(dict(ONE))
    assert isinstance(feature_of(ONE), Feature)
    assert feature_of(ONE) != feature_of(with_changes(ONE, title="Other"))
