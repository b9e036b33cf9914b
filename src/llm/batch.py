"""Batch mode: requests sent in files, for half the price and within a day, by OpenAI's Batch API.

All that must outlive this process stands in the reply store: which batches were sent, and what is
in them. Every round looks there anew, so that a start after a kill, or beside another process, does
nothing that an undisturbed run does not do. Files stay at the endpoint, the requests' and the
replies': another start may yet need them, and the account's owner can delete them there.
"""

from __future__ import annotations

import logging
import time
from collections import Counter
from collections.abc import Callable, Sequence
from contextlib import suppress

from src.errors import GrambenchError
from src.llm.batch_asked import Asked, Outcome
from src.llm.batch_collecting import Collector
from src.llm.batch_endpoint import BatchEndpoint
from src.llm.batch_files import MEGABYTE, line_of
from src.llm.batch_ledger import Ledger
from src.llm.batch_progress import BatchProgress
from src.llm.batch_submitting import Submitter
from src.llm.budget import worst_usd
from src.llm.card import ChatCard
from src.llm.claims import BATCH
from src.llm.request import Request
from src.llm.sharing import as_reply, in_batch
from src.llm.store import ReplyStore
from src.records import Failure

_log = logging.getLogger(__name__)

_LOOKS = 3


def run_batches(
    requests: Sequence[Request],
    *,
    card: ChatCard,
    store: ReplyStore,
    scope: str,
    worst: Callable[[Request], float | None] | None = None,
) -> tuple[dict[str, Outcome], int]:
    """Return what became of requests, by key, and how many were sent again.

    Every reply is in the store by then.
    Batches that an earlier process sent are collected, whatever became of it. ``worst`` is the most
    dollars that a request may cost, by default with the card's count of tokens;
    ``card.budget_usd`` bounds the sum within ``scope``. When this is interrupted, the batches go on
    at the endpoint.

    Raises:
        GrambenchError: the endpoint takes nothing more (a wrong key, a used-up account), or the
            store fails.
    """
    _check(card)
    if worst is None:
        from src.llm.counting import counter

        count = counter(card.tokens)

        def worst(request: Request) -> float | None:
            return worst_usd(request, card, count, batch=True)

    asked = Asked(requests, store, worst=worst, attempts=card.attempts)
    with BatchEndpoint(card) as endpoint:
        run = _Run(asked, card, store, endpoint, scope)
        try:
            return run.work(), asked.retries
        except BaseException:
            run.say_what_goes_on()
            raise
        finally:
            run.close()


def _check(card: ChatCard) -> None:
    for entry in ("requests", "megabytes", "poll"):
        value = card.batch.get(entry, 1)
        if not isinstance(value, int | float) or not value > 0:
            raise card.fault(f"batch.{entry}={value} must be more than 0.")


class _Run:
    def __init__(
        self,
        asked: Asked,
        card: ChatCard,
        store: ReplyStore,
        endpoint: BatchEndpoint,
        scope: str,
    ) -> None:
        self._card = card
        self._store = store
        self._scope = scope
        self._poll = float(card.batch.get("poll", 30.0))
        self._asked = asked
        self._ledger = Ledger(store, endpoint.address, scope)
        self._submitter = Submitter(card, self._asked, endpoint, self._ledger, scope)
        self._collector = Collector(
            card, self._asked, endpoint, self._ledger, store, self._submitter
        )
        self._progress = BatchProgress(card.name, len(self._asked.requests))
        self._astray: Counter[str] = Counter()

    def work(self) -> dict[str, Outcome]:
        """Claim, send and look, until all is settled."""
        try_again = True
        while True:
            self._claim()
            self._submitter.submit(try_again=try_again)
            try_again = self._collector.look()
            self._progress.show(len(self._asked.outcomes), self._collector.counts)
            if not self._asked.missing():
                return self._asked.outcomes
            time.sleep(self._poll)

    def close(self) -> None:
        """Give up the claims on what was not sent."""
        self._progress.close()
        self._asked.give_up()

    def say_what_goes_on(self) -> None:
        """Tell which batches the endpoint goes on with."""
        ids: list[str] = []
        with suppress(GrambenchError):  # what ended the run may be the store
            ids = [batch.id for batch in self._ledger.open_ones(self._asked.missing())]
        if ids:
            shown = ", ".join(ids[:5]) + (" ..." if len(ids) > 5 else "")
            _log.warning(
                "%s: %d batches go on at the endpoint (%s). Start again to collect them: nothing"
                " is sent twice.",
                *(self._card.name, len(ids), shown),
            )

    def _claim(self) -> None:
        """Claim what nobody has; take what is stored by now."""
        away = self._asked.away()
        claims = self._store.claim_many(
            [(key, self._asked.worst[key]) for key in away],
            scope=self._scope,
            budget=self._card.budget_usd,
        )
        found: dict[str, list[str]] = {"mine": [], "stored": [], "theirs": [], "over_budget": []}
        for key, claim in zip(away, claims, strict=True):
            found[claim].append(key)
        self._asked.wait(found["mine"])
        self._refuse_large(found["mine"])
        self._take(found["stored"])
        in_batches = self._look_for(found["theirs"])
        if found["over_budget"] and not in_batches and not self._asked.waiting:
            self._refuse_dear(found["over_budget"])

    def _take(self, keys: Sequence[str]) -> None:
        for key, kept in self._store.get(keys).items():
            self._asked.outcomes[key] = as_reply(kept, self._card.price)

    def _refuse_large(self, keys: Sequence[str]) -> None:
        """Settle requests that no batch can hold."""
        most = float(self._card.batch.get("megabytes", 200.0))
        sizes = {key: len(line_of(self._asked.requests[key])) / MEGABYTE for key in keys}
        large = {key for key, size in sizes.items() if size > most}
        for key in large:
            why = f"it has {sizes[key]:.1f} MB; a batch may have {most:g} (llm.batch.megabytes)"
            self._asked.fail([key], Failure("rejected", why))
        kept = [request for request in self._asked.waiting if request.key not in large]
        self._asked.waiting.clear()
        self._asked.waiting.extend(kept)

    def _refuse_dear(self, keys: Sequence[str]) -> None:
        """Settle requests for which there is no money, now that no batch may turn out cheaper."""
        spent = self._store.spent(self._scope)
        why = (
            f"not sent: {spent:.4f} USD are spent, and the request could exceed llm.budget_usd="
            f"{self._card.budget_usd}. With a higher budget, only what is missing is sent"
        )
        self._asked.outcomes.update(dict.fromkeys(keys, Failure("budget", why)))

    def _look_for(self, keys: Sequence[str]) -> bool:
        """Tell whether any of the keys are in batches; settle those that another endpoint has."""
        batches = self._ledger.open_ones(keys)
        known = {key for batch in batches for key in batch.keys}
        holders = self._store.holders([key for key in keys if key not in known])
        for key, holder in holders.items():
            if not holder.startswith(BATCH):
                continue
            self._astray[key] += 1  # once may be a batch that was made between the two looks
            if self._astray[key] >= _LOOKS:
                self._asked.outcomes[key] = Failure("server", in_batch(holder.removeprefix(BATCH)))
        return bool(batches)
