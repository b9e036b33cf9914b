"""Why a reply has no answer."""

from __future__ import annotations

from src.records import Answer, Reply

_REFUSING = frozenset({"content_filter", "refusal"})


def without_answer(reply: Reply, found: str = "") -> Answer:
    """Return the answer for a reply in which none was found; ``found`` is what was looked at."""
    if reply.finish in _REFUSING:
        return Answer("refused")
    if reply.finish == "length":
        return Answer("cut_off", found=found)
    if not reply.text.strip():
        return Answer("empty")
    return Answer("unparsed", found=found)
