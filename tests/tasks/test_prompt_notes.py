from __future__ import annotations

from src.records import Grammar, Message, Paragraph
from src.tasks.asking import Asked
from src.tasks.prompt_notes import prompt_notes


class Short:
    name = "short"


def asked(grammar, prompt, *texts, language=None):
    found = [Paragraph(f"{grammar}/{n}", grammar, text) for n, text in enumerate(texts)]
    messages = (Message("system", "Be brief."), Message("user", prompt))
    return Asked(Grammar(grammar, language or grammar.title()), found, len(found), messages)


def test_prompts_without_their_paragraphs_are_told_of():
    questions = [asked("oko", "Which has Oko?", "one", "two"), asked("utu", "And Utu?", "three")]
    assert prompt_notes(Short(), questions) == [
        "the prompt 'short' has no place for paragraphs (prompt.order), so the 3 that were found"
        " are not given"
    ]


def test_paragraphs_in_the_prompt_need_no_note():
    questions = [
        asked("oko", "Oko?\n  the verb\n  stands last", "the verb stands\nlast"),
        asked("utu", "Utu?", "", " "),
    ]
    assert prompt_notes(Short(), questions) == []
    assert prompt_notes(Short(), [asked("oko", "Which has Oko?")]) == []


def test_equal_prompts_for_several_languages_are_told_of():
    same = [asked(name, "Which order?") for name in ("oko", "utu")]
    assert prompt_notes(Short(), [*same, asked("iri", "Which has Iri?")]) == [
        "the prompts of oko and utu are the same: does prompt.order name a part with the language?"
    ]
    many = [asked(f"g{n}", "Which order?") for n in range(7)]
    (note,) = prompt_notes(Short(), many)
    assert note.startswith("the prompts of 7 (g0, g1, g2, g3, g4 and 2 more) are the same")
    one = [asked(name, "Which has Oko?", language="Oko") for name in ("oko_1990", "oko_2001")]
    assert prompt_notes(Short(), one) == []
