"""Prompts that are made of Jinja templates."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from typing import Any
from unicodedata import normalize

from src.errors import GrambenchError, suggest
from src.prompting.features import Feature
from src.prompting.reply_schema import reply_schema
from src.prompting.templates import Templates
from src.records import Grammar, Message, Paragraph

_OUTPUTS = ("text", "json")
_SUMMARIES = ("feature", "pack", "none")


@dataclass(frozen=True, slots=True)
class Given:
    """A paragraph as templates see it; ``number`` counts from 1, ``pages`` is "pp. 12-13"."""

    number: int
    text: str
    section: str
    pages: str


class TemplatePrompt:
    """A system message and a message of the user's, made of parts in an order.

    Templates may use ``feature``, ``options`` (what is chosen from), ``grammar``, ``language``,
    ``paragraphs``, ``summary`` and ``output``. A part that comes out empty is left out.
    """

    def __init__(
        self,
        name: str,
        system: str,
        order: Sequence[str],
        parts: Mapping[str, str],
        output: str = "text",
        summary: str = "none",
        inputs: Sequence[str] | None = None,
    ) -> None:
        """Compile the templates.

        Raises:
            GrambenchError: naming prompt.<key>: it is no template, no part or no choice.
        """
        _check_choice("output", output, _OUTPUTS)
        _check_choice("summary", summary, _SUMMARIES)
        for part in order:
            if part not in parts:
                raise GrambenchError(
                    f"prompt.order names '{part}', which is none of prompt.parts:"
                    f" {', '.join(parts)}.{suggest(part, parts)}"
                )
        if not order:
            raise GrambenchError("prompt.order is empty: it lists the parts of the user's message.")
        self.name = name
        self.summary = summary
        self.output = output
        self._order = [f"parts.{part}" for part in order]
        sources = {f"parts.{part}": text or "" for part, text in parts.items()}
        self._templates = Templates({"system": system or "", **sources})

    def messages(
        self,
        feature: Feature,
        grammar: Grammar,
        paragraphs: Sequence[Paragraph] = (),
        summary: str = "",
    ) -> tuple[Message, ...]:
        """Return what an LLM is sent; without a text for it, there is no system message.

        Raises:
            GrambenchError: a template cannot be filled in, or nothing is left to send.
        """
        values: dict[str, object] = {
            "feature": feature,
            "options": feature.options,
            "grammar": grammar,
            "language": grammar.language,
            "paragraphs": [_given(number, one) for number, one in enumerate(paragraphs, 1)],
            "summary": summary.strip(),
            "output": self.output,
        }
        system = self._templates.render("system", values)
        pieces = [self._templates.render(key, values) for key in self._order]
        user = "\n\n".join(piece for piece in pieces if piece)
        if not user:
            raise GrambenchError(
                f"The prompt '{self.name}' is empty for {grammar.id}: no part of prompt.order has"
                " any text."
            )
        texts = (("system", system), ("user", user))
        return tuple(Message(role, normalize("NFC", text)) for role, text in texts if text)

    def schema(self, feature: Feature) -> dict[str, Any] | None:
        """Return the JSON schema that replies follow, or None where they are text."""
        return reply_schema(feature) if self.output == "json" else None


def _given(number: int, paragraph: Paragraph) -> Given:
    return Given(number, paragraph.text, paragraph.section, _pages(paragraph.pages))


def _pages(pages: Sequence[int]) -> str:
    """Return "p. 12" or "pp. 12-14, 20", as linguists cite; ``""`` where none is known."""
    runs: list[list[int]] = []
    for page in sorted(set(pages)):
        if runs and runs[-1][-1] == page - 1:
            runs[-1].append(page)
        else:
            runs.append([page])
    listed = ", ".join(f"{run[0]}-{run[-1]}" if len(run) > 1 else str(run[0]) for run in runs)
    return f"{'pp.' if len(set(pages)) > 1 else 'p.'} {listed}" if runs else ""


def _check_choice(key: str, choice: str, known: Sequence[str]) -> None:
    if choice not in known:
        raise GrambenchError(
            f"prompt.{key} is '{choice}'; it is one of {', '.join(known)}."
            f"{suggest(str(choice), known)}"
        )
