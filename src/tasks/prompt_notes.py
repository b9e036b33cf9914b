"""What is said of prompts that leave out what they are asked about."""

from __future__ import annotations

from collections.abc import Sequence

from src.records import Message
from src.tasks.asking import Asked
from src.tasks.components import Prompt
from src.tasks.labelled import listed


def prompt_notes(prompt: Prompt, questions: Sequence[Asked]) -> list[str]:
    """Say where prompts lack their paragraphs, or do not differ between languages.

    ``prompt.order`` may leave out any part, which only the finished prompts show.
    """
    return [*_without_paragraphs(prompt, questions), *_alike(questions)]


def _without_paragraphs(prompt: Prompt, questions: Sequence[Asked]) -> list[str]:
    given = [asked for asked in questions if any(p.text.strip() for p in asked.paragraphs)]
    if not given or any(_holds_paragraphs(asked) for asked in given):
        return []
    number = sum(len(asked.paragraphs) for asked in given)
    return [
        f"the prompt '{prompt.name}' has no place for paragraphs (prompt.order), so the {number}"
        " that were found are not given"
    ]


def _holds_paragraphs(asked: Asked) -> bool:
    whole = _spaced("\n".join(message.content for message in asked.messages))
    return any(_spaced(p.text) in whole for p in asked.paragraphs if p.text.strip())


def _spaced(text: str) -> str:
    """Return a text with single spaces: a template may indent or join lines."""
    return " ".join(text.split())


def _alike(questions: Sequence[Asked]) -> list[str]:
    """Say which grammars of several languages have the same prompt."""
    same: dict[tuple[Message, ...], list[Asked]] = {}
    for asked in questions:
        same.setdefault(asked.messages, []).append(asked)
    return [
        f"the prompts of {_named([a.grammar.id for a in alike])} are the same:"
        " does prompt.order name a part with the language?"
        for alike in same.values()
        if len({asked.grammar.language for asked in alike}) > 1
    ]


def _named(grammars: Sequence[str]) -> str:
    return " and ".join(grammars) if len(grammars) == 2 else listed(grammars)
