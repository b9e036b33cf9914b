"""Look at, hand on and tidy what LLMs replied: ``python -m src.replies --help``."""

from __future__ import annotations

import argparse
import sys
from collections.abc import Sequence
from pathlib import Path

from src.commands import replies
from src.commands.ending import run_command


def main(arguments: Sequence[str] | None = None) -> int:
    """Run one subcommand; return 0, or 1 after an error, or 130 after Ctrl-C."""
    chosen = _parser().parse_args(arguments)
    return run_command(lambda: chosen.run(chosen))


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
