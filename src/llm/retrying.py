"""Asking again: as often as a card allows, at growing intervals that differ by chance."""

from __future__ import annotations

import random
import time
from collections.abc import Awaitable, Callable, Mapping
from dataclasses import dataclass
from datetime import UTC, datetime
from typing import TYPE_CHECKING, Any

from src.errors import GrambenchError
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
_KNOCKS = 3  # attempts where nobody listens, and nobody has yet
Tell = Callable[[Again, int], None]


class Retrier:
    """Sends through a gate, and again where that may help; counts in ``retries``.

    A place in the gate is held only while a request is on the wire. An endpoint's wish to wait
    (Retry-After) holds back all requests. ``tell`` is called with what is tried again, and with the
    number of the next attempt. ``has_replied``: the endpoint has, so that it is there.
    """

    def __init__(
        self,
        send: Callable[[Mapping[str, Any]], Awaitable[Raw]],
        gate: Gate,
        *,
        attempts: int,
        tell: Tell = lambda failure, attempt: None,
        has_replied: bool = False,
    ) -> None:
        self._send = send
        self._gate = gate
        self._attempts = attempts
        self._tell = tell
        self.has_replied = has_replied
        self.retries = 0

    async def __call__(self, body: Mapping[str, Any]) -> Received:
        """Return what came; the caller has entered the gate.

        Raises:
            Again: the last of all attempts failed.
            Never: the request is refused.
            GrambenchError: nobody listens at the endpoint's address.
        """
        from tenacity import AsyncRetrying, retry_if_exception_type

        tries = AsyncRetrying(
            stop=self._is_last,
            wait=self._wait,
            retry=retry_if_exception_type(Again),
            before_sleep=self._tell_of,
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
            self.has_replied = True
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

    def _is_last(self, state: RetryCallState) -> bool:
        """Tell whether nothing is tried again; end it all where nobody has ever listened."""
        failure, attempt = _failure(state), state.attempt_number
        if failure.nobody and not self.has_replied and attempt >= min(_KNOCKS, self._attempts):
            raise GrambenchError(
                f"There is {failure.why} (attempts: {attempt}). Nobody listens at that address:"
                " start the server, or correct llm.base_url."
            )
        return attempt >= self._attempts

    def _tell_of(self, state: RetryCallState) -> None:
        self._tell(_failure(state), state.attempt_number + 1)

    def _wait(self, state: RetryCallState) -> float:
        from tenacity import wait_exponential

        if _failure(state).wait:
            return 0.0  # the gate is shut for as long as the endpoint wants
        longest = wait_exponential(multiplier=BACKOFF.first, max=BACKOFF.most)(state)
        return longest * random.uniform(0.5, 1.0)


def _failure(state: RetryCallState) -> Again:
    failure = state.outcome.exception() if state.outcome else None
    assert isinstance(failure, Again)
    return failure
