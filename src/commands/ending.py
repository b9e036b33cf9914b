"""How the commands end: what they print is shown, errors are told in a line, and a status."""

from __future__ import annotations

import io
import os
import sys
from collections.abc import Callable

from src.errors import GrambenchError

_INTERRUPTED = 130


def run_command(command: Callable[[], None]) -> int:
    """Run a command; return 0, or 1 after an error, or 130 after Ctrl-C."""
    if isinstance(sys.stdout, io.TextIOWrapper):
        # A terminal that cannot show a language's name shows its code points.
        sys.stdout.reconfigure(errors="backslashreplace")
    try:
        command()
        sys.stdout.flush()
    except (GrambenchError, ModuleNotFoundError, OSError) as error:
        if isinstance(error, BrokenPipeError):
            # Whoever read our output has seen enough; Python must not write more at its end.
            os.dup2(os.open(os.devnull, os.O_WRONLY), sys.stdout.fileno())
            return 0
        print(f"error: {_said(error)}", file=sys.stderr)
        return 1
    except KeyboardInterrupt:
        print("Interrupted.", file=sys.stderr)
        return _INTERRUPTED
    return 0


def _said(error: Exception) -> str:
    if isinstance(error, ModuleNotFoundError):
        return f"The package '{error.name}' is not installed."
    return str(error)
