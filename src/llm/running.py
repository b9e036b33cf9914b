"""Asynchronous work behind a plain function call."""

from __future__ import annotations

import asyncio
import threading
from collections.abc import Callable, Coroutine
from concurrent.futures import Future
from typing import Any, TypeVar

T = TypeVar("T")


def run_apart(work: Callable[[], Coroutine[Any, Any, T]]) -> T:
    """Return what ``work()`` comes to, in an event loop of a thread of its own.

    Signals reach only the main thread: what arrives is stored undisturbed, and an exception that
    interrupts the wait cancels the work, which may still tidy up. A notebook, whose own loop runs,
    can call this too.
    """
    begun = threading.Event()
    cancel: list[Callable[[], object]] = []
    outcome: Future[T] = Future()

    async def main() -> T:
        loop, task = asyncio.get_running_loop(), asyncio.current_task()
        assert task is not None
        cancel.append(lambda: loop.call_soon_threadsafe(task.cancel))
        begun.set()
        return await work()

    def thread() -> None:
        try:
            outcome.set_result(asyncio.run(main()))
        except BaseException as error:
            begun.set()
            outcome.set_exception(error)

    worker = threading.Thread(target=thread, name="llm", daemon=True)
    worker.start()
    try:
        return outcome.result()
    finally:
        if not outcome.done():
            begun.wait()
            if cancel:
                cancel[0]()
        worker.join()
