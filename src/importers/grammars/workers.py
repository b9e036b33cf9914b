"""Processes that work in parallel; one that dies takes nothing with it but its own task."""

from __future__ import annotations

import contextlib
import multiprocessing
import os
import signal
import threading
from collections import deque
from collections.abc import Callable, Iterator, Sequence
from multiprocessing.connection import Connection, wait
from typing import Generic, TypeVar

Task = TypeVar("Task")
Done = TypeVar("Done")

# Fresh processes: a forked one would inherit threads' locks and all of our memory.
_CONTEXT = multiprocessing.get_context("spawn")
_WAIT_FOR_END = 5.0


class Died(Exception):
    """A process ended in the midst of its task; the message says how."""


class _Worker(Generic[Task, Done]):
    def __init__(self, work: Callable[[Task], Done]) -> None:
        self.ours, theirs = _CONTEXT.Pipe()
        self.process = _CONTEXT.Process(target=_serve, args=(theirs, work), daemon=True)
        self.process.start()
        # Only the child holds its end now, so that we are told when it dies.
        theirs.close()
        self.task: Task | None = None

    def give(self, task: Task) -> None:
        self.task = task
        # Where it has died before it was asked, taking its answer tells.
        with contextlib.suppress(OSError):
            self.ours.send(task)

    def take(self) -> Done | Died:
        try:
            answer: Done = self.ours.recv()
            return answer
        except (EOFError, OSError):
            self.process.join(_WAIT_FOR_END)
            return Died(_how(self.process.exitcode))

    def stop(self) -> None:
        self.ours.close()
        self.process.terminate()
        self.process.join(_WAIT_FOR_END)
        if self.process.is_alive():
            self.process.kill()
            self.process.join()


def in_parallel(
    work: Callable[[Task], Done], tasks: Sequence[Task], jobs: int
) -> Iterator[tuple[Task, Done | Died]]:
    """Yield each task with what came of it, as they are finished; they begin in the given order.

    ``work`` is a function of a module that lets no exception out. Where a process dies, its task
    comes with a :class:`Died`, and another process takes its place. When the caller stops
    early, Ctrl-C included, the processes are ended.
    """
    waiting = deque(tasks)
    workers: dict[Connection, _Worker[Task, Done]] = {}
    try:
        while waiting or workers:
            while waiting and len(workers) < jobs:
                _start(work, waiting.popleft(), workers)
            for ready in wait(list(workers)):
                worker = workers[ready]  # type: ignore[index]
                task, answer = worker.task, worker.take()
                if not isinstance(answer, Died) and waiting:
                    worker.give(waiting.popleft())
                else:
                    del workers[worker.ours]
                    worker.stop()
                yield task, answer  # type: ignore[misc]
    finally:
        for worker in workers.values():
            worker.stop()


def _start(
    work: Callable[[Task], Done], task: Task, workers: dict[Connection, _Worker[Task, Done]]
) -> None:
    worker = _Worker(work)
    workers[worker.ours] = worker
    worker.give(task)


def _serve(theirs: Connection, work: Callable[[Task], Done]) -> None:
    # Ctrl-C goes to all processes of the terminal: what becomes of us, our parent says.
    signal.signal(signal.SIGINT, signal.SIG_IGN)
    threading.Thread(target=_end_with_parent, daemon=True).start()
    with contextlib.suppress(EOFError, BrokenPipeError):
        while True:
            theirs.send(work(theirs.recv()))


def _end_with_parent() -> None:
    """End this process at once when its parent was killed: nobody waits for its answer."""
    if (parent := multiprocessing.parent_process()) is not None:
        parent.join()
        os._exit(1)


def _how(code: int | None) -> str:
    if code is None or code >= 0:
        return f"the process that read it ended with status {code}"
    with contextlib.suppress(ValueError):
        name = signal.Signals(-code).name
        hint = ": there may not have been enough memory" if name == "SIGKILL" else ""
        return f"the process that read it was ended by {name}{hint}"
    return f"the process that read it was ended by signal {-code}"
