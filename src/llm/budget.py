"""What requests may cost, before they are sent."""

from __future__ import annotations

import hashlib
from collections.abc import Callable, Iterable, Sequence

from src.llm.card import ChatCard
from src.llm.received import cost
from src.llm.request import Request
from src.records import Message

Count = Callable[[Sequence[Message]], int]


def worst_usd(
    request: Request, card: ChatCard, count: Count, *, batch: bool = False
) -> float | None:
    """Return the cost of a request if its reply is as long as it may be; None without prices."""
    if card.price.get("prompt") is None:
        return None
    prompt = count(request.question.messages)
    return cost(prompt, longest(request, card), card.price, batch=batch)


def in_usd(usd: float) -> str:
    """Return an amount with as many places as a small one needs: ``0.05 USD``, ``0.000153 USD``."""
    return f"{usd:.6f}".rstrip("0").rstrip(".") + " USD"


def longest(request: Request, card: ChatCard) -> int:
    """Return the most tokens that a reply may have."""
    return int(request.body.get(card.max_tokens_name) or card.max_tokens)


def scope_of(requests: Iterable[Request], card: ChatCard) -> str:
    """Return what spending is counted under: the card's scope, or these very requests."""
    if card.budget_of:
        return str(card.budget_of)
    keys = "\n".join(sorted(request.key for request in requests))
    return "requests-" + hashlib.sha256(keys.encode()).hexdigest()[:32]
