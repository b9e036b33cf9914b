"""What batch mode was asked, and what has become of it so far."""

from __future__ import annotations

import time
from collections import Counter, deque
from collections.abc import Callable, Iterable, Sequence

from src.llm.batch_results import Unanswered
from src.llm.card import ChatCard
from src.llm.request import Request
from src.llm.store import ReplyStore
from src.records import Failure, Reply

Outcome = Reply | Failure

PATIENCE = 3600.0
"""Seconds for which calls of an endpoint may fail one after the other, at least."""


class Asked:
    """Requests by key: settled, or waiting to be sent; the others are in batches, or others'.

    This process has claimed those that wait. ``worst`` is the most dollars that each may cost,
    ``retries`` counts how often any was to be sent again.
    """

    def __init__(
        self,
        requests: Iterable[Request],
        store: ReplyStore,
        *,
        worst: Callable[[Request], float | None],
        attempts: int,
    ) -> None:
        self.requests = {request.key: request for request in requests}
        self.worst = {key: worst(request) or 0.0 for key, request in self.requests.items()}
        self.outcomes: dict[str, Outcome] = {}
        self.waiting: deque[Request] = deque()
        self._store = store
        self._attempts = attempts
        self._rounds: Counter[str] = Counter()
        self.retries = 0

    def missing(self) -> list[str]:
        """Return the requests that are not settled."""
        return [key for key in self.requests if key not in self.outcomes]

    def away(self) -> list[str]:
        """Return the requests that are neither settled nor waiting."""
        waiting = {request.key for request in self.waiting}
        return [key for key in self.missing() if key not in waiting]

    def fail(self, keys: Sequence[str], failure: Failure) -> None:
        """Settle requests without a reply, and give up the claims on them."""
        self.outcomes.update(dict.fromkeys(keys, failure))
        self._store.release(*keys)

    def is_to_be_sent_again(self, key: str, why: Unanswered) -> bool:
        """Tell whether a request without a reply has a round left; if not, it is settled."""
        self._rounds[key] += 1
        failure = why.failure
        if why.again and self._rounds[key] < self._attempts:
            self.retries += 1
            return True
        if why.again and self._attempts > 1:
            failure = Failure(failure.kind, f"{failure.error} (sent {self._attempts} times)")
        self.outcomes[key] = failure
        return False

    def wait(self, keys: Iterable[str]) -> None:
        """Put requests that this process has claimed behind those that wait."""
        self.waiting.extend(self.requests[key] for key in keys)

    def put_back(self, requests: Sequence[Request]) -> None:
        """Put requests in front of those that wait."""
        self.waiting.extendleft(reversed(requests))

    def give_up(self) -> None:
        """Give up the claims on what was not sent."""
        self._store.release(*(request.key for request in self.waiting))
        self.waiting.clear()


class Troubles:
    """Since when calls have failed, by what they were for."""

    def __init__(self, patience: float) -> None:
        self._patience = patience
        self._since: dict[str, float] = {}

    def note(self, what: str) -> tuple[bool, bool]:
        """Note a failed call; tell whether it is the first in a row, and one too many."""
        now = time.monotonic()
        first = what not in self._since
        return first, now - self._since.setdefault(what, now) > self._patience

    def over(self, what: str) -> None:
        """Note a call that succeeded."""
        self._since.pop(what, None)


def patience_of(card: ChatCard) -> float:
    """Return for how many seconds calls of an endpoint may fail one after the other."""
    return max(PATIENCE, card.attempts * float(card.batch.get("poll", 30.0)))
