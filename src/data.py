"""Bring in, list, look at and search packs of data: ``python -m src.data --help``."""

from __future__ import annotations

import argparse
import sys
from collections.abc import Sequence
from pathlib import Path

from src.commands import caches, importing, packs, searching
from src.commands.ending import run_command

_ROOT = Path(__file__).resolve().parents[1]


def main(arguments: Sequence[str] | None = None) -> int:
    """Run one subcommand; return 0, or 1 after an error, or 130 after Ctrl-C."""
    chosen = _chosen(arguments)
    return run_command(lambda: chosen.run(chosen))


def _chosen(arguments: Sequence[str] | None) -> argparse.Namespace:
    """Read the command line; KEY=VALUE may also stand behind options."""
    parser = _parser()
    words = list(sys.argv[1:] if arguments is None else arguments)
    chosen, rest = parser.parse_known_args(words)
    more = getattr(chosen, "more", None)
    # What stands behind "--" is no option, whatever it begins with.
    plain = words[words.index("--") :] if "--" in words else []
    if rest and (more is None or any(w.startswith("-") and w not in plain for w in rest)):
        parser.error(f"unrecognized arguments: {' '.join(rest)}")
    if rest and more is not None:
        more.extend(word for word in rest if word != "--")
    return chosen


def _parser() -> argparse.ArgumentParser:
    parser = argparse.ArgumentParser(
        prog="python -m src.data", description="Bring in, list, look at and search packs of data."
    )
    shared = argparse.ArgumentParser(add_help=False)
    shared.add_argument(
        "--data-dir", type=Path, default=_ROOT / "data", help="the folder with the packs"
    )
    commands = parser.add_subparsers(metavar="COMMAND", required=True)
    for subcommand in (importing, packs, caches, searching):
        subcommand.add(commands, shared)
    return parser


if __name__ == "__main__":
    sys.exit(main())
