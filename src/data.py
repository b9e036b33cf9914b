"""Bring in, list and look at packs of data: ``python -m src.data --help``."""

from __future__ import annotations

import argparse
import io
import os
import sys
from collections.abc import Sequence
from pathlib import Path

from src.errors import GrambenchError

_ROOT = Path(__file__).resolve().parents[1]
_INTERRUPTED = 130


def main(arguments: Sequence[str] | None = None) -> int:
    """Run one subcommand; return 0, or 1 after an error, or 130 after Ctrl-C."""
    chosen = _parser().parse_args(arguments)
    if isinstance(sys.stdout, io.TextIOWrapper):
        # A terminal that cannot show a language's name shows its code points.
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
        prog="python -m src.data", description="Bring in, list and look at packs of data."
    )
    shared = argparse.ArgumentParser(add_help=False)
    shared.add_argument(
        "--data-dir", type=Path, default=_ROOT / "data", help="the folder with the packs"
    )
    commands = parser.add_subparsers(metavar="COMMAND", required=True)
    _add_import(commands, shared)
    listing = commands.add_parser("list", parents=[shared], help="list the packs")
    listing.set_defaults(run=_list)
    show = commands.add_parser("show", parents=[shared], help="show what a pack holds")
    show.add_argument("name", metavar="NAME", help="a pack")
    show.set_defaults(run=_show)
    embed = commands.add_parser(
        "embed", parents=[shared], help="fill the cache with a model's vectors of all paragraphs"
    )
    embed.add_argument("name", metavar="NAME", help="a pack")
    embed.add_argument("reranker", metavar="RERANKER", help="one of conf/reranker/, e.g. minilm")
    embed.add_argument(
        "overrides", metavar="KEY=VALUE", nargs="*", help="as for src.run, e.g. device=cpu"
    )
    embed.set_defaults(run=_embed)
    return parser


def _add_import(
    commands: argparse._SubParsersAction[argparse.ArgumentParser], shared: argparse.ArgumentParser
) -> None:
    command = commands.add_parser(
        "import", parents=[shared], help="make a pack from somebody else's files"
    )
    command.add_argument(
        "importer",
        metavar="IMPORTER",
        choices=["mtob"],
        help="what the files are: mtob (a clone of from-MTEB-to-MTOB)",
    )
    command.add_argument("source", metavar="SRC", type=Path, help="the folder with the files")
    command.add_argument("--name", help="the pack's name (default: the importer's)")
    command.add_argument(
        "--skip-invalid",
        action="store_true",
        help="leave out grammars and score files that have errors, instead of stopping",
    )
    command.add_argument(
        "--replace", action="store_true", help="overwrite a pack of that name, whatever it holds"
    )
    command.set_defaults(run=_import)


def _import(chosen: argparse.Namespace) -> None:
    from src.corpus.names import check_name
    from src.importers.mtob import import_mtob

    name = check_name(chosen.importer if chosen.name is None else chosen.name)
    landed = import_mtob(
        chosen.source,
        chosen.data_dir / name,
        skip_invalid=chosen.skip_invalid,
        replace=chosen.replace,
    )
    print("\n".join(landed.told()))


def _list(chosen: argparse.Namespace) -> None:
    from src.launch.tables import print_packs

    print_packs(chosen.data_dir)


def _show(chosen: argparse.Namespace) -> None:
    from src.corpus.names import find_pack
    from src.corpus.pack import load_pack
    from src.launch.tables import print_pack

    print_pack(load_pack(find_pack(chosen.data_dir, chosen.name)))


def _embed(chosen: argparse.Namespace) -> None:
    from src.launch.embedding import embed

    print(embed(chosen.data_dir, chosen.name, chosen.reranker, chosen.overrides).told())


if __name__ == "__main__":
    sys.exit(main())
