"""Ending a process in which a native server still computes."""

from __future__ import annotations

import atexit
import ctypes
from functools import cache
from typing import Any


@cache
def end_without_teardown() -> None:
    """Make this process, and those forked from it, end without the teardown of native libraries.

    A library's threads are still at work when the C runtime takes its globals down at exit: that
    ends in a segmentation fault, or waits for the reply to be finished. Python's own exit handlers
    run as ever, and the exit status stays. Where the C library cannot do this (it is glibc's
    ``on_exit``), nothing is changed.
    """
    atexit.register(_skip_exit_handlers)


def keep_for_ever(thing: Any) -> None:
    """Keep an object from being destroyed when the interpreter takes its modules down."""
    ctypes.pythonapi.Py_IncRef(ctypes.py_object(thing))


def _skip_exit_handlers() -> None:
    libc = ctypes.CDLL(None)
    if not hasattr(libc, "on_exit"):
        return
    # Called with the exit status, and registered last, it runs before all other C handlers. What
    # they would have flushed is flushed here.
    libc.fflush(None)
    libc.on_exit(ctypes.cast(libc._exit, ctypes.c_void_p), None)
