"""Ctrl-C and SIGTERM end a run as KILLED, with what was done kept."""

from __future__ import annotations

import signal
from types import FrameType

_received: list[int] = []


def end_on_sigterm() -> None:
    """Turn SIGTERM into an exception, so that every run in progress is closed on the way out."""
    _received.clear()
    signal.signal(signal.SIGTERM, _terminated)


def end_if_terminated() -> None:
    """Raise again what a library swallowed: some turn any exception into one of their own."""
    if _received:
        raise SystemExit(128 + _received[0])


def _terminated(number: int, _frame: FrameType | None) -> None:
    _received.append(number)
    end_if_terminated()
