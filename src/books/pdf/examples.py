"""Numbered and glossed examples: where they begin and end."""

from __future__ import annotations

from collections.abc import Sequence

from src.books.lines import closes_quote, is_caption, is_example_number, is_sub_label, opens_quote
from src.books.pdf.drafts import Draft, draft
from src.books.pdf.glosses import aligned, example_rows
from src.books.pdf.lines import Line
from src.books.pdf.shape import Shape

_WIDE_BLANK = 0.8
_NEAR = 2.0  # points
# A number that is too wide for its place pushes the words beside it to the right, in type sizes.
_OUTDENT = 0.45
_FURTHEST = 2.3  # line spacings inside an example
# ... and before what an example cannot be without, where white space is stretched.
_FURTHEST_EXPECTED = 3.5
_APART = 1.25
_LONGEST_QUOTE = 6  # lines


def example_at(lines: Sequence[Line], row: int, shape: Shape) -> tuple[Draft, int] | None:
    """Return the example that begins at a row, and the row after it."""
    if _is_lone_number(lines, row, shape):
        start = lines[row + 1].x0
    elif _begins_numbered(lines, row, shape):
        start = lines[row].words[1].x0
        if _is_set_like_text(lines, row) and lines[row + 1].x0 < start - _NEAR:
            end = _end_of_quote(lines, row + 2)
            return _example(lines[row:end], shape), end
    elif _begins_glossed(lines, row, shape):
        start = lines[row + 1].x0
    else:
        return None
    end = example_end(lines, row + 1, start, shape)
    return _example(lines[row:end], shape), end


def _example(lines: Sequence[Line], shape: Shape) -> Draft:
    return draft("example", lines, shape.page, example_rows(lines, shape))


def _end_of_quote(lines: Sequence[Line], row: int) -> int:
    """Return the row after a quotation that begins at ``row``; one that never closes is a line."""
    for end in range(row, min(row + _LONGEST_QUOTE, len(lines))):
        if closes_quote(lines[end].text):
            return end + 1
    return row + 1


def example_end(lines: Sequence[Line], row: int, start: float, shape: Shape) -> int:
    """Return the row after an example whose words (after its number) begin at ``start``."""
    end = row
    translated = False
    while end < len(lines) and _goes_on(lines, end, start, shape, translated):
        translated |= opens_quote(lines[end].text)
        end += 1
    return end


def _is_lone_number(lines: Sequence[Line], row: int, shape: Shape) -> bool:
    """Tell whether an example's number is all that stands on its line, with glosses below."""
    if row + 2 >= len(lines) or len(lines[row].words) > 1:
        return False
    number, upper, lower = lines[row : row + 3]
    return (
        is_example_number(number.text)
        and upper.x0 > number.x1
        and 0 < shape.step(number, upper) < _FURTHEST
        and aligned(upper.words, lower.words, upper.size)
    )


def _begins_numbered(lines: Sequence[Line], row: int, shape: Shape) -> bool:
    """Tell an example's number from a reference that happens to begin a line.

    After a number stands a wide blank, or the next line begins below the word after it, or there
    are as many words on the next line and a quotation below.
    """
    line = lines[row]
    if len(line.words) < 2 or not is_example_number(line.words[0].text):
        return False
    first, second = line.words[:2]
    if second.x0 - first.x1 > _WIDE_BLANK * line.size:
        return True
    after = lines[row + 1] if row + 1 < len(lines) else None
    if after is None or not 0 < shape.step(line, after) < _FURTHEST:
        return False
    return abs(after.x0 - second.x0) < _NEAR or _is_set_like_text(lines, row)


def _is_set_like_text(lines: Sequence[Line], row: int) -> bool:
    """Tell whether a numbered line has as many words as the next one, and a quotation follows."""
    if row + 2 >= len(lines):
        return False
    line, gloss, translation = lines[row : row + 3]
    return len(line.words) - 1 == len(gloss.words) and opens_quote(translation.text)


def _begins_glossed(lines: Sequence[Line], row: int, shape: Shape) -> bool:
    """Tell whether words stand over words, with a quotation below.

    Such a line may have a label of any kind (``1.4``, ``T2:``) before its words.
    """
    if row + 2 >= len(lines):
        return False
    line, gloss, after = lines[row : row + 3]
    words = line.words[len(line.words) - len(gloss.words) :]
    return (
        opens_quote(after.text)
        and 0 <= len(line.words) - len(gloss.words) <= 1 < len(words)
        and 0 < shape.step(line, gloss) < 1.5
        and 0 < shape.step(gloss, after) < 2
        and aligned(words, gloss.words, line.size)
    )


def _goes_on(lines: Sequence[Line], row: int, start: float, shape: Shape, translated: bool) -> bool:
    before, line = lines[row - 1], lines[row]
    after = lines[row + 1] if row + 1 < len(lines) else None
    glossed = after is not None and aligned(line.words, after.words, line.size)
    step = shape.step(before, line)
    expected = not translated and (
        glossed or opens_quote(line.text) or abs(line.x0 - start) < _NEAR
    )
    furthest = _FURTHEST_EXPECTED if expected else _FURTHEST
    if not 0 < step < furthest or line.x0 < start - _OUTDENT * line.size:
        return False
    if is_example_number(line.words[0].text) and line.x0 < start + _NEAR:
        return False
    if is_caption(line.text):
        return False
    if step < _APART or opens_quote(line.text) or is_sub_label(line.words[0].text):
        return True
    # After its translation an example is over, unless more glossed lines follow.
    return glossed or not closes_quote(before.text)
