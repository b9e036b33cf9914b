"""From what annotators wrote to labels."""

from __future__ import annotations

import pytest

from src.errors import GrambenchError
from src.prompting.features import feature_of, gold_of, is_mentioned
from tests.prompting.invented import ONE, SEVERAL, with_changes

TONES, PLURALS = feature_of(ONE), feature_of(SEVERAL)


@pytest.mark.parametrize(
    ("annotation", "label", "mentioned"),
    [
        ("none", "none", True),
        (" NONE. ", "none", True),
        ("No Tones", "none", True),
        ("toneless", "none", True),
        ("three or more", "three-or-more", True),
        ("Not mentioned in the grammar", "unstated", False),
        ("not  mentioned in the grammar", "unstated", False),
        ("N/A", "unstated", False),
        ("unstated", "unstated", False),
    ],
)
def test_one_part(annotation, label, mentioned):
    assert gold_of(TONES, annotation) == {"": label}
    assert is_mentioned(TONES, annotation) is mentioned


@pytest.mark.parametrize(
    ("annotation", "present", "mentioned"),
    [
        ("Plural suffix", {"suffix"}, True),
        ("plural tone,SUFFIX", {"suffix", "tone"}, True),
        ("Plural particle", {"word"}, True),
        ("Plural particle, Plural word", {"word"}, True),
        ("Plural word , Plural suffix, Plural tone", {"suffix", "word", "tone"}, True),
        ("unmarked", set(), True),
        ("Not mentioned in the grammar", set(), False),
    ],
)
def test_several_parts(annotation, present, mentioned):
    gold = gold_of(PLURALS, annotation)
    assert list(gold) == ["suffix", "word", "tone"]
    assert gold == {part: "1" if part in present else "0" for part in gold}
    assert is_mentioned(PLURALS, annotation) is mentioned


def test_a_label_that_also_stands_for_silence_is_a_statement_where_it_is_annotated():
    binary = feature_of(
        with_changes(ONE, values=[{"label": "1"}, {"label": "0"}], not_mentioned="0")
    )
    assert gold_of(binary, "Not mentioned in the grammar") == {"": "0"}
    assert not is_mentioned(binary, "Not mentioned in the grammar")
    assert is_mentioned(binary, "0")


@pytest.mark.parametrize("ask", [gold_of, is_mentioned])
@pytest.mark.parametrize(
    ("feature", "annotation", "message"),
    [
        (
            TONES,
            "tow",
            r"^'tow' is no label, alias or annotation of tones\. Did you mean 'two'\? Known",
        ),
        (TONES, "", r"^'' is no label, alias or annotation of tones"),
        (TONES, "none, two", r"^'none, two' is no label, alias"),
        (PLURALS, "Plural tone, prefix", r"^'prefix' \(in 'Plural tone, prefix'\) is no label"),
        (PLURALS, "Plural tone,", r"^'' \(in 'Plural tone,'\) is no label, alias"),
        (PLURALS, "Plural tone, unmarked", r"^'unmarked' \(in"),
        (
            PLURALS,
            "1",
            r"^'1' is no label, alias or annotation of plurals.*Plural suffix.*conf/feature/",
        ),
    ],
)
def test_what_is_unknown_is_named_with_what_is_known(ask, feature, annotation, message):
    with pytest.raises(GrambenchError, match=message):
        ask(feature, annotation)


def test_silence_needs_a_label():
    feature = feature_of(with_changes(ONE, not_mentioned=None))
    with pytest.raises(GrambenchError, match=r"feature\.not_mentioned does not say"):
        gold_of(feature, "Not mentioned in the grammar")
    assert not is_mentioned(feature, "Not mentioned in the grammar")
