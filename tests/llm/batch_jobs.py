"""What the tests of batch mode ask, here or in a process that is killed."""

from __future__ import annotations

import json
import logging
import os
import subprocess
import sys
from collections.abc import Sequence
from pathlib import Path
from typing import Any

from src.llm.batch import run_batches
from src.llm.card import ChatCard
from src.llm.request import Request, make_request
from src.llm.store import ReplyStore
from src.records import Failure, Message, Question, Reply
from tests.llm.batch_server import BatchServer

ROOT = Path(__file__).parents[2]
KEY_ENV = "BATCH_TEST_KEY"
WORST = 0.001
"""US dollars that each request may cost."""


def card_of(url: str, **changes: Any) -> ChatCard:
    """A card for the loopback; ``batch`` settings are added to a short poll."""
    batch = {"requests": 50_000, "megabytes": 200.0, "poll": 0.02, "window": "24h"}
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
        found = run_batches(requests, card=card, store=store, scope=scope, worst=lambda _: WORST)
    return {request.question.id: found[request.key] for request in requests}


def start(
    server: BatchServer, path: Path, texts: Sequence[str], most: int = 50_000
) -> subprocess.Popen[str]:
    """Run batch mode in another process, which prints what became of each text as JSON."""
    module = ["-m", "tests.llm.batch_jobs"]
    command = [sys.executable, *module, server.url, str(path), str(most), *texts]
    return subprocess.Popen(
        command,
        cwd=ROOT,
        env=os.environ | {KEY_ENV: server.key},
        stdout=subprocess.PIPE,
        stderr=subprocess.PIPE,
        text=True,
    )


def told(process: subprocess.Popen[str]) -> dict[str, str]:
    """What a process of :func:`start` printed."""
    out, error = process.communicate(timeout=60)
    assert process.returncode == 0, error
    return dict(json.loads(out))


def say(outcome: Reply | Failure) -> str:
    """An outcome in a word."""
    return outcome.text if isinstance(outcome, Reply) else f"{outcome.kind}: {outcome.error}"


def main(url: str, path: str, most: str, *texts: str) -> None:
    logging.basicConfig(level=logging.INFO)
    card = card_of(url, batch={"requests": int(most)})
    requests = requests_of(card, texts)
    with ReplyStore(path) as store:
        found = run_batches(
            requests, card=card, store=store, scope="sweep-1", worst=lambda _: WORST
        )
    print(json.dumps({r.question.id: say(found[r.key]) for r in requests}))


if __name__ == "__main__":
    main(*sys.argv[1:])
