from __future__ import annotations

import asyncio
import random

import pytest
from hypothesis import given
from hypothesis import strategies as st
from tenacity import AsyncRetrying, RetryCallState

from src.llm.concurrency import Gate, Limiter
from src.llm.outcomes import Again
from src.llm.retrying import BACKOFF, Retrier


@given(bound=st.integers(1, 200), events=st.lists(st.booleans(), max_size=300))
def test_the_limit_stays_between_one_and_the_bound(bound: int, events: list[bool]) -> None:
    limiter = Limiter(bound)
    for is_reply in events:
        before = limiter.limit
        if is_reply:
            limiter.grow()
            assert before <= limiter.limit <= before + 1
        else:
            limiter.shrink()
            assert limiter.limit <= before
        assert 1 <= limiter.limit <= bound


@given(bound=st.integers(1, 200), refusals=st.integers(0, 400))
def test_replies_bring_it_back_to_the_bound(bound: int, refusals: int) -> None:
    limiter = Limiter(bound)
    for _ in range(refusals):
        limiter.shrink()
    for _ in range(10 * min(refusals, bound) + 1):
        limiter.grow()
    assert limiter.limit == bound


@given(room=st.integers(1, 60), bound=st.integers(1, 200))
def test_an_endpoint_is_soon_asked_little_more_than_it_has_room_for(room: int, bound: int) -> None:
    limiter = Limiter(bound)
    rounds = []
    for _ in range(40):
        rounds.append(limiter.limit)
        for place in range(rounds[-1]):
            limiter.grow() if place < room else limiter.shrink()
    assert all(min(room, bound) <= sent <= 1.1 * room + 2 for sent in rounds[20:])


@pytest.mark.parametrize("seed", range(5))
def test_refusals_by_chance_do_not_slow_it_down(seed: int) -> None:
    limiter, chance = Limiter(64), random.Random(seed)
    limits = []
    for _ in range(2000):
        limiter.shrink() if chance.random() < 0.05 else limiter.grow()
        limits.append(limiter.limit)
    assert sum(limits) / len(limits) > 0.9 * 64


def test_the_gate_lets_in_as_many_as_the_limit_and_those_again_first() -> None:
    async def scenario() -> list[str]:
        gate = Gate(Limiter(2))
        entered: list[str] = []

        async def enter(name: str, again: bool = False) -> None:
            await gate.enter(again=again)
            entered.append(name)

        tasks = [asyncio.create_task(enter(name)) for name in "abcd"]
        await asyncio.sleep(0)
        tasks.append(asyncio.create_task(enter("again", again=True)))
        await asyncio.sleep(0.01)
        assert entered == ["a", "b"] and gate.in_flight == 2
        gate.leave()
        await asyncio.sleep(0.01)
        assert entered == ["a", "b", "again"]
        tasks[2].cancel()  # c waits no longer, and takes no place
        gate.leave()
        gate.leave()
        await asyncio.sleep(0.01)
        assert gate.in_flight == 1
        return entered

    assert asyncio.run(scenario()) == ["a", "b", "again", "d"]


def test_a_pause_is_for_all_and_the_longest_counts() -> None:
    async def scenario() -> float:
        loop = asyncio.get_running_loop()
        gate = Gate(Limiter(4))
        gate.pause(0.15)
        gate.pause(0.01)
        began = loop.time()
        await asyncio.gather(*(gate.enter() for _ in range(3)))
        return loop.time() - began

    assert asyncio.run(scenario()) >= 0.149


@given(attempt=st.integers(1, 2000), wait=st.sampled_from([None, 0.0, 3.0]))
def test_intervals_double_up_to_the_longest(attempt: int, wait: float | None) -> None:
    async def send(body: object) -> dict[str, object]:
        raise AssertionError

    retrier = Retrier(send, Gate(Limiter(1)), attempts=8)
    state = RetryCallState(AsyncRetrying(), None, (), {})
    state.attempt_number = attempt
    failure = Again("full", wait=wait)
    state.set_exception((Again, failure, None))
    longest = min(BACKOFF.first * 2 ** min(attempt - 1, 60), BACKOFF.most)
    seconds = retrier._wait(state)
    # An endpoint that says how long to wait shuts the gate for so long.
    assert seconds == 0 if wait else longest / 2 <= seconds <= longest
