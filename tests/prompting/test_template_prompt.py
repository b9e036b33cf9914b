"""Prompts made of templates."""

from __future__ import annotations

from typing import Any

import pytest

from src.errors import GrambenchError
from src.prompting.features import feature_of
from src.prompting.template_prompt import TemplatePrompt
from src.records import Grammar, Message, Paragraph
from tests.prompting.invented import ONE

TONES = feature_of(ONE)
TAVELO = Grammar("tavelo", "Tavelo", title="A grammar of Tavelo", family="Orusan")
PARAGRAPHS = [
    Paragraph("t/1", "tavelo", "{{ high }} and low", (3, 4, 9), "Sounds > Tone"),
    Paragraph("t/2", "tavelo", "Two\x0btones", (7,)),
    Paragraph("t/3", "tavelo", "none"),
]


def prompt(**changes: Any) -> TemplatePrompt:
    settings: dict[str, Any] = {
        "name": "own",
        "system": "Typology.",
        "order": ["ask", "read"],
        "parts": {
            "ask": "{{ feature.asked_of(language) }}",
            "read": "{% for p in paragraphs %}{{ p.number }}|{{ p.section }}|{{ p.pages }}|"
            "{{ p.text }};{% endfor %}",
            "spare": "{{ nothing_of_the_kind }}",
        },
    }
    return TemplatePrompt(**settings | changes)


def user(made: TemplatePrompt, *args: Any) -> str:
    return made.messages(TONES, TAVELO, *args)[-1].content


def test_messages():
    assert prompt().messages(TONES, TAVELO, PARAGRAPHS, "") == (
        Message("system", "Typology."),
        Message(
            "user",
            "How many tones has Tavelo?\n\n1|Sounds > Tone|pp. 3-4, 9|{{ high }} and low;"
            "2||p. 7|Two\x0btones;3|||none;",
        ),
    )


def test_empty_parts_are_left_out():
    made = prompt(order=["read", "ask", "read"], system=" ")
    assert made.messages(TONES, TAVELO) == (Message("user", "How many tones has Tavelo?"),)


def test_order_is_a_choice_and_what_is_not_in_it_is_not_filled_in():
    assert user(prompt(order=["read", "ask"]), PARAGRAPHS[2:]) == (
        "1|||none;\n\nHow many tones has Tavelo?"
    )


def test_what_templates_may_use():
    parts = {
        "all": "{{ grammar.title }}/{{ grammar.family }}/{{ summary }}/{{ output }}/"
        "{{ options | map(attribute='label') | join(',') }}"
    }
    made = prompt(order=["all"], parts=parts)
    assert user(made, [], " On tones.\n") == (
        "A grammar of Tavelo/Orusan/On tones./text/none,two,three-or-more"
    )


def test_messages_are_composed():
    made = prompt(order=["a"], parts={"a": "e{{ summary }}"})
    assert user(made, [], "\u0301te\u0301") == "\u00e9t\u00e9"


def test_a_schema_only_for_json():
    assert prompt().schema(TONES) is None
    schema = prompt(output="json").schema(TONES)
    assert schema["properties"]["conclusion"]["enum"] == ["none", "two", "three-or-more"]


@pytest.mark.parametrize(
    ("changes", "message"),
    [
        (
            {"order": ["ask", "raed"]},
            r"prompt\.order names 'raed'.*ask, read, spare.*Did you mean 'r",
        ),
        ({"order": []}, r"prompt\.order is empty"),
        ({"output": "xml"}, r"prompt\.output is 'xml'; it is one of text, json\."),
        ({"summary": "packs"}, r"prompt\.summary is 'packs'.*Did you mean 'pack'"),
        ({"system": "{{"}, r"prompt\.system, line 1, is no Jinja template"),
        ({"parts": {"ask": "\n{% if %}", "read": ""}}, r"prompt\.parts\.ask, line 2, is no Jinja"),
    ],
)
def test_faults_are_found_when_it_is_made(changes, message):
    with pytest.raises(GrambenchError, match=message):
        prompt(**changes)


def test_a_fault_that_shows_when_it_is_filled_in():
    with pytest.raises(GrambenchError, match=r"prompt\.parts\.spare, line 1, .*nothing_of_the_kin"):
        user(prompt(order=["spare"]))


def test_an_empty_prompt_is_refused():
    with pytest.raises(GrambenchError, match=r"prompt 'own' is empty for tavelo"):
        user(prompt(order=["read"]))


def test_a_feature_without_a_question():
    feature = feature_of({**ONE, "question": ""})
    with pytest.raises(
        GrambenchError, match=r"^feature\.question is empty \(feature\.id is 'tones'\): it"
    ):
        prompt().messages(feature, TAVELO)
