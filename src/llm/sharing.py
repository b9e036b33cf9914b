"""Requests that other processes have claimed: their replies are waited for, not paid twice."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

from src.llm.claims import BATCH
from src.llm.received import reply_of
from src.llm.request import Request
from src.llm.store import ReplyStore, StoredReply
from src.records import Failure, Reply


def as_reply(found: StoredReply, price: Mapping[str, Any]) -> Reply:
    """Return a reply that was there already."""
    return reply_of(
        found.raw,
        price=price,
        batch=found.batch,
        seconds=found.seconds,
        at=found.at,
        stored=True,
    )


def in_batch(id: str) -> str:
    """Say why a request that is in a batch is not sent, and what can be done."""
    return (
        f"batch {id} has asked for this already; llm.mode=batch, with the llm.base_url it was sent"
        f" to, collects it. To give it up: python -m src.replies batches --forget {id}"
    )


class Theirs:
    """Requests that are somebody else's, until they have a reply or nobody asks any more."""

    def __init__(self, store: ReplyStore, price: Mapping[str, Any]) -> None:
        self._store = store
        self._price = price
        self._requests: dict[str, Request] = {}

    def __len__(self) -> int:
        return len(self._requests)

    def add(self, request: Request) -> None:
        """Wait for a request's reply."""
        self._requests[request.key] = request

    def come(self) -> dict[str, Reply | Failure]:
        """Return the replies that are there by now, and no longer wait for them."""
        found = self._store.get(list(self._requests))
        outcomes: dict[str, Reply | Failure] = {
            key: as_reply(reply, self._price) for key, reply in found.items()
        }
        for key, holder in self._store.holders(list(self._requests)).items():
            if holder.startswith(BATCH) and key not in outcomes:
                outcomes[key] = Failure("server", in_batch(holder.removeprefix(BATCH)))
        for key in outcomes:
            del self._requests[key]
        return outcomes

    def void(self) -> list[Request]:
        """Return what may be claimed by now, and no longer wait for it.

        Claiming a key is what voids the claims of the dead: so one is always returned.
        """
        holders = self._store.holders(list(self._requests))
        free = [key for key in self._requests if key not in holders]
        return [self._requests.pop(key) for key in free or list(self._requests)[:1]]
