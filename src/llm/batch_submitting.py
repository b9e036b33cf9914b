"""Sending batches: never twice, and fewer requests where an endpoint will not hold as many."""

from __future__ import annotations

import logging

from src.llm.batch_asked import Asked, Troubles, patience_of
from src.llm.batch_endpoint import BatchEndpoint, Full, NotThere, explained
from src.llm.batch_files import Part, take_part
from src.llm.batch_ledger import Ledger
from src.llm.batch_results import Unanswered
from src.llm.card import ChatCard
from src.llm.outcomes import Again, Never
from src.records import Failure

_log = logging.getLogger(__name__)

_LONGEST = 512  # characters in a value of a batch's metadata


class Submitter:
    """Makes batches of the requests that wait."""

    def __init__(
        self, card: ChatCard, asked: Asked, endpoint: BatchEndpoint, ledger: Ledger, scope: str
    ) -> None:
        self._card = card
        self._asked = asked
        self._endpoint = endpoint
        self._ledger = ledger
        self._scope = scope
        self._most = max(1, int(card.batch.get("requests", 50_000)))
        self._megabytes = float(card.batch.get("megabytes", 200.0))
        self._files: dict[str, str] = {}
        self._is_full = False
        self._troubles = Troubles(patience_of(card))

    def submit(self, *, try_again: bool) -> None:
        """Send what waits; what the endpoint will not hold now goes on waiting.

        ``try_again``: it may hold more than the last time.
        """
        self._is_full = self._is_full and not try_again
        while self._asked.waiting and not self._is_full:
            part = take_part(self._asked.waiting, requests=self._most, megabytes=self._megabytes)
            try:
                self._send(part)
                self._troubles.over("sending")
            except Full as full:
                self.refused(part, explained(full))
            except Never as fault:
                why = f"the endpoint refused the batch: {fault.why}"
                keys = [request.key for request in part.requests]
                self._asked.fail(keys, Failure(fault.kind, why))
            except Again as fault:
                self._asked.put_back(part.requests)
                self._wait_for_better(fault)
                return
            except BaseException as fault:
                self._asked.put_back(part.requests)
                if isinstance(fault, NotThere):
                    raise self._card.fault(
                        f"{self._endpoint.place} has no Batch API ({fault}). Set llm.mode=online."
                    ) from None
                raise

    def refused(self, part: Part, why: str) -> None:
        """Put back what the endpoint has no room for: until a batch ends, or to send fewer."""
        self._asked.put_back(part.requests)
        if self._is_busy():
            self._is_full = True
            _log.info("%s: the endpoint takes no more batches now (%s).", self._card.name, why)
        elif len(part.requests) > 1:
            self._most = min(self._most, (len(part.requests) + 1) // 2)
            _log.info(
                "%s: the endpoint refused a batch of %d requests (%s); the next have %d.",
                *(self._card.name, len(part.requests), why, self._most),
            )
        else:
            self._is_full = True
            self._refused_one(why)

    def _refused_one(self, why: str) -> None:
        request = self._asked.waiting.popleft()
        unanswered = Unanswered(Failure("server", why), again=True)
        if self._asked.is_to_be_sent_again(request.key, unanswered):
            self._asked.put_back([request])
        else:
            self._asked.fail([request.key], Failure("server", why))

    def _send(self, part: Part) -> None:
        keys = [request.key for request in part.requests]
        name = f"grambench-{part.digest[:12]}.jsonl"
        # A file is sent once, however often a batch of it is refused.
        file = self._files.pop(part.digest, None) or self._endpoint.upload(part.content, name)
        intent = self._ledger.intend(file, keys)
        try:
            id = self._endpoint.create(file, self._about(part))
        except Again as fault:
            # Perhaps it was created: the endpoint's list of batches will tell.
            _log.warning("%s: a batch was sent, but %s.", self._card.name, fault.why)
            return
        except Exception as fault:
            if isinstance(fault, Full):
                self._files[part.digest] = file
            self._ledger.settle(intent, "refused", keys, again=keys)
            raise
        self._ledger.created(intent, id, keys)
        _log.info("%s: batch %s has %d requests.", self._card.name, id, len(keys))

    def _about(self, part: Part) -> dict[str, str]:
        """Return what the endpoint's list of batches says of one."""
        return {"made_by": "grambench", "keys": part.digest, "scope": self._scope[:_LONGEST]}

    def _is_busy(self) -> bool:
        """Tell whether batches run, ours or others', whose end will make room."""
        if self._ledger.open_ones(self._asked.away()):
            return True
        try:
            return self._endpoint.is_busy()
        except (Again, Never, NotThere):
            return False

    def _wait_for_better(self, fault: Again) -> None:
        first, too_long = self._troubles.note("sending")
        if first:
            _log.warning("%s: a batch cannot be sent now: %s.", self._card.name, fault.why)
        if too_long:
            waiting = [request.key for request in self._asked.waiting]
            self._asked.waiting.clear()
            self._asked.fail(waiting, Failure("server", fault.why))
