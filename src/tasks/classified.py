"""What became of each reply, as sample-level rows."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from functools import cached_property
from typing import Any

import numpy as np
import numpy.typing as npt

from src.metrics.classification import class_rows, confusion
from src.records import Answer
from src.tasks.asking import Replied
from src.tasks.grouped import rows_of_groups
from src.tasks.judging import Judged

Row = dict[str, Any]


@dataclass(frozen=True)
class Classified:
    """Replies and the answers in them, by repeat and grammar, and how each part is judged.

    ``title`` is the feature's.
    """

    title: str
    replies: Sequence[Sequence[Replied]]
    answers: Sequence[Sequence[Answer]]
    parts: Sequence[Judged]

    @cached_property
    def grammar_rows(self) -> list[Row]:
        """A row a grammar, repeat and part: gold label, answer, and what it rests on.

        ``answer`` is the label that was read, ``predicted`` the one that counts, ``correct`` is
        None where the row does not.
        """
        judged = [(part, part.counted(), part.right()) for part in self.parts]
        return [
            {
                **_of_grammar(replied),
                "part": part.part.id,
                "repeat": replied.repeat,
                "gold": part.gold[place],
                "predicted": counted[at][place] or "",
                "answer": answer.labels.get(part.part.id, ""),
                "status": answer.status,
                "correct": right[at][place],
                "found": answer.found,
                **_given(replied),
                **_costs(replied),
            }
            for at, (replies, answers) in enumerate(zip(self.replies, self.answers, strict=True))
            for place, (replied, answer) in enumerate(zip(replies, answers, strict=True))
            for part, counted, right in judged
        ]

    def reply_rows(self) -> list[Row]:
        """Return a row a reply, with its whole text."""
        return [
            {
                "grammar": replied.asked.grammar.id,
                "repeat": replied.repeat,
                "status": answer.status,
                "text": replied.reply.text,
                "reasoning": replied.reply.reasoning,
                "finish": replied.reply.finish,
                "model": replied.reply.model,
                "prompt_tokens": replied.reply.prompt_tokens,
                "cached_tokens": replied.reply.cached_tokens,
                "completion_tokens": replied.reply.completion_tokens,
                "usd": replied.reply.usd,
                "seconds": replied.reply.seconds,
                "at": replied.reply.at,
                "stored": replied.reply.stored,
            }
            for replies, answers in zip(self.replies, self.answers, strict=True)
            for replied, answer in zip(replies, answers, strict=True)
        ]

    def prompt_rows(self) -> list[Row]:
        """Return a row a message that was sent, those of the first repeat."""
        return [
            {"grammar": replied.asked.grammar.id, "role": message.role, "content": message.content}
            for replied in self.replies[0]
            for message in replied.asked.messages
        ]

    def class_rows(self) -> list[Row]:
        """Return precision, recall, F1 and support, a row a part, repeat and class."""
        return [
            {"part": part.part.id, "repeat": replies[0].repeat, **row}
            for part in self.parts
            for coded, replies in zip(part.coded, self.replies, strict=True)
            for row in class_rows(coded)
        ]

    def title_of(self, part: Judged) -> str:
        """Return what a part is called; the only one is called as the feature."""
        return part.part.label or self.title

    def confusions(self) -> dict[str, npt.NDArray[np.int64]]:
        """Return the confusion matrix of each part, by its title; repeats are added up."""
        return {
            self.title_of(part): np.sum([confusion(coded) for coded in part.coded], axis=0)
            for part in self.parts
        }

    def confusion_rows(self) -> list[Row]:
        """Return the confusion matrices, a row a cell; ``""`` is a reply without an answer."""
        return [
            {"part": part.part.id, "gold": gold, "predicted": predicted, "count": int(count)}
            for part, table in zip(self.parts, self.confusions().values(), strict=True)
            for gold, counts in zip(part.part.labels, table, strict=True)
            for predicted, count in zip((*part.part.labels, ""), counts, strict=True)
        ]

    def of_groups(self, by: str) -> list[Row]:
        """Return the F1s by macroarea or family, a row a group."""
        grammars = [replied.asked.grammar for replied in self.replies[0]]
        return rows_of_groups(grammars, self.parts, by)


def _of_grammar(replied: Replied) -> Row:
    grammar = replied.asked.grammar
    return {
        "grammar": grammar.id,
        "language": grammar.language,
        "macroarea": grammar.macroarea,
        "family": grammar.family,
    }


def _given(replied: Replied) -> Row:
    asked = replied.asked
    return {
        "paragraphs": asked.given,
        "dropped": asked.dropped,
        "paragraph_ids": [paragraph.id for paragraph in asked.paragraphs],
        "pages": sorted({page for paragraph in asked.paragraphs for page in paragraph.pages}),
        "tokens": asked.tokens,
    }


def _costs(replied: Replied) -> Row:
    reply = replied.reply
    return {"seconds": reply.seconds, "usd": reply.usd, "finish": reply.finish}
