"""Packs as tables in the terminal, and uncut where the output goes into a file or a pipe."""

from __future__ import annotations

from collections.abc import Sequence
from pathlib import Path
from typing import TYPE_CHECKING, Literal

from src.corpus import describing
from src.corpus.names import pack_names
from src.corpus.pack import Pack, load_pack
from src.errors import GrambenchError

if TYPE_CHECKING:
    from rich.console import Console

# Wide enough that no table is cut where there is no terminal.
_NO_EDGE = 100_000
_GAP = 2
_LONGEST_WORD = 24  # a longer one is folded


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
    """Print what a pack holds: its facts, and of each table what is in it."""
    facts = describing.pack_facts(pack)
    width = max(len(name) for name, _ in facts)
    for name, value in facts:
        print(f"{name:<{width}}  {value}")
    tables = [
        ("Grammars", describing.grammar_table(pack)),
        ("Whole grammars", describing.document_table(pack)),
        ("Quality of their text", describing.quality_table(pack)),
        ("Gold pages and candidates", describing.retrieval_table(pack)),
        ("Gold values", describing.value_table(pack)),
    ]
    for feature in pack.features():
        tables.append((f"Grades for {feature}", describing.grade_table(pack, feature)))
    tables.append(("Recorded scores", describing.score_table(pack)))
    tables.append(("Queries", describing.query_table(pack)))
    tables.append(("Recorded replies", describing.reply_table(pack)))
    tables.append(("Recorded prompts", describing.prompt_table(pack)))
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
    columns = [[name, *cells] for name, *cells in zip(header, *rows, strict=True)]
    for name, *cells in columns:
        numbers = all(cell.replace(".", "", 1).isdigit() or cell == "-" for cell in cells)
        justify: Literal["right", "left"] = "right" if numbers else "left"
        table.add_column(name, justify=justify, overflow="fold", no_wrap=not _is_text(cells))
    for row in rows:
        table.add_row(*row)
    # A terminal that is too narrow breaks whole lines; rich would break numbers and words.
    console.width = max(console.width, _least_width(columns))
    # Captured, since rich has its own way of ending when a pipe breaks.
    with console.capture() as captured:
        console.print(table)
    print(captured.get(), end="")


def _is_text(cells: Sequence[str]) -> bool:
    return any(" " in cell.strip() for cell in cells)


def _least_width(columns: Sequence[Sequence[str]]) -> int:
    """Return the width in which texts break between words only, and all else not at all."""
    texts = [column for column in columns if _is_text(column[1:])]
    words = [len(word) for column in texts for cell in column for word in cell.split()]
    fixed = [max(map(len, column)) for column in columns if column not in texts]
    # rich makes texts equally narrow
    longest = min(max(words, default=0), _LONGEST_WORD)
    return sum(fixed) + longest * len(texts) + _GAP * len(columns)
