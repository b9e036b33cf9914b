"""How a reply is read: the last explicit conclusion, whatever it is dressed in."""

from __future__ import annotations

import re
from collections.abc import Callable, Sequence
from dataclasses import dataclass, replace

from src.prompting.conclusions import asides, conclusions
from src.prompting.features import NOT_MENTIONED, Feature
from src.prompting.json_answers import as_text, conclusion_in_json
from src.prompting.labels import normal
from src.prompting.markup import plain, without_reasoning
from src.prompting.mentions import options_of
from src.prompting.one_answer import read_bare, read_one
from src.prompting.part_answers import read_anywhere, read_parts
from src.prompting.readings import Reading
from src.prompting.statuses import without_answer
from src.records import Answer, Reply

_SHOWN = 300
_READ = 8000  # characters from the end in which parts with codes are looked for
_REFUSAL = re.compile(
    r"^\W*(?:(?:I(?:'|’)?\s*a?m|I am|we are)\s+(?:very\s+|so\s+)?sorry|sorry|I\s+apologi[sz]e"
    r"|apologies|unfortunately|as an AI[\w ]*)?[\s,.:;-]*(?:but[\s,]+)?"
    r"(?:I|we)(?:\s*(?:can(?:'|’)t|cannot|can not|won(?:'|’)t|will not|must decline)"
    r"|(?:'|’)m\s+(?:unable|not able)\s+to|\s+am\s+(?:unable|not able)\s+to)"
    r"\s*(?:(?:help|assist|comply|answer|fulfil|provide|do|continue|engage|discuss|respond|process)\b"
    r"|[.!]|$)",
    re.IGNORECASE,
)


@dataclass(frozen=True)
class DefaultAnswers:
    """Takes the last explicit conclusion of a reply; what names no option, or two, is unparsed."""

    name: str = "default"
    inputs: Sequence[str] | None = None

    def read(self, reply: Reply, feature: Feature) -> Answer:
        """Return what a reply says of a feature, or why it has no answer."""
        said = without_reasoning(reply.text)
        if not said.strip():
            return without_answer(replace(reply, text=""))
        reading = _reading(said, feature)
        if reading is not None and reading.labels:
            return Answer("parsed", reading.labels, reading.text[:_SHOWN])
        if reading is None:
            return _without_conclusion(reply, said)
        # It did conclude, so it was not cut off before
        return without_answer(replace(reply, finish=_whole(reply.finish)), reading.text[:_SHOWN])


def _whole(finish: str) -> str:
    return "stop" if finish == "length" else finish


def _without_conclusion(reply: Reply, said: str) -> Answer:
    if reply.finish != "length" and _REFUSAL.match(said):
        return Answer("refused", found=said[:_SHOWN])
    return without_answer(reply)


def _reading(said: str, feature: Feature) -> Reading | None:
    """Return the first reading there is: of JSON, conclusions, asides, then of the bare reply."""
    read = _reader(feature)
    in_json = conclusion_in_json(said)
    if in_json is not None:
        text = as_text(in_json)
        return read(plain(text)) or Reading(text)
    for pieces in (conclusions(said), asides(said)):
        for piece in pieces:
            reading = read(plain(piece))
            if reading is not None:
                return reading
    if feature.multiple:
        return read_anywhere(plain(said[-_READ:]), feature)
    return read_bare(plain(said), options_of(feature.parts[0]))


def _reader(feature: Feature) -> Callable[[str], Reading | None]:
    if feature.multiple:
        return lambda piece: read_parts(piece, feature)
    options, not_mentioned = options_of(feature.parts[0]), _not_mentioned(feature)
    return lambda piece: read_one(piece, options, not_mentioned)


def _not_mentioned(feature: Feature) -> str:
    """Return the label for what a grammar does not say, if it is one of its own (not ``0``)."""
    label = feature.not_mentioned
    return label if normal(label) == normal(NOT_MENTIONED) else ""
