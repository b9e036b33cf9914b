"""What a user sees while requests are under way."""

from __future__ import annotations

import asyncio
import logging
import time
from typing import Any

from src.llm.concurrency import Gate
from src.llm.outcomes import Again
from src.records import Reply

_log = logging.getLogger(__name__)

_OFTEN = 10.0  # seconds between two lines about failures of one kind
_TICK = 0.5  # seconds between two looks at what is in flight


class Progress:
    """A bar on a terminal with throughput, cost and concurrency; elsewhere one line at the end.

    What fails and is tried again is told in both, as a warning.
    """

    def __init__(self, name: str, total: int, gate: Gate, *, attempts: int) -> None:
        from tqdm import tqdm

        self._name = name
        self._gate = gate
        self._attempts = attempts
        self._told: dict[str, float] = {}
        self._began = time.monotonic()
        self._tokens = 0
        self._usd = 0.0
        self._replies = 0
        self._failures = 0
        self._bar: Any = tqdm(total=total, desc=name, unit=" replies", disable=None, leave=False)

    async def watch(self) -> None:
        """Show what is in flight while nothing arrives."""
        while not self._bar.disable:
            self._show(at_once=True)
            await asyncio.sleep(_TICK)

    def again(self, failure: Again, attempt: int) -> None:
        """Warn of a failure after which the given attempt follows; of its like only now and then.

        Failures are alike if what they say agrees up to a colon.
        """
        kind, now = failure.why.partition(":")[0], time.monotonic()
        if now - self._told.get(kind, -_OFTEN) < _OFTEN:
            return
        self._told[kind] = now
        when = f" in {failure.wait:g} s" if failure.wait else ""
        with self._bar.external_write_mode():
            _log.warning(
                *("%s: %s: trying again%s (attempt %d of %d)", self._name),
                *(failure.why.rstrip("."), when, attempt, self._attempts),
            )

    def reply(self, reply: Reply) -> None:
        """Take notice of a reply that was not there yet."""
        self._replies += 1
        self._tokens += (reply.prompt_tokens or 0) + (reply.completion_tokens or 0)
        self._usd += reply.usd or 0.0
        self._step()

    def failure(self) -> None:
        """Take notice of a request that failed for good."""
        self._failures += 1
        self._step()

    def close(self) -> None:
        """Take the bar away and log what was done."""
        self._bar.close()
        seconds = time.monotonic() - self._began
        failed = f", {self._failures} failed" if self._failures else ""
        cost = f", {self._usd:.4f} USD" if self._usd else ""
        _log.info(
            *("%s: %d replies in %.1f s, %d tokens%s%s.", self._name, self._replies, seconds),
            *(self._tokens, cost, failed),
        )

    def _step(self) -> None:
        self._bar.update()
        self._show(at_once=False)

    def _show(self, *, at_once: bool) -> None:
        if self._bar.disable:
            return
        rate = self._tokens / max(time.monotonic() - self._began, 1e-9)
        cost = f", {self._usd:.4f} USD" if self._usd else ""
        limiter = self._gate.limiter
        self._bar.set_postfix_str(
            f"{rate:.0f} tokens/s{cost}, {self._gate.in_flight} of {limiter.limit} in flight",
            refresh=at_once,
        )
