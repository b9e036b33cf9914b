"""Ctrl-C and SIGTERM end a run as KILLED, with what was done kept."""

from __future__ import annotations

import signal
from types import FrameType

_received: list[int] = []


def end_on_signals() -> None:
    """Turn both into exceptions, so that every run in progress is closed on the way out."""
    _received.clear()
    signal.signal(signal.SIGTERM, _interrupted)
    if signal.getsignal(signal.SIGINT) is not signal.SIG_IGN:
        signal.signal(signal.SIGINT, _interrupted)


def end_if_interrupted() -> None:
    """Raise again what was swallowed: by a finalizer, or by a library as an error of its own."""
    if _received:
        number = _received[0]
        raise KeyboardInterrupt if number == signal.SIGINT else SystemExit(128 + number)


def _interrupted(number: int, _frame: FrameType | None) -> None:
    _received.append(number)
    end_if_interrupted()
