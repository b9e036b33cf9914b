"""Running text: paragraphs and items of lists."""

from __future__ import annotations

from collections.abc import Callable, Sequence

from src.books.lines import BULLETS, is_label, may_end_paragraph
from src.books.pdf.drafts import Draft, draft
from src.books.pdf.lines import Line
from src.books.pdf.shape import Shape

_APART = 1.35
# After a line that is not full, less white space parts paragraphs.
_APART_AFTER_SHORT = 1.15
_INDENT = 0.6
_NEAR = 2.0  # points

Begins = Callable[[int], bool]


def item_at(
    lines: Sequence[Line], row: int, shape: Shape, begins: Begins
) -> tuple[Draft, int] | None:
    """Return the item of a list that begins at a row, with its bullet, and the row after it."""
    line = lines[row]
    if len(line.words) < 2 or not _begins_item(lines, row, shape):
        return None
    start = line.words[1].x0
    end = row + 1
    while end < len(lines) and not begins(end):
        step = shape.step(lines[end - 1], lines[end])
        if not 0 < step < _APART or abs(lines[end].x0 - start) > _NEAR:
            break
        end += 1
    return draft("item", lines[row:end], shape.page), end


def text_at(lines: Sequence[Line], row: int, shape: Shape, begins: Begins) -> tuple[Draft, int]:
    """Return the paragraph that begins at a row, and the row after it."""
    end = row + 1
    while end < len(lines) and not begins(end) and _goes_on(lines, row, end, shape):
        end += 1
    return draft("text", lines[row:end], shape.page), end


def _begins_item(lines: Sequence[Line], row: int, shape: Shape) -> bool:
    line = lines[row]
    first, second = line.words[:2]
    if first.text in BULLETS:
        return first.text not in "-–—*+" or shape.indent(line) > 0.3
    if not is_label(first.text):
        return False
    after = lines[row + 1] if row + 1 < len(lines) else None
    if after is not None and 0 < shape.step(line, after) < _APART:
        hangs = abs(after.x0 - second.x0) < _NEAR and second.x0 - line.x0 > _INDENT * shape.size
        if hangs or not is_label(after.words[0].text):
            return hangs
    return shape.indent(line) > _INDENT and second.x0 - first.x1 > 0.35 * line.size


def _goes_on(lines: Sequence[Line], start: int, row: int, shape: Shape) -> bool:
    """Tell whether a line belongs to the paragraph above it.

    A paragraph ends where white space follows, where the type's size changes, where a line is
    indented (or, in indexes and bibliographies, is not), or after a last line that ends a sentence
    and would have had room for the next word.
    """
    before, line = lines[row - 1], lines[row]
    short = shape.ragged or shape.had_room(before, line)
    apart = _APART_AFTER_SHORT if short else _APART
    if not 0 < shape.step(before, line) < apart:
        return False
    if shape.is_other_type(before, line):
        return False
    moved = (line.x0 - before.x0) / shape.size
    if shape.hanging and shape.indent(line) < _INDENT:
        full = not shape.had_room(before, line) and not may_end_paragraph(before.text)
        return full and shape.indent(before) < _INDENT
    if shape.hanging:
        return True
    if moved > _INDENT:
        return False
    # The end of a quotation that is set narrower; a first line is indented as well.
    if moved < -_INDENT and row - start > 1:
        return False
    if moved < -_INDENT:
        return True
    return not (may_end_paragraph(before.text) and shape.had_room(before, line))
