"""Two columns of which one has few lines, as on the last page of a chapter."""

from __future__ import annotations

from dataclasses import dataclass
from itertools import accumulate

from src.books.pdf.segments import Segment

# All in parts of the type size. Columns begin on one height, give or take a heading's larger type.
_SAME_TOP = 1.5
# The file goes up by more than this from the end of the left column to the right one.
_UP = 0.9
# The longest line of a column has at least this length.
_LONG_LINE = 12.0
_GUTTER = (0.5, 4.0)
# Rows of a table, whose cells may have several lines, are not farther apart than this.
_NEXT_ROW = 1.9
# A page number stands this far below all else, and begins left of the right column.
_BELOW = 1.5
_LEFT_OF = 0.5
_FEWEST_LETTERS = 10


@dataclass(frozen=True)
class ShortColumns:
    """What is read one after the other: above the columns, left, right, and below them."""

    above: list[Segment]
    left: list[Segment]
    right: list[Segment]
    below: list[Segment]


def short_columns(segments: list[Segment], size: float) -> ShortColumns | None:
    """Return the columns of a page by the order of its file, or None.

    The file writes the left column to its end and then goes up to the top of the right one. No
    table does, whose rows are written one by one, nor do words over their glosses: the next line
    of them begins on the left again. Both columns have one width, which the longer one shows.
    """
    body, foot = _without_foot(segments, size)
    start = _start_of_right(body, size)
    if start is None:
        return None
    top = body[start].y - _SAME_TOP * size
    above = [segment for segment in body[:start] if segment.y < top]
    left = [segment for segment in body[:start] if segment.y >= top]
    right = body[start:]
    if not left or not _are_columns(left, right, size) or _is_row(above, left, right, size):
        return None
    return ShortColumns(above, left, right, foot)


def _without_foot(segments: list[Segment], size: float) -> tuple[list[Segment], list[Segment]]:
    """Part a page number below all else, which comes last in the file, from the rest."""
    if len(segments) < 3:
        return segments, []
    *body, last = segments
    lowest = max(segment.y for segment in body)
    if last.y > lowest + _BELOW * size and last.x0 < body[-1].x0 - _LEFT_OF * size:
        return body, [last]
    return segments, []


def _start_of_right(body: list[Segment], size: float) -> int | None:
    """Return where the file goes up the farthest to what lies to the right until its end."""
    leftmost = list(accumulate((segment.x0 for segment in reversed(body)), min))[::-1]
    ups = [
        (body[row - 1].y - body[row].y, row)
        for row in range(1, len(body))
        if leftmost[row] > body[row - 1].x1
    ]
    up, row = max(ups, default=(0.0, 0))
    return row if up > _UP * size else None


def _are_columns(left: list[Segment], right: list[Segment], size: float) -> bool:
    starts = [min(segment.x0 for segment in side) for side in (left, right)]
    ends = [max(segment.x1 for segment in side) for side in (left, right)]
    width = max(end - start for start, end in zip(starts, ends, strict=True))
    gutter = starts[1] - starts[0] - width
    return (
        ends[0] + _GUTTER[0] * size <= starts[1]
        and max(s.x1 - s.x0 for s in (*left, *right)) >= _LONG_LINE * size
        and _GUTTER[0] * size <= gutter <= _GUTTER[1] * size
        and abs(min(s.y for s in left) - min(s.y for s in right)) <= _SAME_TOP * size
        and sum(segment.letters for segment in right) >= _FEWEST_LETTERS
    )


def _is_row(above: list[Segment], left: list[Segment], right: list[Segment], size: float) -> bool:
    """Tell whether what look like columns is the last row of a table, whose others are above."""
    start = min(segment.x0 for segment in right)
    top = min(segment.y for segment in (*left, *right))
    for segment in sorted(above, key=lambda segment: -segment.y):
        if segment.y < top - _NEXT_ROW * size:
            return False
        if segment.x0 >= start - size:
            return True
        top = segment.y
    return False
