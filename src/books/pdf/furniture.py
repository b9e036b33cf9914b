"""The lines of a PDF's pages that may be headers, footers or page numbers."""

from __future__ import annotations

from collections.abc import Sequence

from src.books.furniture import EdgeLine
from src.books.pdf.lines import Line

_EDGE = 2  # lines at a page's top and at its bottom that are looked at
_APART = 1.5  # type sizes


def edge_lines(page: int, lines: Sequence[Line]) -> list[EdgeLine]:
    """Return the outermost lines of a page."""
    rows = sorted(lines, key=lambda line: line.y)
    found = []
    for rank, row in enumerate(rows[:_EDGE]):
        apart = len(rows) < rank + 2 or _is_apart(row, rows[rank + 1])
        found.append(EdgeLine(page, True, rank, row.y, row.size, row.text, apart))
    for rank, row in enumerate(rows[_EDGE:][::-1][:_EDGE]):
        apart = _is_apart(rows[-rank - 2], row)
        found.append(EdgeLine(page, False, rank, row.y, row.size, row.text, apart))
    return found


def _is_apart(above: Line, below: Line) -> bool:
    return below.y - above.y > _APART * max(above.size, below.size)
