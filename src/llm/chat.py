"""``llm=`` for models that read prompts: behind an endpoint, or in this process."""

from __future__ import annotations

import tempfile
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from functools import cached_property
from typing import Any

from src.llm.budget import scope_of, worst_usd
from src.llm.card import ChatCard
from src.llm.client import Client, Outcome
from src.llm.endpoint import Endpoint
from src.llm.estimating import estimate
from src.llm.keys import find_key
from src.llm.request import Request, make_request
from src.llm.running import run_apart
from src.llm.sharing import as_reply
from src.llm.store import ReplyStore
from src.llm.usage import Usage
from src.records import Estimate, Message, Question


@dataclass(kw_only=True, eq=False)
class ChatModel(ChatCard):
    """Answers questions with a chat model; what is in the reply store is not asked again."""

    def __post_init__(self) -> None:
        """Refuse what no endpoint can be asked with."""
        super().__post_init__()
        self._has_replied = False

    def ask(self, questions: Sequence[Question]) -> list[Outcome]:
        """Return a reply, or why there is none, for each question; all replies are stored.

        Raises:
            GrambenchError: nobody can be asked: no key, no such server, a key that is refused.
        """
        requests = [make_request(question, self) for question in questions]
        wanted = {request.key: request for request in requests}
        outcomes: dict[str, Outcome] = dict(self._stored(wanted))
        missing = [request for key, request in wanted.items() if key not in outcomes]
        retries = 0
        if missing:
            found, retries = self._send(missing, scope_of(wanted.values(), self))
            outcomes |= found
        self._usage.add(outcomes.values(), retries)
        return [outcomes[request.key] for request in requests]

    def estimate(self, questions: Sequence[Question]) -> Estimate:
        """Return what asking would come to; sends nothing."""
        requests = [make_request(question, self) for question in questions]
        wanted = {request.key: request for request in requests}
        return estimate(
            wanted,
            self._stored(wanted),
            card=self,
            store=self._store,
            count=self.count,
            counted_by=self.counted_by,
        )

    def room(self) -> int:
        """Return how many tokens a prompt may have."""
        return self.context - self.max_tokens

    def count(self, messages: Sequence[Message]) -> int:
        """Return how many tokens a prompt has."""
        return int(self._counter(messages))

    @property
    def counted_by(self) -> str:
        """What tokens are counted with."""
        return str(self._counter.name)

    def usage(self) -> dict[str, float]:
        """Return what was asked, and what it took, as metrics."""
        return self._usage.metrics()

    def _stored(self, wanted: Mapping[str, Request]) -> dict[str, Outcome]:
        found = self._store.get(list(wanted))
        return {key: as_reply(reply, self.price) for key, reply in found.items()}

    def _send(self, missing: Sequence[Request], scope: str) -> tuple[dict[str, Outcome], int]:
        if self.mode == "batch":
            from src.llm.batch import run_batches

            return run_batches(
                missing, card=self, store=self._store, scope=scope, worst=self._worst
            )
        client = Client(
            *(self, self._store, self._endpoint()),
            scope=scope,
            worst=self._worst,
            has_replied=self._has_replied,
        )
        found = run_apart(lambda: client.run(missing))
        self._has_replied = client.has_replied
        return found, client.retries

    def _endpoint(self) -> Endpoint:
        is_ours = self.server is not None
        return Endpoint(
            self.server.start() if is_ours else self.base_url,
            find_key(None if is_ours else self.key_env),
            timeout=self.timeout,
            concurrency=self.concurrency,
            is_ours=is_ours,
        )

    def _worst(self, request: Request) -> float | None:
        return worst_usd(request, self, self.count, batch=self.mode == "batch")

    @cached_property
    def _store(self) -> ReplyStore:
        if self.store is not None:
            return ReplyStore(self.store)
        # Without a store of its own, a run still asks nothing twice.
        self._folder = tempfile.TemporaryDirectory(prefix="grambench-")
        return ReplyStore(f"{self._folder.name}/replies.db")

    @cached_property
    def _counter(self) -> Any:
        from src.llm.counting import counter

        return counter(self.tokens, self.server)

    @cached_property
    def _usage(self) -> Usage:
        return Usage()
