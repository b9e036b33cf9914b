"""Putting questions about grammars to an LLM, and getting a reply to every one of them."""

from __future__ import annotations

import logging
from collections import Counter
from collections.abc import Callable, Iterable, Mapping, Sequence
from dataclasses import dataclass, field
from typing import Any

from src.errors import GrambenchError
from src.prompting.features import Feature
from src.prompting.fitting import DoesNotFit, fit
from src.records import Failure, Grammar, Message, Paragraph, Question, Reply
from src.tasks.components import Llm, Prompt, Reader

log = logging.getLogger(__name__)

_MOST_REASONS = 3


@dataclass(frozen=True)
class Asked:
    """What an LLM is asked about a grammar.

    ``found`` are the paragraphs that were to be given, best first, of which ``given`` fitted;
    ``tokens`` is the length of the prompt, 0 where there is none; ``rest`` what was said beside
    the paragraphs.
    """

    grammar: Grammar
    found: Sequence[Paragraph] = field(repr=False)
    given: int
    messages: tuple[Message, ...] = field(default=(), repr=False)
    schema: Mapping[str, Any] | None = field(default=None, repr=False)
    tokens: int = 0
    rest: str = field(default="", repr=False)

    @property
    def paragraphs(self) -> Sequence[Paragraph]:
        """The paragraphs that were given."""
        return self.found[: self.given]

    @property
    def dropped(self) -> int:
        """The number of paragraphs that did not fit."""
        return len(self.found) - self.given

    def question(self, repeat: int) -> Question:
        """Return what is asked the given time."""
        return Question(self.grammar.id, self.messages, repeat, self.schema)


@dataclass(frozen=True)
class Replied:
    """A reply, and what it is the reply to."""

    asked: Asked
    repeat: int
    reply: Reply


@dataclass(frozen=True)
class Asker:
    """Makes prompts that fit what an LLM can read."""

    feature: Feature
    prompt: Prompt
    llm: Reader
    summary: str

    def asked(self, grammar: Grammar, found: Sequence[Paragraph], most: int) -> Asked:
        """Return the prompt with as many of the first ``most`` paragraphs as fit.

        Raises:
            GrambenchError: it does not even fit without any, or nothing counts its tokens.
        """
        schema = self.prompt.schema(self.feature)
        bare = self.prompt.messages(self.feature, grammar, (), self.summary) if most else ()
        rest = "\n\n".join(message.content for message in bare)

        def render(given: int) -> Asked:
            messages = self.prompt.messages(self.feature, grammar, found[:given], self.summary)
            tokens = self.llm.count(messages)
            return Asked(grammar, found, given, messages, schema, tokens, rest)

        try:
            best, _ = fit(render, lambda asked: asked.tokens, most, self.llm.room())
        except DoesNotFit as error:
            raise GrambenchError(f"The prompt for {grammar.id}: {error}") from error
        if best.dropped:
            log.warning(
                "%s: %d of %d paragraphs do not fit and are dropped",
                *(grammar.id, best.dropped, len(found)),
            )
        return best

    def shorter(self, asked: Asked) -> Asked | None:
        """Return a prompt with a quarter of the paragraphs less; None where there are none."""
        if not asked.given:
            return None
        return self.asked(asked.grammar, asked.found, asked.given * 3 // 4)


def ask(
    llm: Llm,
    questions: Sequence[Asked],
    repeats: Iterable[int],
    shorter: Callable[[Asked], Asked | None],
) -> list[Replied]:
    """Ask every question as often as there are repeats; the replies of a repeat stand together.

    What the server finds too long is asked again with fewer paragraphs.

    Raises:
        GrambenchError: a question has no reply in the end; what was answered is stored.
    """
    order = [(repeat, asked.grammar.id) for repeat in repeats for asked in questions]
    by_grammar = {asked.grammar.id: asked for asked in questions}
    pending = {key: by_grammar[key[1]] for key in order}
    done: dict[tuple[int, str], Replied] = {}
    failed: dict[tuple[int, str], Failure] = {}
    while pending:
        replies = llm.ask([asked.question(repeat) for (repeat, _), asked in pending.items()])
        again: dict[tuple[int, str], Asked] = {}
        for (key, asked), reply in zip(pending.items(), replies, strict=True):
            if isinstance(reply, Reply):
                done[key] = Replied(asked, key[0], reply)
                continue
            less = shorter(asked) if reply.kind == "too_long" else None
            if less is None:
                failed[key] = reply
            else:
                again[key] = less
        pending = again
    if failed:
        raise _unanswered(failed, len(order))
    return [done[key] for key in order]


def dropped_notes(replies: Sequence[Replied]) -> list[str]:
    """Say which grammars' paragraphs did not fit, and how many."""
    dropped = {r.asked.grammar.id: r.asked.dropped for r in replies if r.asked.dropped}
    if not dropped:
        return []
    named = ", ".join(f"{count} of {grammar}" for grammar, count in dropped.items())
    bare = {r.asked.grammar.id: r for r in replies if r.asked.dropped and not r.asked.given}
    nothing = f"; of {', '.join(bare)} no paragraph is left" if bare else ""
    return [
        f"{sum(dropped.values())} paragraphs did not fit the LLM's context and were dropped from"
        f" the end, in {len(dropped)} grammars: {named}{nothing}"
    ]


def _unanswered(failed: Mapping[tuple[int, str], Failure], total: int) -> GrambenchError:
    reasons = Counter(failure.error for failure in failed.values())
    first: dict[str, str] = {}
    for (_, grammar), failure in failed.items():
        first.setdefault(failure.error, grammar)
    if len(failed) == 1:
        ((error, grammar),) = first.items()
        told = f"The question on {grammar} has no reply: {error.rstrip('.')}"
    else:
        said = [
            f"{_on(grammar, reasons[error])}: {error.rstrip('.')}"
            for error, grammar in list(first.items())[:_MOST_REASONS]
        ]
        listed = "; ".join(said)
        told = f"{len(failed)} of {total} questions have no reply. {listed[0].upper()}{listed[1:]}"
    more = len(first) - _MOST_REASONS
    others = f"; and {more} other reasons" if more > 0 else ""
    stored = "What was answered is stored: start again, and only the rest is asked."
    return GrambenchError(f"{told}{others}. {'Start again to ask it.' if total == 1 else stored}")


def _on(grammar: str, count: int) -> str:
    return f"on {grammar}" if count == 1 else f"{count} of them ({grammar} first)"
