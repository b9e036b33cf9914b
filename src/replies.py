"""Look at, hand on and tidy what LLMs replied: ``python -m src.replies --help``."""

from __future__ import annotations

import argparse
import io
import os
import sys
from collections.abc import Sequence
from pathlib import Path

from src.commands import replies
from src.errors import GrambenchError

_INTERRUPTED = 130


def main(arguments: Sequence[str] | None = None) -> int:
    """Run one subcommand; return 0, or 1 after an error, or 130 after Ctrl-C."""
    chosen = _parser().parse_args(arguments)
    if isinstance(sys.stdout, io.TextIOWrapper):
        # A terminal that cannot show a character shows its code point.
        sys.stdout.reconfigure(errors="backslashreplace")
    try:
        chosen.run(chosen)
        sys.stdout.flush()
    except GrambenchError as error:
        print(f"error: {error}", file=sys.stderr)
        return 1
    except ModuleNotFoundError as error:
        print(f"error: The package '{error.name}' is not installed.", file=sys.stderr)
        return 1
    except BrokenPipeError:
        # Whoever read our output has seen enough; Python must not try to write more at its end.
        os.dup2(os.open(os.devnull, os.O_WRONLY), sys.stdout.fileno())
    except OSError as error:
        print(f"error: {error}", file=sys.stderr)
        return 1
    except KeyboardInterrupt:
        print("Interrupted.", file=sys.stderr)
        return _INTERRUPTED
    return 0


def _parser() -> argparse.ArgumentParser:
    parser = argparse.ArgumentParser(
        prog="python -m src.replies", description="Look at, hand on and tidy what LLMs replied."
    )
    shared = argparse.ArgumentParser(add_help=False)
    shared.add_argument(
        "--store", metavar="FILE", type=Path, help="the reply store (default: paths.replies)"
    )
    replies.add(parser.add_subparsers(metavar="COMMAND", required=True), shared)
    return parser


if __name__ == "__main__":
    sys.exit(main())
