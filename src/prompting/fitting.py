"""How many paragraphs a prompt has room for."""

from __future__ import annotations

from collections.abc import Callable
from typing import TypeVar

from src.errors import GrambenchError

Rendered = TypeVar("Rendered")


class DoesNotFit(GrambenchError):
    """A prompt is too long even without paragraphs."""


def fit(
    render: Callable[[int], Rendered], count: Callable[[Rendered], int], available: int, room: int
) -> tuple[Rendered, int]:
    """Return the prompt with the most paragraphs that fits, and how many these are.

    ``render(n)`` makes the prompt with the first n of ``available`` paragraphs, ``count`` says how
    many tokens it has, which must grow with n; at most ``room`` of them fit.

    Raises:
        DoesNotFit: it does not fit without any paragraphs either.
    """
    whole = render(available)
    if count(whole) <= room:
        return whole, available
    best: Rendered | None = None
    low, high = -1, available  # low fits (-1: not known yet), high does not
    while high - low > 1:
        middle = (low + high) // 2
        prompt = render(middle)
        if count(prompt) <= room:
            best, low = prompt, middle
        else:
            high = middle
    if best is None:
        raise _too_long(count(render(0)), room)
    return best, low


def _too_long(tokens: int, room: int) -> DoesNotFit:
    return DoesNotFit(
        f"The prompt has {tokens} tokens without any paragraph, but the LLM has room for {room}:"
        " raise llm.context or lower llm.max_tokens, or choose a shorter prompt (prompt=plain"
        " instead of guidelines)."
    )
