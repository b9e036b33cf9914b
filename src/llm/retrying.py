"""Asking again: as often as a card allows, at growing intervals that differ by chance."""

from __future__ import annotations

import random
import time
from collections.abc import Awaitable, Callable, Mapping
from dataclasses import dataclass
from datetime import UTC, datetime
from typing import TYPE_CHECKING, Any

from src.llm.concurrency import Gate
from src.llm.outcomes import Again, Received

if TYPE_CHECKING:
    from tenacity import RetryCallState

Raw = dict[str, Any]


@dataclass(frozen=True)
class Backoff:
    """Seconds: ``first`` after the first failure, then twice as long each time, or down to half."""

    first: float = 0.25
    most: float = 30.0


BACKOFF = Backoff()


class Retrier:
    """Sends through a gate, and again where that may help; counts in ``retries``.

    A place in the gate is held only while a request is on the wire. An endpoint's wish to wait
    (Retry-After) holds back all requests.
    """

    def __init__(
        self,
        send: Callable[[Mapping[str, Any]], Awaitable[Raw]],
        gate: Gate,
        *,
        attempts: int,
    ) -> None:
        self._send = send
        self._gate = gate
        self._attempts = attempts
        self.retries = 0

    async def __call__(self, body: Mapping[str, Any]) -> Received:
        """Return what came; the caller has entered the gate.

        Raises:
            Again: the last of all attempts failed.
            Never: the request is refused.
        """
        from tenacity import AsyncRetrying, retry_if_exception_type, stop_after_attempt

        tries = AsyncRetrying(
            stop=stop_after_attempt(self._attempts),
            wait=self._wait,
            retry=retry_if_exception_type(Again),
            reraise=True,
        )
        async for attempt in tries:
            with attempt:
                if attempt.retry_state.attempt_number > 1:
                    self.retries += 1
                    await self._gate.enter(again=True)
                return await self._once(body)
        raise AssertionError("unreachable: tenacity returns or raises")

    async def _once(self, body: Mapping[str, Any]) -> Received:
        limiter = self._gate.limiter
        began = time.perf_counter()
        try:
            raw = await self._send(body)
            limiter.grow()
            at = datetime.now(UTC).isoformat(timespec="milliseconds")
            return Received(raw, time.perf_counter() - began, at)
        except Again as failure:
            if failure.too_many:
                limiter.shrink()
            if failure.wait is not None:
                self._gate.pause(failure.wait)
            raise
        finally:
            self._gate.leave()

    def _wait(self, state: RetryCallState) -> float:
        from tenacity import wait_exponential

        assert state.outcome is not None
        failure = state.outcome.exception()
        if isinstance(failure, Again) and failure.wait:
            return 0.0  # the gate is shut for as long as the endpoint wants
        longest = wait_exponential(multiplier=BACKOFF.first, max=BACKOFF.most)(state)
        return longest * random.uniform(0.5, 1.0)
