"""How many requests are in flight: fewer when the endpoint says that it is too much."""

from __future__ import annotations

import asyncio
import math
from collections import deque

_GAIN = 0.1


class Limiter:
    """The limit: from ``bound``, and never above it.

    Each refusal takes a place away, so that a round in which half are refused halves the limit;
    each reply adds a tenth of a place. So an endpoint that has room for n is soon asked n and a
    tenth at a time, and one that refuses less than a tenth by chance is asked as many as before.
    """

    def __init__(self, bound: int) -> None:
        self.bound = bound
        self._limit = float(bound)

    @property
    def limit(self) -> int:
        """So many requests may be in flight, 1 or more."""
        return math.floor(self._limit)

    def grow(self) -> None:
        """Take notice of a reply."""
        self._limit = min(self._limit + _GAIN, float(self.bound))

    def shrink(self) -> None:
        """Take notice of a refusal."""
        self._limit = max(self._limit - 1.0, 1.0)


class Gate:
    """Lets requests through, as many at a time as the limiter says, and none during a pause.

    Those that come back (``again``) go before those that wait for the first time. Of one event
    loop.
    """

    def __init__(self, limiter: Limiter) -> None:
        self.limiter = limiter
        self.in_flight = 0
        self._waiting: deque[asyncio.Future[None]] = deque()
        self._paused_until = 0.0

    async def enter(self, *, again: bool = False) -> None:
        """Wait for a place."""
        if self._waiting or not self._is_open():
            place = asyncio.get_running_loop().create_future()
            (self._waiting.appendleft if again else self._waiting.append)(place)
            try:
                await place
            except asyncio.CancelledError:
                self._give_back(place)
                raise
        else:
            self.in_flight += 1

    def leave(self) -> None:
        """Give up a place."""
        self.in_flight -= 1
        self._let_in()

    def pause(self, seconds: float) -> None:
        """Let nobody in for so long; a pause that lasts longer already goes on."""
        loop = asyncio.get_running_loop()
        until = loop.time() + seconds
        if until > self._paused_until:
            self._paused_until = until
            loop.call_at(until, self._let_in)

    def shut(self) -> None:
        """Let nobody in any more."""
        self._paused_until = math.inf

    def _is_open(self) -> bool:
        is_over = asyncio.get_running_loop().time() >= self._paused_until
        return is_over and self.in_flight < self.limiter.limit

    def _let_in(self) -> None:
        while self._waiting and self._is_open():
            place = self._waiting.popleft()
            if not place.done():
                self.in_flight += 1
                place.set_result(None)

    def _give_back(self, place: asyncio.Future[None]) -> None:
        if place.done() and not place.cancelled():
            self.leave()
