"""Prompts, and how what is replied to them is read."""

from __future__ import annotations

from dataclasses import dataclass, field

from omegaconf import MISSING

from src.launch.schema.base import Component


@dataclass
class Prompt(Component):
    """A prompt made of Jinja templates.

    ``parts`` are the templates by name, ``order`` the parts of the user's message in their order.
    ``output`` is what is asked for: ``text`` (reasoning, then a conclusion) or ``json``.
    ``summary`` is whose summary of the subject the prompt has: ``feature`` (its definition),
    ``pack`` (the text of the pack's query ``summary``) or ``none``.
    """

    _target_: str = "src.prompting.template_prompt.TemplatePrompt"
    inputs: list[str] = field(default_factory=list)
    system: str = MISSING
    order: list[str] = MISSING
    parts: dict[str, str] = MISSING
    output: str = MISSING
    summary: str = MISSING


@dataclass
class VerbatimPrompt(Component):
    """The prompts that the pack holds; they have no paragraphs.

    ``summary`` and ``output`` are there for experiments that set them: the prompts have the summary
    that they were sent with, and ask for text.
    """

    _target_: str = "src.prompting.verbatim_prompt.VerbatimPrompt"
    inputs: list[str] = field(default_factory=list)
    pack: str = "${data.path}"
    output: str = "text"
    summary: str = "none"


@dataclass
class Answers(Component):
    """How a reply is read."""

    inputs: list[str] = field(default_factory=list)
