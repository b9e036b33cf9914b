"""Tables: lines of cells that stand below each other, and tables of contents."""

from __future__ import annotations

from collections.abc import Sequence

from src.books.lines import (
    are_page_numbers,
    heading_number,
    is_caption,
    is_example_number,
    is_page_number,
    may_end_paragraph,
    without_leaders,
)
from src.books.pdf.drafts import Draft, draft
from src.books.pdf.grid import heads, table_rows
from src.books.pdf.lines import Line, Word
from src.books.pdf.shape import CELL_GAP, Shape

_FURTHEST = 2.6  # line spacings between two rows
_CLOSE = 1.5
_SHORT = 0.5  # of a column
_SINGLE_CELLS = 5
_NEAR = 3.0  # points
_BESIDE = 0.6  # type sizes that are between two columns at least
# A full line that begins further in is no running text, but goes on in the last column.
_INDENT = 4.0  # type sizes


def table_at(lines: Sequence[Line], row: int, shape: Shape) -> tuple[Draft, int] | None:
    """Return the table that begins at a row, and the row after it."""
    if not _begins(lines, row, shape):
        return None
    end = row + 1
    while end < len(lines) and _goes_on(lines, end, shape):
        end += 1
    rows = table_rows([_cells(line) for line in lines[row:end]], _BESIDE * shape.size)
    return draft("table", lines[row:end], shape.page, rows), end


def contents_at(lines: Sequence[Line], row: int, shape: Shape) -> tuple[Draft, int] | None:
    """Return the lines of a table of contents that begin at a row: title, number of the page."""
    rows: list[str] = []
    end = row
    while end < len(lines) and (found := _entry(lines[end], shape)):
        rows.append(found)
        end += 1
    dotted = any(without_leaders(line.text) for line in lines[row:end])
    if len(rows) < 2 or not dotted:
        return None
    return draft("table", lines[row:end], shape.page, rows), end


def _entry(line: Line, shape: Shape) -> str:
    """Return an entry of a table of contents as a row of a table; ``""`` where it is none."""
    if parts := without_leaders(line.text):
        title, number = (part.strip() for part in parts)
        return f"{title}\t{number}" if are_page_numbers(number) or not number else ""
    words = line.words
    last = words[-1]
    if len(words) > 2 and words[-2].text == ".":
        # Where there is room for one dot only.
        words = [*words[:-2], last]
    if len(words) > 1 and is_page_number(last.text) and shape.is_full(line, room=0.5):
        wide = last.x0 - words[-2].x1 > CELL_GAP * line.size
        return f"{_text(words[:-1])}\t{last.text}" if wide else ""
    return ""


def _cells(line: Line) -> list[list[Word]]:
    return line.cells(CELL_GAP)


def _text(words: Sequence[Word]) -> str:
    return Line(list(words), 0.0, 0.0).text


def _begins(lines: Sequence[Line], row: int, shape: Shape) -> bool:
    if row + 1 >= len(lines) or is_example_number(lines[row].words[0].text):
        return False
    if _is_group_title(lines, row, shape) and _begins(lines, row + 1, shape):
        return True
    first, second = _cells(lines[row]), _cells(lines[row + 1])
    if len(first) < 2 or shape.step(lines[row], lines[row + 1]) > _FURTHEST:
        return False
    if _is_group_title(lines, row + 1, shape):
        second = _cells(lines[row + 2])
    return len(second) > 1 and (
        _aligned(first, second) or heads(first, second, _BESIDE * shape.size)
    )


def _goes_on(lines: Sequence[Line], row: int, shape: Shape) -> bool:
    """Tell whether a line is a row: it has cells, or stands close between two that have."""
    before, line = lines[row - 1], lines[row]
    step = shape.step(before, line)
    if not 0 < step < _FURTHEST or is_example_number(line.words[0].text):
        return False
    if _is_title(line, before, shape):
        return False
    if len(_cells(line)) > 1 or _is_group_title(lines, row, shape):
        return True
    return _bridges(lines, row, shape)


def _is_group_title(lines: Sequence[Line], row: int, shape: Shape) -> bool:
    """Tell whether a short line is the title of the rows below, which begin where it does."""
    if row + 1 >= len(lines):
        return False
    line, after = lines[row : row + 2]
    return (
        len(_cells(line)) == 1 < len(_cells(after))
        and abs(after.x0 - line.x0) < _NEAR
        and 0 < shape.step(line, after) < _CLOSE
        and line.x1 - line.x0 < _SHORT * (shape.right - shape.left)
        and not may_end_paragraph(line.text)
        and not is_caption(line.text)
        and not is_example_number(after.words[0].text)
    )


def _is_title(line: Line, before: Line, shape: Shape) -> bool:
    """Tell a heading, which may have a gap after its number, from a row."""
    if shape.is_large(line) and not shape.is_large(before):
        return True
    return line.bold and not before.bold and heading_number(line.text) is not None


def _bridges(lines: Sequence[Line], row: int, shape: Shape) -> bool:
    """Tell whether single cells (over all columns, or alone in their row) lead on or end it."""
    for end in range(row, min(row + _SINGLE_CELLS, len(lines))):
        step = shape.step(lines[end - 1], lines[end])
        if end > row and not 0 < step < _CLOSE:
            return True
        if not 0 < step < _CLOSE:
            return False
        if len(_cells(lines[end])) > 1:
            return True
        if shape.is_full(lines[end]) and shape.indent(lines[end]) < _INDENT:
            return False
    return row + _SINGLE_CELLS >= len(lines)


def _aligned(first: list[list[Word]], second: list[list[Word]]) -> bool:
    """Tell whether cells (but for the first) stand below each other: left, right or centred."""
    for cell in first[1:]:
        for other in second[1:]:
            left, right = cell[0].x0 - other[0].x0, cell[-1].x1 - other[-1].x1
            if min(abs(left), abs(right), abs(left + right) / 2) < _NEAR:
                return True
    return False
