"""Packs as tables in the terminal, and uncut where the output goes into a file or a pipe."""

from __future__ import annotations

from collections.abc import Sequence
from pathlib import Path
from typing import TYPE_CHECKING

from src.corpus import describing
from src.corpus.names import pack_names
from src.corpus.pack import Pack, load_pack
from src.errors import GrambenchError

if TYPE_CHECKING:
    from rich.console import Console

# Wide enough that no table is cut where there is no terminal.
_NO_EDGE = 100_000


def print_packs(data_dir: Path) -> None:
    """Print a line for every pack in a folder; broken ones too, with their faults below."""
    rows, faults = [], []
    for name in pack_names(data_dir):
        try:
            rows.append(describing.pack_row(load_pack(data_dir / name)))
        except GrambenchError as error:
            unknown = ["-"] * (len(describing.PACK_HEADER) - 3)
            rows.append([name, *unknown, "(broken, see below)", "-"])
            faults.append(str(error))
    if not rows:
        print(f"There are no packs in {data_dir}; `python -m src.data import` makes them.")
        return
    _print_table(_console(), describing.PACK_HEADER, rows)
    for fault in faults:
        print(f"\n{fault}")


def print_pack(pack: Pack) -> None:
    """Print what a pack holds: its facts, grammars, gold pages, grades, scores and queries."""
    facts = describing.pack_facts(pack)
    width = max(len(name) for name, _ in facts)
    for name, value in facts:
        print(f"{name:<{width}}  {value}")
    tables = [
        ("Grammars", describing.grammar_table(pack)),
        ("Whole grammars", describing.document_table(pack)),
        ("Gold pages and candidates", describing.retrieval_table(pack)),
    ]
    for feature in pack.features():
        tables.append((f"Grades for {feature}", describing.grade_table(pack, feature)))
    tables.append(("Recorded scores", describing.score_table(pack)))
    tables.append(("Queries", describing.query_table(pack)))
    console = _console()
    for title, (header, rows) in tables:
        if rows:
            print(f"\n{title}")
            _print_table(console, header, rows)


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
