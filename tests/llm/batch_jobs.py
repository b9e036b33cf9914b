"""What the tests of batch mode ask, here or in a process that is killed."""

from __future__ import annotations

import itertools
import json
import logging
import multiprocessing
import os
import sys
from collections.abc import Sequence
from functools import cache
from multiprocessing.connection import wait
from pathlib import Path
from typing import Any

import httpcore2
import pytest

from src.llm.batch import run_batches
from src.llm.card import ChatCard
from src.llm.request import Request, make_request
from src.llm.store import ReplyStore
from src.records import Failure, Message, Question, Reply
from tests.llm.batch_server import BatchServer

# Reading certificates takes longer than all else in a test, and nothing here is encrypted.
pytest.MonkeyPatch().setattr(httpcore2, "default_ssl_context", cache(httpcore2.default_ssl_context))

# Processes begin with what takes long to import.
_PROCESSES = multiprocessing.get_context("forkserver")
_PROCESSES.set_forkserver_preload(["pytest", "openai", "tests.llm.batch_jobs"])
_NUMBERS = itertools.count()

KEY_ENV = "BATCH_TEST_KEY"
SERVER_ERROR = (500, {"error": {"message": "Internal."}})
WORST = 0.001
"""US dollars that each request may cost."""


def well(outcomes: dict[str, Reply | Failure]) -> bool:
    """Whether each text has the reply that the loopback gives it."""
    return all(say(outcome) == f"Conclusion: {text}" for text, outcome in outcomes.items())


def card_of(url: str, **changes: Any) -> ChatCard:
    """A card for the loopback; ``batch`` settings are added to a short poll."""
    batch = {"requests": 50_000, "megabytes": 200.0, "poll": 0.005, "window": "24h"}
    batch |= changes.pop("batch", {})
    fields: dict[str, Any] = {
        "name": "tiny",
        "model": "tiny",
        "context": 1000,
        "max_tokens": 50,
        "base_url": url,
        "key_env": KEY_ENV,
        "mode": "batch",
        "attempts": 3,
        "price": {"prompt": 2.0, "completion": 8.0, "batch": 0.5},
        "batch": batch,
    }
    return ChatCard(**(fields | changes))


def requests_of(card: ChatCard, texts: Sequence[str]) -> list[Request]:
    """A request for each text."""
    questions = [
        Question(id=text, messages=(Message("system", "Answer."), Message("user", text)))
        for text in texts
    ]
    return [make_request(question, card) for question in questions]


def texts_of(count: int) -> list[str]:
    return [f"text {number}" for number in range(count)]


def run(
    server: BatchServer, path: Path, texts: Sequence[str], **changes: Any
) -> dict[str, Reply | Failure]:
    """Run batch mode in this process; what became of each text."""
    scope = changes.pop("scope", "sweep-1")
    card = card_of(server.url, **changes)
    os.environ[KEY_ENV] = server.key
    requests = requests_of(card, texts)
    with ReplyStore(path) as store:
        found, _ = run_batches(requests, card=card, store=store, scope=scope, worst=lambda _: WORST)
    return {request.question.id: found[request.key] for request in requests}


class Job:
    """Batch mode in a process of its own, which can be killed; what it logs lies in ``log``."""

    def __init__(
        self, server: BatchServer, path: Path, texts: Sequence[str], most: int = 50_000
    ) -> None:
        self.log = path.with_name(f"job-{next(_NUMBERS)}.log")
        self._told = self.log.with_suffix(".json")
        self._process = _PROCESSES.Process(
            target=_work, args=(server.url, server.key, path, texts, most, self.log, self._told)
        )
        self._process.start()

    def kill(self) -> None:
        """Kill it, and wait until it is dead; from any thread."""
        self._process.kill()
        wait([self._process.sentinel])

    def status(self) -> int | None:
        """What it ended with; below 0 for a signal."""
        self._process.join(60)
        return self._process.exitcode

    def told(self) -> dict[str, str]:
        """What became of each text."""
        assert self.status() == 0, self.log.read_text()
        return dict(json.loads(self._told.read_text()))


def _work(
    url: str, key: str, path: Path, texts: Sequence[str], most: int, log: Path, told: Path
) -> None:
    os.environ[KEY_ENV] = key
    os.dup2(os.open(log, os.O_WRONLY | os.O_CREAT), sys.stderr.fileno())
    logging.basicConfig(level=logging.INFO)
    card = card_of(url, batch={"requests": most})
    requests = requests_of(card, texts)
    with ReplyStore(path) as store:
        found, _ = run_batches(
            requests, card=card, store=store, scope="sweep-1", worst=lambda _: WORST
        )
    told.write_text(json.dumps({r.question.id: say(found[r.key]) for r in requests}))


def say(outcome: Reply | Failure) -> str:
    """An outcome in a word."""
    return outcome.text if isinstance(outcome, Reply) else f"{outcome.kind}: {outcome.error}"
