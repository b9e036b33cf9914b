"""Captions of tables and figures."""

from __future__ import annotations

from collections.abc import Sequence

from src.books.lines import is_caption, may_end_paragraph
from src.books.pdf.drafts import Draft, draft
from src.books.pdf.lines import Line
from src.books.pdf.shape import CELL_GAP, Shape

_APART = 1.3
_WIDE = 0.6  # of a column


def caption_at(lines: Sequence[Line], row: int, shape: Shape) -> tuple[Draft, int] | None:
    """Return the caption that begins at a row, and the row after it."""
    line = lines[row]
    if not is_caption(line.text):
        return None
    before = lines[row - 1] if row else None
    if before is not None and _is_inside(before, line, shape):
        return None
    end = row + 1
    while end < len(lines) and _goes_on(lines[end - 1], lines[end], shape):
        end += 1
    return draft("caption", lines[row:end], shape.page), end


def _is_inside(before: Line, line: Line, shape: Shape) -> bool:
    """Tell a caption from running text: "... is shown in / Table 9. Animacy plays no part"."""
    if not 0 < shape.step(before, line) < _APART or abs(line.size - before.size) > 0.5:
        return False
    wide = before.x1 - before.x0 > _WIDE * (shape.right - shape.left)
    flows = wide and len(before.cells(CELL_GAP)) == 1 and not may_end_paragraph(before.text)
    return flows or shape.is_full(before)


def _goes_on(before: Line, line: Line, shape: Shape) -> bool:
    if abs(line.size - before.size) > 0.05 * before.size or shape.step(before, line) > _APART:
        return False
    if len(line.cells(CELL_GAP)) > 1:
        return False
    wide = before.x1 - before.x0 > _WIDE * (shape.right - shape.left)
    return wide and not (shape.had_room(before, line) and may_end_paragraph(before.text))
