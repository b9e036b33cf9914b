"""Cells of tables as they are meant: texts, page lists, numbers; and checks that rows share."""

from __future__ import annotations

import math
from collections.abc import Container, Iterable, Sequence
from typing import Any

from src.corpus.pages import LAST_PAGE, parse_pages
from src.corpus.problems import Problems
from src.corpus.tables import Table
from src.corpus.text import nfc
from src.errors import suggest

# What ids may stand in a table; None where that is unknown, its own table being unreadable.
Known = Container[str] | None


def rows(table: Table, columns: Sequence[str]) -> Iterable[tuple[int, tuple[Any, ...]]]:
    """Yield each row's number, from 0, and its cells in the columns named."""
    return enumerate(zip(*(table.columns[name] for name in columns), strict=True))


def string(cell: Any) -> str:
    """Return a cell as text in NFC; an empty one is ``""``."""
    return "" if cell is None else nfc(str(cell))


def pages(table: Table, index: int, cell: Any, problems: Problems) -> tuple[int, ...]:
    """Return a cell's 1-based pages, in its order; what is none is noted."""
    if isinstance(cell, list) and all(type(page) is int and 0 < page <= LAST_PAGE for page in cell):
        return tuple(cell)
    try:
        return parse_pages(", ".join(map(str, cell)) if isinstance(cell, list) else string(cell))
    except ValueError as error:
        problems.add(table.where(index), str(error))
        return ()


def whole(cell: Any) -> int | None:
    """Return a whole number from 0 on; ``None`` where a cell is none."""
    if isinstance(cell, str):
        return int(cell) if cell.isascii() and cell.isdigit() and len(cell) < 16 else None
    return cell if type(cell) is int and cell >= 0 else None


def finite(cell: Any) -> float | None:
    """Return a finite number; ``None`` where a cell is none."""
    try:
        number = float(cell)
    except (TypeError, ValueError):
        return None
    return number if math.isfinite(number) else None


def new_id(table: Table, index: int, key: str, found: Container[str], problems: Problems) -> None:
    """Note an id that is empty, or that an earlier row has."""
    if not key:
        problems.add(table.where(index), "no id")
    elif key in found:
        problems.add(table.where(index), f"id '{key}' stands there twice")


def known(table: Table, index: int, what: str, key: str, there: Known, problems: Problems) -> None:
    """Note an id that its own table lacks; ``what`` says what it is the id of."""
    if there is not None and key not in there:
        problems.add(table.where(index), f"unknown {what} '{key}'")


def misspelt(table: Table, fields: Sequence[str], problems: Problems) -> None:
    """Note columns that look like a field that is not there: it would stay empty."""
    absent = [name for name in fields if name not in table.columns]
    for name in table.columns:
        hint = "" if name in fields else suggest(name, absent)
        if hint:
            problems.add(table.file, f"unknown column '{name}'.{hint}")
