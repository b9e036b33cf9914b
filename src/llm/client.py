"""The client: sends requests that are not stored, and stores each reply as it arrives."""

from __future__ import annotations

import asyncio
from collections import deque
from collections.abc import Callable, Sequence
from itertools import islice

from src.llm.budget import in_usd
from src.llm.card import ChatCard
from src.llm.claims import Claim
from src.llm.concurrency import Gate, Limiter
from src.llm.endpoint import Endpoint
from src.llm.outcomes import Again, Never, Received
from src.llm.progress import Progress
from src.llm.received import cost, reply_of, usage_of
from src.llm.request import Request
from src.llm.retrying import Retrier
from src.llm.sharing import Theirs
from src.llm.store import ReplyStore
from src.records import Failure, Reply

Outcome = Reply | Failure

_POLL = 0.25  # seconds between two looks for replies that another process waits for
_DRAIN = 0.05  # seconds in which what has arrived already is stored, before all is cancelled
_IN_A_ROW = 10
_OPEN = 4  # requests begun, for each place on the wire: the others wait to be sent again
_AHEAD = 4  # this part of the places on the wire is claimed at a time


class Client:
    """Sends each of a list of requests once, unless somebody else does; to be used once.

    ``worst`` is the most dollars that a request may cost: ``card.budget_usd`` bounds what is spent
    within ``scope`` and what requests under way may cost. ``has_replied``: the endpoint has,
    earlier in this run.
    """

    def __init__(
        self,
        card: ChatCard,
        store: ReplyStore,
        endpoint: Endpoint,
        *,
        scope: str,
        worst: Callable[[Request], float | None],
        has_replied: bool = False,
    ) -> None:
        self._card = card
        self._store = store
        self._endpoint = endpoint
        self._scope = scope
        self._worst = worst
        self._gate = Gate(Limiter(card.concurrency))
        self._retrier = Retrier(
            endpoint.send,
            self._gate,
            attempts=card.attempts,
            tell=lambda failure, attempt: self._progress.again(failure, attempt),
            has_replied=has_replied,
        )
        self._theirs = Theirs(store, card.price)
        self._outcomes: dict[str, Outcome] = {}
        self._tasks: set[asyncio.Task[None]] = set()
        self._mine: set[str] = set()
        self._failed_in_a_row = 0

    @property
    def retries(self) -> int:
        """How many requests were sent again."""
        return self._retrier.retries

    @property
    def has_replied(self) -> bool:
        """Whether the endpoint ever has."""
        return self._retrier.has_replied

    async def run(self, requests: Sequence[Request]) -> dict[str, Outcome]:
        """Return what became of requests, all of them different, by key.

        Raises:
            GrambenchError: the endpoint takes nothing more, or the store fails.
        """
        self._waiting = deque(requests)
        self._claimed: deque[Request] = deque()
        self._ended = asyncio.Event()
        self._fatal: asyncio.Future[None] = asyncio.get_running_loop().create_future()
        self._progress = Progress(
            self._card.name, len(requests), self._gate, attempts=self._card.attempts
        )
        self._watching = asyncio.create_task(self._progress.watch())
        async with self._endpoint:
            try:
                await self._until_done_or_fatal()
            except asyncio.CancelledError:
                self._gate.shut()
                await asyncio.sleep(_DRAIN)
                raise
            finally:
                await self._tidy_up()
        return self._outcomes

    async def _until_done_or_fatal(self) -> None:
        dispatch = asyncio.create_task(self._dispatch())
        try:
            await asyncio.wait({dispatch, self._fatal}, return_when=asyncio.FIRST_COMPLETED)
            if not self._fatal.done():
                return await dispatch
            # What is on the wire is paid for and awaited; what waits to be sent again is not.
            self._gate.shut()
            while self._gate.in_flight:
                await asyncio.sleep(_DRAIN)
            return self._fatal.result()
        finally:
            dispatch.cancel()

    async def _dispatch(self) -> None:
        while self._waiting or self._claimed or self._theirs:
            if not (self._waiting or self._claimed):
                await asyncio.sleep(_POLL)
                self._outcomes |= self._theirs.come()
                self._waiting.extend(self._theirs.void())
            elif self._failed_in_a_row >= max(_IN_A_ROW, self._card.concurrency):
                self._fail_the_rest("server", f"{self._failed_in_a_row} others failed in a row")
            elif len(self._tasks) >= _OPEN * self._card.concurrency:
                await self._one_more_ends()
            elif self._claimed:
                await self._gate.enter()
                self._begin(self._claimed.popleft())
            elif "over_budget" in self._claim_some() and not self._claimed:
                await self._wait_for_money()
        while self._tasks:
            await self._one_more_ends()

    def _claim_some(self) -> list[Claim]:
        """Claim the next few; say what became of each. What is over the budget goes on waiting."""
        few = list(islice(self._waiting, max(1, self._card.concurrency // _AHEAD)))
        budget = self._card.budget_usd
        wanted = [(one.key, 0.0 if budget is None else self._worst(one) or 0.0) for one in few]
        claims = self._store.claim_many(wanted, scope=self._scope, budget=budget)
        for request, claim in zip(few, claims, strict=True):
            if claim == "over_budget":
                continue
            self._waiting.remove(request)
            if claim == "mine":
                self._mine.add(request.key)
                self._claimed.append(request)
            else:
                self._theirs.add(request)
        return claims

    def _begin(self, request: Request) -> None:
        task = asyncio.create_task(self._one(request))
        self._tasks.add(task)
        task.add_done_callback(self._end)

    async def _wait_for_money(self) -> None:
        """Wait until a reply turns out cheaper than it might have been, or give up."""
        if self._tasks:
            await self._one_more_ends()
            return
        spent, most = self._store.spent(self._scope), self._worst(self._waiting[0])
        self._fail_the_rest(
            "budget",
            f"{in_usd(spent)} are spent, and the next request, which may cost {in_usd(most or 0)},"
            f" could exceed llm.budget_usd={self._card.budget_usd:g}. With a higher budget only"
            " what is missing is sent.",
        )

    def _end(self, task: asyncio.Task[None]) -> None:
        self._tasks.discard(task)
        self._ended.set()

    async def _one_more_ends(self) -> None:
        self._ended.clear()
        await self._ended.wait()

    async def _one(self, request: Request) -> None:
        try:
            outcome = await self._ask(request)
        except Exception as error:
            if not self._fatal.done():
                self._fatal.set_exception(error)
            return
        self._outcomes[request.key] = outcome
        self._mine.discard(request.key)
        if isinstance(outcome, Reply):
            self._failed_in_a_row = 0
            self._progress.reply(outcome)
            return
        self._failed_in_a_row += outcome.kind in ("server", "rejected")
        self._store.release(request.key)
        self._progress.failure()

    async def _ask(self, request: Request) -> Outcome:
        try:
            received = await self._retrier(request.body)
        except Again as failure:
            return Failure("server", f"{failure.why} (attempts: {self._card.attempts})")
        except Never as failure:
            return Failure(failure.kind, failure.why)
        return self._keep(request, received)

    def _keep(self, request: Request, received: Received) -> Reply:
        """Store a reply before anything else is done with it."""
        usage = usage_of(received.raw)
        usd = cost(usage["prompt"], usage["completion"], self._card.price, cached=usage["cached"])
        self._store.put(
            request.key,
            request=request.body,
            raw=received.raw,
            seconds=received.seconds,
            at=received.at,
            # Where a server counts no tokens, the worst is taken to be spent.
            usd=self._worst(request) if usd is None else usd,
            scope=self._scope,
            repeat=request.question.repeat,
            revision=self._card.weights,
        )
        return reply_of(
            received.raw, price=self._card.price, seconds=received.seconds, at=received.at
        )

    def _fail_the_rest(self, kind: str, why: str) -> None:
        for request in (*self._claimed, *self._waiting):
            self._outcomes[request.key] = Failure(kind, f"not sent: {why}")
            self._progress.failure()
        self._claimed.clear()  # `_tidy_up` gives up the claims
        self._waiting.clear()

    async def _tidy_up(self) -> None:
        for task in (self._watching, *self._tasks):
            task.cancel()
        await asyncio.gather(self._watching, *self._tasks, return_exceptions=True)
        self._progress.close()
        if self._mine:
            self._store.release(*self._mine)
