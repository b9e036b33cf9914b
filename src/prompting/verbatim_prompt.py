"""Prompts that a pack holds, as somebody sent them."""

from __future__ import annotations

from collections.abc import Sequence

from src.corpus.pack import load_pack
from src.errors import GrambenchError
from src.prompting.features import Feature
from src.records import Grammar, Message, Paragraph


class VerbatimPrompt:
    """The messages of ``prompts`` in a pack, by feature and grammar; they have no paragraphs."""

    summary = "none"

    def __init__(
        self,
        name: str,
        pack: str,
        inputs: Sequence[str] | None = None,
        output: str = "text",
        summary: str = "none",
    ) -> None:
        """Take the messages from the pack in the folder ``pack``; it is read when first asked.

        They have the summary that they were sent with, whatever ``summary`` says.

        Raises:
            GrambenchError: ``output`` is not text, which is all that they ask for.
        """
        if output != "text":
            raise GrambenchError(
                f"The prompt '{name}' is as it was released and asks for text: set"
                " prompt.output=text, or choose prompt=plain."
            )
        self.name = name
        self._pack = pack

    def messages(
        self,
        feature: Feature,
        grammar: Grammar,
        paragraphs: Sequence[Paragraph] = (),
        summary: str = "",
    ) -> tuple[Message, ...]:
        """Return the messages of the pack; the summary is in them as it was.

        Raises:
            GrambenchError: the pack has none for the grammar, or paragraphs were to be put in.
        """
        if paragraphs:
            raise GrambenchError(
                f"The prompt '{self.name}' is as it was released, without paragraphs: choose"
                " retriever=none, or prompt=plain to ask with paragraphs."
            )
        pack = load_pack(self._pack)
        prompts = pack.prompts(feature.id)
        if grammar.id not in prompts:
            raise GrambenchError(
                f"The pack '{pack.name}' has no prompt for {feature.id} of the grammar"
                f" '{grammar.id}'; it has some of {len(prompts)} others. prompt=plain makes one for"
                " any grammar."
            )
        return prompts[grammar.id]

    def schema(self, feature: Feature) -> None:
        """Return None: the released prompts ask for text."""
        return
