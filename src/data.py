"""Bring in, list and look at packs of data: ``python -m src.data --help``."""

from __future__ import annotations

import argparse
import io
import os
import sys
from collections.abc import Sequence
from pathlib import Path
from typing import TYPE_CHECKING

from src.errors import GrambenchError

if TYPE_CHECKING:
    from omegaconf import DictConfig
    from rich.console import Console

    from src.importers.landing import Outcome

_ROOT = Path(__file__).resolve().parents[1]
# Wide enough that no table is cut where the output goes into a file or a pipe.
_NO_EDGE = 100_000
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
    outcome = import_mtob(
        chosen.source,
        chosen.data_dir / name,
        skip_invalid=chosen.skip_invalid,
        replace=chosen.replace,
    )
    print("\n".join(_told(outcome)))


def _told(outcome: Outcome) -> list[str]:
    pack, summary = outcome.pack, outcome.report.summary()
    counts = (
        f"{len(pack.grammars)} grammars, {len(pack.paragraphs)} paragraphs, "
        f"{len(pack.recorded)} score sets, queries for {len(pack.queries)} features"
    )
    if outcome.verdict == "same":
        return [f"The pack '{pack.name}' holds the same already and is left as it is: {counts}."]
    did = {"new": "Imported", "replaced": "Replaced"}[outcome.verdict]
    lines = [f"{did} the pack '{pack.name}': {counts}.", f"It lies in {pack.path}."]
    if summary:
        report = pack.path / "import_report.csv"
        lines += [f"Noted on the way, row by row in {report}:", *(f"  {one}" for one in summary)]
    return lines


def _list(chosen: argparse.Namespace) -> None:
    from src.corpus.describing import PACK_HEADER, pack_row
    from src.corpus.names import pack_names
    from src.corpus.pack import load_pack

    rows, faults = [], []
    for name in pack_names(chosen.data_dir):
        try:
            rows.append(pack_row(load_pack(chosen.data_dir / name)))
        except GrambenchError as error:
            rows.append([name, *["-"] * (len(PACK_HEADER) - 3), "(broken, see below)", "-"])
            faults.append(str(error))
    if not rows:
        print(f"There are no packs in {chosen.data_dir}; `python -m src.data import` makes them.")
        return
    _print_table(_console(), PACK_HEADER, rows)
    for fault in faults:
        print(f"\n{fault}")


def _show(chosen: argparse.Namespace) -> None:
    from src.corpus import describing
    from src.corpus.names import find_pack
    from src.corpus.pack import load_pack

    pack = load_pack(find_pack(chosen.data_dir, chosen.name))
    console = _console()
    facts = describing.pack_facts(pack)
    width = max(len(name) for name, _ in facts)
    for name, value in facts:
        print(f"{name:<{width}}  {value}")
    tables = [("Grammars", describing.grammar_table(pack))]
    for feature in pack.features():
        tables.append((f"Grades for {feature}", describing.grade_table(pack, feature)))
    tables.append(("Recorded scores", describing.score_table(pack)))
    tables.append(("Queries", describing.query_table(pack)))
    for title, (header, rows) in tables:
        if rows:
            print(f"\n{title}")
            _print_table(console, header, rows)


def _embed(chosen: argparse.Namespace) -> None:
    from hydra.errors import HydraException
    from omegaconf.errors import OmegaConfBaseException

    from src.corpus.names import find_pack
    from src.corpus.pack import load_pack

    pack = load_pack(find_pack(chosen.data_dir, chosen.name))
    try:
        cfg = _compose(chosen)
        from src.retrieval.embedding import encode_documents
        from src.tasks.components import build

        encoded = encode_documents(build(cfg.reranker), list(pack.paragraphs.values()))
        vectors = cfg.paths.vectors
    except (HydraException, OmegaConfBaseException) as error:
        if isinstance(error.__cause__, GrambenchError):
            raise error.__cause__ from error
        raise GrambenchError(str(error)) from error
    print(
        f"{encoded} texts of {len(pack.paragraphs)} paragraphs of '{pack.name}' encoded with "
        f"{chosen.reranker}. The vectors of all of them lie in {vectors}."
    )


def _compose(chosen: argparse.Namespace) -> DictConfig:
    """Compose the config that ``src.run`` would have for this pack and reranker."""
    from hydra import compose, initialize_config_dir

    from src.launch import resolvers, schema
    from src.launch.choices import CONF, unknown_choice

    resolvers.register()
    schema.register()
    # A pack needs no YAML of its own to be embedded.
    data = "data" if (CONF / "data" / f"{chosen.name}.yaml").is_file() else "data.name"
    folder = str(chosen.data_dir.absolute()).replace("\\", "\\\\").replace("'", "\\'")
    overrides = [
        f"{data}={chosen.name}",
        f"reranker={chosen.reranker}",
        f"paths.data='{folder}'",
        *chosen.overrides,
    ]
    if said := unknown_choice(overrides):
        raise GrambenchError(said)
    with initialize_config_dir(str(CONF.resolve()), version_base="1.3"):
        return compose("config", overrides)


def _console() -> Console:
    from rich.console import Console

    console = Console(markup=False, emoji=False, highlight=False)
    if not console.is_terminal:
        console.width = _NO_EDGE
    return console


def _print_table(console: Console, header: Sequence[str], rows: Sequence[Sequence[str]]) -> None:
    from rich.table import Table

    table = Table(box=None, pad_edge=False, header_style="bold")
    for position, name in enumerate(header):
        numbers = all(row[position].isdigit() or row[position] == "-" for row in rows)
        table.add_column(name, justify="right" if numbers else "left", overflow="fold")
    for row in rows:
        table.add_row(*row)
    # Captured, since rich has its own way of ending when a pipe breaks.
    with console.capture() as captured:
        console.print(table)
    print(captured.get(), end="")


if __name__ == "__main__":
    sys.exit(main())
