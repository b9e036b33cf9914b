"""The features and prompts of conf/: what they say, and in which order."""

from __future__ import annotations

import re
import shutil
from functools import lru_cache
from itertools import takewhile
from pathlib import Path
from typing import Any

import pytest
import yaml
from hydra import compose, initialize_config_dir

from src.launch.choices import CONF
from src.prompting.features import Feature, feature_of, gold_of
from src.prompting.labels import normal
from src.prompting.template_prompt import TemplatePrompt
from src.records import Grammar, Paragraph
from tests.composing import composed
from tests.prompting.invented import SEVERAL

FEATURES = sorted(path.stem for path in (CONF / "feature").glob("*.yaml"))
TEMPLATED = ["plain", "guidelines", "plain_stable_first", "guidelines_stable_first"]
TAVELO, KESHRIN = Grammar("tavelo", "Tavelo"), Grammar("keshrin", "Keshrin")
PARAGRAPHS = [
    Paragraph("t/1", "tavelo", "Verbs are last.", (12, 13), "Syntax > Order"),
    Paragraph("t/2", "tavelo", "No cases are known."),
]


@lru_cache
def feature(name: str) -> Feature:
    return feature_of(composed(f"feature={name}")["feature"])


@lru_cache
def prompt(*overrides: str) -> TemplatePrompt:
    chosen = composed(*overrides)["prompt"]
    assert chosen.pop("_target_") == "src.prompting.template_prompt.TemplatePrompt"
    return TemplatePrompt(**chosen)


def asked(
    name: str, *overrides: str, of: Grammar = TAVELO, given: Any = PARAGRAPHS, summary: str = "SUM"
) -> str:
    return prompt(*overrides).messages(feature(name), of, given, summary)[1].content


def in_order(text: str, *pieces: str) -> bool:
    places = [text.find(piece) for piece in pieces]
    assert -1 not in places, pieces[places.index(-1)]
    return places == sorted(places)


def test_labels_are_the_papers_in_its_order():
    labels = {name: [option.label for option in feature(name).options] for name in FEATURES}
    assert labels["wals_81a"] == ["SOV", "SVO", "VOS", "VSO", "OVS", "OSV", "No dominant order"]
    assert labels["gb_107"] == ["1", "0"]
    assert labels["wals_49a"] == [
        *("No morphological case-marking", "2 cases", "3 cases", "4 cases", "5 cases"),
        *("6-7 cases", "8-9 cases", "10 or more cases", "Exclusively borderline case-marking"),
    ]
    parts = {part.id: part.label for part in feature("wals_116a").parts}
    assert list(parts.items()) == [
        ("intonation", "Interrogative intonation only"),
        ("word_order", "Interrogative word order"),
        ("initial", "Clause-initial question particle"),
        ("final", "Clause-final question particle"),
        ("medial", "Clause-medial question particle"),
        ("verb_morphology", "Interrogative verb morphology"),
        ("tone", "Tone"),
    ]


@pytest.mark.parametrize(
    ("name", "expected"),
    [
        ("wals_81a", {"": "Not mentioned in the grammar"}),
        ("gb_107", {"": "0"}),
        ("wals_49a", {"": "No morphological case-marking"}),
        ("wals_116a", dict.fromkeys(
            ["intonation", "word_order", "initial", "final", "medial", "verb_morphology", "tone"],
            "0",
        )),
    ],
)  # fmt: skip
def test_what_is_right_where_a_grammar_is_silent(name, expected):
    assert gold_of(feature(name), "Not mentioned in the grammar") == expected


@pytest.mark.parametrize("name", FEATURES)
def test_spellings_are_of_one_value_each(name):
    asked_for = feature(name)
    owners = asked_for.parts if asked_for.multiple else asked_for.parts[0].values
    spellings = [
        {normal(text) for text in (owner.label, *owner.aliases, *owner.annotations)}
        for owner in owners
    ]
    assert sum(map(len, spellings)) == len(set().union(*spellings))
    # and none is said twice
    assert all(len(o.aliases) == len({normal(a) for a in o.aliases}) for o in owners)


@pytest.mark.parametrize(
    ("name", "spelling", "label"),
    [
        ("wals_81a", "AOV", "SOV"),
        ("wals_81a", "A-P-V", "SOV"),
        ("wals_81a", "verb object subject", "VOS"),
        ("wals_81a", "no dominant word order", "No dominant order"),
        ("wals_49a", "seven cases", "6-7 cases"),
        ("wals_49a", "6–7 cases", "6-7 cases"),
        ("gb_107", "Yes.", "1"),
    ],
)
def test_aliases(name, spelling, label):
    assert gold_of(feature(name), spelling) == {"": label}


@pytest.mark.parametrize("vague", ["verb-final", "OV", "free word order", "flexible"])
def test_what_leaves_the_order_open_is_no_alias(vague):
    values = feature("wals_81a").parts[0].values
    assert normal(vague) not in {
        normal(a) for value in values for a in (value.label, *value.aliases)
    }


@pytest.mark.parametrize("choice", TEMPLATED)
@pytest.mark.parametrize("name", FEATURES)
def test_a_prompt_says_all_that_is_needed(name, choice):
    text = asked(name, f"prompt={choice}")
    about = feature(name)
    for piece in [about.counts, *(option.label for option in about.options), "SUM", "Conclusion:"]:
        assert piece in text
    for option in about.options:
        assert option.meaning in text
    assert (about.guidelines in text) == choice.startswith("guidelines")
    assert "[Paragraph 1; section: Syntax > Order; pp. 12-13]\nVerbs are last.\n" in text
    assert "[Paragraph 2]\nNo cases are known." in text
    assert not re.search(r"[ \t]$|\n\n\n|\{|\}", text, re.MULTILINE)


@pytest.mark.parametrize("choice", TEMPLATED)
@pytest.mark.parametrize("output", ["text", "json"])
@pytest.mark.parametrize("name", FEATURES)
def test_without_paragraphs_none_are_spoken_of(name, output, choice):
    text = asked(name, f"prompt={choice}", f"prompt.output={output}", given=())
    own = text.replace(feature(name).guidelines, "")
    assert "aragraph" not in own
    assert "given" not in own
    assert "what you know of" in own
    assert "Tavelo" in text


def test_plain_is_in_its_order():
    text = asked("wals_81a", "prompt=guidelines", summary="SUM")
    assert in_order(
        text, "in Tavelo?", "What counts", "Choose one of these 7", "SUM", "Procedure",
        "[Paragraph 1", "[Paragraph 2", "Reply in two steps", '"Conclusion:"',
    )  # fmt: skip
    assert text.endswith("spelt as in the list.")


@pytest.mark.parametrize("choice", ["plain_stable_first", "guidelines_stable_first"])
@pytest.mark.parametrize("name", FEATURES)
def test_stable_first_begins_alike_for_all_grammars(name, choice):
    texts = [
        asked(name, f"prompt={choice}", of=grammar, given=PARAGRAPHS[:n])
        for grammar, n in ((TAVELO, 1), (KESHRIN, 2))
    ]
    alike = list(takewhile(lambda pair: pair[0] == pair[1], zip(*texts, strict=False)))
    shared = texts[0][: len(alike)]
    assert shared.endswith("\n\nThe language is ")
    assert "Conclusion:" in shared
    assert "Tavelo" not in shared
    assert in_order(texts[0], "The language is Tavelo.", "[Paragraph 1", "for Tavelo")


def test_an_order_of_ones_own():
    text = asked("wals_81a", "prompt.order=[paragraphs,task]")
    assert text.startswith("Paragraphs from a grammar of Tavelo:\n\n[Paragraph 1;")
    assert text.endswith("given below.")


def test_the_example_of_parts_names_one_of_intonation_and_a_final_particle():
    line = (
        "Interrogative intonation only: 1, Interrogative word order: 0, Clause-initial question"
        " particle: 0, Clause-final question particle: 1, Clause-medial question particle: 0,"
        " Interrogative verb morphology: 0, Tone: 0"
    )
    assert asked("wals_116a").endswith(f"\nConclusion: {line}")


def test_json_is_asked_for_with_an_example_that_keeps_to_the_schema():
    import json

    import jsonschema

    text = asked("wals_116a", "prompt.output=json")
    assert "Conclusion:" not in text
    example = json.loads(text.splitlines()[-1])
    schema = prompt("prompt.output=json").schema(feature("wals_116a"))
    jsonschema.validate({"reasoning": "", "conclusion": example}, schema)
    assert "Conclusion:" not in asked("wals_81a", "prompt.output=json")


@pytest.mark.parametrize("name", FEATURES)
def test_guidelines_are_as_long_as_a_handbooks(name):
    text = feature(name).guidelines
    assert 400 <= len(text.split()) <= 900
    assert in_order(text, "Procedure", "Hard cases", "Examples")


@pytest.mark.parametrize("name", FEATURES)
def test_glosses_in_guidelines_are_aligned(name):
    """Each line of morphemes has as many words, and each word as many, as the line below it."""
    lines = [re.sub(r"^[ab]\. ", "   ", line.strip(" ")) for line in _lines(feature(name))]
    pairs = [
        (words, glosses)
        for words, glosses, translation in zip(lines, lines[1:], lines[2:], strict=False)
        if re.match(r"\s*'", translation) and not glosses.lstrip().startswith("(")
    ]
    assert len(pairs) >= 3
    for words, glosses in pairs:
        assert len(words.split()) == len(glosses.split()), words
        for word, gloss in zip(words.split(), glosses.split(), strict=True):
            assert re.findall("[-=]", word) == re.findall("[-=]", gloss), (word, gloss)


def _lines(about: Feature) -> list[str]:
    return about.guidelines[about.guidelines.index("Examples") :].split("\n")


@pytest.mark.parametrize("extra", ["", "prompt.output=json"])
def test_a_new_feature_is_a_new_file(tmp_path: Path, extra: str):
    conf = tmp_path / "conf"
    shutil.copytree(CONF, conf)
    text = yaml.safe_dump({**SEVERAL, "term": "Plural", "definition": "How many."})
    (conf / "feature" / "plurals.yaml").write_text(text, encoding="utf-8")
    overrides = ["feature=plurals", *([extra] if extra else [])]
    with initialize_config_dir(str(conf), version_base="1.3"):
        cfg = compose("config", overrides=overrides)
    asked_for = feature_of(cfg.feature)
    messages = prompt(*overrides[1:]).messages(asked_for, TAVELO, PARAGRAPHS, "")
    assert [message.role for message in messages] == ["system", "user"]
    assert messages[1].content.startswith("How does Tavelo mark plurals?\n")
    assert "- Plural tone: another tone of the noun" in messages[1].content
    assert 'that has "Plural suffix" and "Plural word" and none of' in messages[1].content
    assert "Background" not in messages[1].content
    # of three, the first and the middle one
    codes = ("Plural suffix: 1, Plural word: 1, Plural tone: 0", '"Plural tone": "0"}')
    assert messages[1].content.endswith(codes[1] if extra else codes[0])


def test_the_text_of_a_summary_is_whose_the_prompt_says():
    assert prompt().summary == "feature"
    assert prompt("prompt.summary=pack").summary == "pack"
    assert composed("prompt=verbatim")["prompt"]["name"] == "verbatim"
