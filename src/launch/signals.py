"""Ctrl-C and SIGTERM end a run as KILLED, with what was done kept."""

from __future__ import annotations

import signal
from types import FrameType


def end_on_sigterm() -> None:
    """Turn SIGTERM into an exception, so that every run in progress is closed on the way out."""
    signal.signal(signal.SIGTERM, _terminated)


def _terminated(number: int, _frame: FrameType | None) -> None:
    raise SystemExit(128 + number)
