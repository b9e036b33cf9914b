"""Batch mode in processes that are killed, and in two at once: nothing is sent twice or lost."""

from __future__ import annotations

import threading
from pathlib import Path

import pytest

from src.llm.store import ReplyStore
from tests.llm.batch_jobs import Job, run, say, texts_of
from tests.llm.batch_server import BatchServer, Plan

USD = 0.00014
"""What a reply of the loopback costs: (100 * 2 + 10 * 8) / 1e6, and half of that."""


class Killer:
    """A hook that kills a process at the n-th time that a step is done, before it is answered."""

    def __init__(self, server: BatchServer, step: str, time: int) -> None:
        self._job: Job | None = None
        self._times = time
        self._step = step
        self._is_ready = threading.Event()
        server.hooks[step] = self

    def of(self, job: Job) -> Job:
        """Say which process is to be killed."""
        self._job = job
        self._is_ready.set()
        return job

    def __call__(self, server: BatchServer) -> None:
        with server.lock:
            self._times -= 1
            if self._times == 0:
                del server.hooks[self._step]
                self._is_ready.wait()
                assert self._job is not None
                self._job.kill()


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
    job = Killer(server, step, time).of(Job(server, path, texts, most=2))
    assert job.status() == -9, job.log.read_text()
    outcomes = run(server, path, texts, batch={"requests": 2})
    assert [say(outcomes[text]) for text in texts] == [f"Conclusion: {text}" for text in texts]
    assert sorted(server.submitted.values()) == [1] * 5
    assert len(server.uploads) == uploads
    with ReplyStore(path) as store:
        assert store.spent("sweep-1") == pytest.approx(5 * USD)
    for file in path.parent.iterdir():
        assert server.key.encode() not in file.read_bytes()


def test_two_processes_send_what_both_want_once(server: BatchServer, path: Path) -> None:
    def end_all(endpoint: BatchServer) -> None:
        if len(endpoint.batches) == 5:  # whoever was first has 3, and the other 2
            endpoint.default.polls = 0

    texts = texts_of(9)
    server.default = Plan(polls=10**6)
    server.hooks["created"] = end_all
    one, two = Job(server, path, texts[:6], most=2), Job(server, path, texts[3:], most=2)
    assert one.told() | two.told() == {text: f"Conclusion: {text}" for text in texts}
    assert sorted(server.submitted.values()) == [1] * 9
    with ReplyStore(path) as store:
        assert store.spent("sweep-1") == pytest.approx(9 * USD)


def test_one_of_two_processes_is_killed_and_the_other_ends_well(
    server: BatchServer, path: Path
) -> None:
    texts = texts_of(6)
    server.default = Plan(polls=3)
    killed = Killer(server, "created", 2).of(Job(server, path, texts, most=2))
    other = Job(server, path, texts, most=2)
    assert other.told() == {text: f"Conclusion: {text}" for text in texts}
    assert sorted(server.submitted.values()) == [1] * 6
    assert killed.status() == -9
