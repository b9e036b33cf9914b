"""Columns of a table: which cell stands in which, so that an empty one leaves an empty field."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass, field
from itertools import pairwise

from src.books.pdf.lines import Line, Word

_OVERLAP = 0.5  # points
# A table has a row with nearly all of its columns; lines that only look like one have not.
_MOST_EMPTY = 2

Cell = tuple[float, float, str]


@dataclass(slots=True)
class _Column:
    """A stripe of the page with the cells in it, by row."""

    x0: float
    x1: float
    cells: dict[int, str] = field(default_factory=dict)

    def overlap(self, cell: Cell) -> float:
        """Return how far a cell reaches over it; below 0, how far it is off."""
        return min(self.x1, cell[1]) - max(self.x0, cell[0])

    def meets(self, cell: Cell) -> bool:
        return self.overlap(cell) > _OVERLAP

    def take(self, row: int, cell: Cell) -> None:
        """Take in a cell; two of a row are parts of one that a wide blank has parted."""
        self.cells[row] = f"{self.cells[row]} {cell[2]}" if row in self.cells else cell[2]


def table_rows(rows: Sequence[Sequence[Sequence[Word]]], gap: float) -> list[str]:
    """Return rows of cells (of words) with a tabulator between columns, none after the last cell.

    Cells that stand over each other make a column; columns are at least ``gap`` points apart. A
    cell that reaches over several, as a title over two columns does, counts for the first. Where
    the columns cannot be told, cells just follow each other.
    """
    cells = [[_cell(words) for words in row] for row in rows]
    columns = _columns(cells, gap)
    most = max(map(len, cells), default=0)
    if len(columns) > most + _MOST_EMPTY:
        return ["\t".join(cell[2] for cell in row) for row in cells]
    for number, row in enumerate(cells):
        for cell in row:
            near = _near(columns, cell, gap)
            near[0].take(number, cell)
    return [
        "\t".join(column.cells.get(number, "") for column in columns).rstrip("\t")
        for number in range(len(cells))
    ]


def heads(first: Sequence[Sequence[Word]], second: Sequence[Sequence[Word]], gap: float) -> bool:
    """Tell whether the cells of a row are titles over those of the next: one over two or more."""
    below = [_Column(cell[0], cell[1]) for cell in map(_cell, second)]
    over = [len(_near(below, _cell(words), gap)) for words in first]
    return min(over) > 0 and max(over) > 1


def _cell(words: Sequence[Word]) -> Cell:
    x0, x1 = words[0].x0, max(word.x1 for word in words)
    return x0, max(x1, x0 + 3 * _OVERLAP), Line(list(words), 0.0, 0.0).text


def _near(columns: Sequence[_Column], cell: Cell, gap: float) -> list[_Column]:
    """Return the columns that a cell stands in, or else those it is too near to be beside."""
    return [column for column in columns if column.meets(cell)] or [
        column for column in columns if column.overlap(cell) > -gap
    ]


def _columns(rows: Sequence[Sequence[Cell]], gap: float) -> list[_Column]:
    """Return the columns from the left; the rows with the most cells come first to make them."""
    columns: list[_Column] = []
    over: list[Cell] = []
    for row in sorted(rows, key=len, reverse=True):
        for cell in row:
            near = _near(columns, cell, gap)
            if len(near) > 1:
                over.append(cell)
            elif near:
                near[0].x0, near[0].x1 = min(near[0].x0, cell[0]), max(near[0].x1, cell[1])
            else:
                columns.append(_Column(cell[0], cell[1]))
    return _joined(sorted(columns, key=lambda column: column.x0), rows, over)


def _joined(
    columns: list[_Column], rows: Sequence[Sequence[Cell]], over: Sequence[Cell]
) -> list[_Column]:
    """Join neighbours that are no two columns.

    They are one where more cells reach over both than rows have them apart: a blank has parted a
    cell. What has a cell in the first row alone is a title that stands between two columns.
    """
    found = columns[:1]
    for before, column in pairwise(columns):
        crossing = sum(before.meets(cell) and column.meets(cell) for cell in over)
        met = [(_has(before, row), _has(column, row)) for row in rows]
        apart = sum(both == (True, True) for both in met) - crossing
        title = met[0] == (False, True) and not any(has for _, has in met[1:])
        if crossing > apart or title:
            found[-1].x1 = max(found[-1].x1, column.x1)
        else:
            found.append(column)
    return found


def _has(column: _Column, row: Sequence[Cell]) -> bool:
    return any(map(column.meets, row))
