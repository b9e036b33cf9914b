"""What a user sees while requests are under way."""

from __future__ import annotations

import logging
import time
from typing import Any

from src.llm.concurrency import Gate
from src.records import Reply

_log = logging.getLogger(__name__)


class Progress:
    """A bar on a terminal with throughput, cost and concurrency; elsewhere one line at the end."""

    def __init__(self, name: str, total: int, gate: Gate) -> None:
        from tqdm import tqdm

        self._name = name
        self._gate = gate
        self._began = time.monotonic()
        self._tokens = 0
        self._usd = 0.0
        self._replies = 0
        self._failures = 0
        self._bar: Any = tqdm(
            total=total, desc=name, unit=" replies", delay=1, disable=None, leave=False
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
        if self._bar.disable:
            return
        rate = self._tokens / max(time.monotonic() - self._began, 1e-9)
        cost = f", {self._usd:.4f} USD" if self._usd else ""
        limiter = self._gate.limiter
        self._bar.set_postfix_str(
            f"{rate:.0f} tokens/s{cost}, {self._gate.in_flight} of {limiter.limit} in flight",
            refresh=False,
        )
