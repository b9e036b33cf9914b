"""Headings: larger or bold type, or a number and a title that stand alone."""

from __future__ import annotations

from collections.abc import Sequence

from src.books.lines import division, ends_sentence, heading_number, is_page_number
from src.books.pdf.drafts import Draft
from src.books.pdf.lines import Line
from src.books.pdf.shape import Shape

_LONGEST = 30  # words
_APART = 1.25


def heading_at(lines: Sequence[Line], row: int, shape: Shape) -> tuple[Draft, int] | None:
    """Return the heading that begins at a row and the row after it.

    A heading over several lines is one; ``Chapter 3`` and the title below it are one as well.
    """
    if not _is_heading(lines, row, shape):
        return None
    end = row + 1
    while end < len(lines) and _goes_on(lines, row, end, shape):
        end += 1
    text = " ".join(line.text for line in lines[row:end])
    found = division(text)
    if found and not found[1] and end < len(lines) and _is_heading(lines, end, shape):
        after = heading_at(lines, end, shape)
        if after and heading_number(after[0].rows[0]) is None:
            found = found[0], after[0].rows[0], found[2]
            end = after[1]
    if found and found[1]:
        text, level = f"{found[0]} {found[1]}", found[2]
    else:
        numbered = heading_number(text)
        first = lines[row]
        level = shape.survey.level(first.size, first.bold)
        level = numbered[1] + shape.survey.deeper if numbered else level
        level = found[2] if found else level
    return Draft("heading", list(lines[row:end]), [shape.page], [text], level), end


def _is_heading(lines: Sequence[Line], row: int, shape: Shape) -> bool:
    line = lines[row]
    text = line.text
    if len(line.words) > _LONGEST or not any(letter.isalpha() for letter in text):
        return False
    if is_page_number(text):
        return False
    if shape.is_large(line):
        return True
    if line.bold and line.size > 0.95 * shape.size:
        return not ends_sentence(text) and _stands_alone(lines, row, shape, bold=True)
    numbered = heading_number(text) is not None and "." in text.split()[0].rstrip(".")
    return (
        numbered
        and not text.endswith((".", ",", ";", ":"))
        and not shape.is_full(line, room=1.0)
        and _stands_alone(lines, row, shape, bold=False)
    )


def _stands_alone(lines: Sequence[Line], row: int, shape: Shape, bold: bool) -> bool:
    """Tell whether white space is above a line and, for plain type, below it as well."""
    before = lines[row - 1] if row else None
    after = lines[row + 1] if row + 1 < len(lines) else None
    above = before is None or shape.step(before, lines[row]) > _APART or before.bold
    below = after is None or shape.step(lines[row], after) > _APART
    return above and (bold or below)


def _goes_on(lines: Sequence[Line], start: int, row: int, shape: Shape) -> bool:
    """Tell whether a line goes on with the heading above it: like type, and no space between."""
    before, line = lines[row - 1], lines[row]
    alike = abs(line.size - before.size) < 0.05 * before.size and line.bold == before.bold
    if not alike or (not shape.is_large(line) and not line.bold):
        return False
    if heading_number(line.text) or division(" ".join(w.text for w in lines[start].words)):
        return False
    near = 0 < line.y - before.y < 1.65 * line.size
    return near and not shape.had_room(before, line)
