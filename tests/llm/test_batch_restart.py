"""Batch mode in processes that are killed, and in two at once: nothing is sent twice or lost."""

from __future__ import annotations

import subprocess
from collections.abc import Iterator
from pathlib import Path

import pytest

from src.llm.store import ReplyStore
from tests.llm.batch_jobs import run, say, start, texts_of, told
from tests.llm.batch_server import BatchServer, Plan

USD = 0.00014
"""What a reply of the loopback costs: (100 * 2 + 10 * 8) / 1e6, and half of that."""


@pytest.fixture
def server() -> Iterator[BatchServer]:
    with BatchServer() as endpoint:
        yield endpoint


@pytest.fixture
def path(tmp_path: Path) -> Path:
    return tmp_path / "replies.db"


class Killer:
    """A hook that kills a process at the n-th time that a step is done, before it is answered."""

    def __init__(self, server: BatchServer, step: str, time: int) -> None:
        self.process: subprocess.Popen[str] | None = None
        self._times = time
        self._step = step
        server.hooks[step] = self

    def __call__(self, server: BatchServer) -> None:
        self._times -= 1
        if self._times == 0 and self.process is not None:
            del server.hooks[self._step]
            self.process.kill()
            self.process.wait()


@pytest.mark.parametrize(
    ("step", "time", "uploads"),
    [
        ("uploaded", 1, 4),  # the file lies there, and costs nothing
        ("created", 1, 3),  # before anybody noted the batch
        ("polled", 5, 3),
        ("content", 2, 3),  # when the first batch's replies are stored
    ],
)
def test_after_a_kill_at_any_step_nothing_is_sent_twice(
    server: BatchServer, path: Path, step: str, time: int, uploads: int
) -> None:
    texts = texts_of(5)
    killer = Killer(server, step, time)
    killer.process = start(server, path, texts, most=2)
    out, said = killer.process.communicate(timeout=60)
    assert (killer.process.returncode, out) == (-9, ""), said
    outcomes = run(server, path, texts, batch={"requests": 2})
    assert [say(outcomes[text]) for text in texts] == [f"Conclusion: {text}" for text in texts]
    assert sorted(server.submitted.values()) == [1] * 5
    assert len(server.uploads) == uploads
    with ReplyStore(path) as store:
        assert store.spent("sweep-1") == pytest.approx(5 * USD)
    assert server.key not in said
    for file in path.parent.iterdir():
        assert server.key.encode() not in file.read_bytes()


def test_two_processes_send_what_both_want_once(server: BatchServer, path: Path) -> None:
    texts = texts_of(9)
    server.default = Plan(polls=20)
    one = start(server, path, texts[:6], most=2)
    two = start(server, path, texts[3:], most=2)
    outcomes = told(one) | told(two)
    assert outcomes == {text: f"Conclusion: {text}" for text in texts}
    assert sorted(server.submitted.values()) == [1] * 9
    with ReplyStore(path) as store:
        assert store.spent("sweep-1") == pytest.approx(9 * USD)


def test_one_of_two_processes_is_killed_and_the_other_ends_well(
    server: BatchServer, path: Path
) -> None:
    texts = texts_of(6)
    server.default = Plan(polls=20)
    killer = Killer(server, "created", 2)
    killer.process = start(server, path, texts, most=2)
    two = start(server, path, texts, most=2)
    assert told(two) == {text: f"Conclusion: {text}" for text in texts}
    assert sorted(server.submitted.values()) == [1] * 6
    assert killer.process.wait(60) == -9
    killer.process.communicate()
