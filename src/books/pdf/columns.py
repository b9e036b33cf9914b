"""Columns of a page, and its lines in the order in which they are read."""

from __future__ import annotations

from itertools import pairwise
from statistics import median

import numpy as np
import numpy.typing as npt

from src.books.pdf.lines import Line, lines_of
from src.books.pdf.pieces import Piece
from src.books.pdf.segments import Segment, segments_of
from src.books.pdf.short_columns import short_columns

_BIN = 1.0  # points
# In parts of the type size: the narrowest gutter.
_GUTTER = 0.5
# What reaches this far beyond the gutter, in points, is no long line of the left column.
_CROSSING = 20.0
_STICKING_OUT = 0.25
# In parts of the type size: the largest distance of two lines of a paragraph or a table, and of
# lines between which something else may begin; how many of such places are looked at.
_SAME_TEXT = 1.9
_APART = 1.5
_MOST_TRIES = 4
_MIDDLE = (0.33, 0.67)
_CENTRE = (0.46, 0.54)
_FEWEST_LINES = 4
_FEWEST_LETTERS = 10
_FEWEST_FULL = 0.4


def read_lines(pieces: list[Piece]) -> tuple[list[Line], bool]:
    """Return the lines of a page in reading order, and whether it has two columns.

    A left column is read before the right one; what crosses the gutter stays above or below.
    """
    segments = segments_of(pieces)
    size = median(piece.size for piece in pieces)
    gutter = _gutter(segments, size) if len(segments) > 1 else None
    lines = _by_gutter(segments, gutter) if gutter else None
    lines = lines or _by_order(segments, size)
    return (lines, True) if lines else (lines_of(pieces), False)


def _by_gutter(segments: list[Segment], gutter: tuple[float, float]) -> list[Line] | None:
    """Return the lines of a page, or None where no part of it has columns on both sides."""
    lines: list[Line] = []
    columns = False
    for crossing, band in _bands(segments, gutter):
        for stretch, parted in [(band, False)] if crossing else _stretches(band, gutter):
            if not parted:
                lines += lines_of(_pieces(stretch))
                continue
            columns = True
            for number, side in enumerate(_sides(stretch, gutter), start=1):
                lines += lines_of(_pieces(side), number)
    return lines if columns else None


def _by_order(segments: list[Segment], size: float) -> list[Line] | None:
    """Return the lines of a page with a short column, or None."""
    found = short_columns(segments, size)
    if found is None:
        return None
    parts = ((found.above, 0), (found.left, 1), (found.right, 2), (found.below, 0))
    return [line for part, column in parts for line in lines_of(_pieces(part), column)]


def _pieces(segments: list[Segment]) -> list[Piece]:
    return [piece for segment in segments for piece in segment.pieces]


def _coverage(segments: list[Segment], start: float, bins: int) -> npt.NDArray[np.int64]:
    """Return how many segments stand over each stripe of the page."""
    change = np.zeros(bins + 1, dtype=np.int64)
    first = np.array([(segment.x0 - start) / _BIN for segment in segments]).astype(np.int64)
    last = np.array([(segment.x1 - start) / _BIN for segment in segments]).astype(np.int64)
    np.add.at(change, np.clip(first, 0, bins - 1), 1)
    np.add.at(change, np.clip(last + 1, 0, bins), -1)
    return np.cumsum(change[:-1])


def _gutter(segments: list[Segment], size: float) -> tuple[float, float] | None:
    """Return the sides of a stripe that few lines cross, with many on both sides."""
    start = min(segment.x0 for segment in segments)
    width = max(segment.x1 for segment in segments) - start
    bins = int(width / _BIN) + 1
    if bins > 10_000 or bins < 40:
        return None
    covered = _coverage(segments, start, bins)
    places = [_least(covered, bins, part) for part in (_MIDDLE, _CENTRE)]
    least = min(
        places, key=lambda place: covered[place] + 2 * _disorder(segments, start + _BIN * place)
    )
    left = float(np.percentile(covered[: least + 1], 75))
    right = float(np.percentile(covered[least:], 75))
    if min(left, right) < _FEWEST_LINES or covered[least] > 0.6 * min(left, right):
        return None
    # Lines of the left column may stick out into the gutter; those of the right begin together.
    first = last = least
    while first and covered[first - 1] <= max(covered[least] + 1, _STICKING_OUT * left):
        first -= 1
    while last < bins - 1 and covered[last] <= covered[least] + 1:
        last += 1
    if (last - first) * _BIN < _GUTTER * size:
        return None
    return start + _BIN * first, start + _BIN * last


def _least(covered: npt.NDArray[np.int64], bins: int, part: tuple[float, float]) -> int:
    low, high = int(bins * part[0]), int(bins * part[1])
    return low + int(np.argmin(covered[low:high]))


def _disorder(segments: list[Segment], x: float) -> int:
    """Return how many segments the file would have to write elsewhere, if columns met at ``x``."""
    right = np.array([segment.x0 >= x for segment in segments])
    before = np.concatenate([[0], np.cumsum(right)])
    after = np.concatenate([[0], np.cumsum(~right)])
    return int((before + after[-1] - after).min())


def _bands(
    segments: list[Segment], gutter: tuple[float, float]
) -> list[tuple[bool, list[Segment]]]:
    """Part a page, from the top, into lines that cross the gutter and stretches that do not."""
    ordered = sorted(segments, key=lambda segment: segment.y)
    across = [
        segment.y
        for segment in ordered
        if segment.x0 < gutter[0] - _BIN and segment.x1 > gutter[1] + _CROSSING
    ]
    found: list[tuple[bool, list[Segment]]] = []
    for segment in ordered:
        reach = 0.45 * max(piece.size for piece in segment.pieces)
        crossing = any(abs(y - segment.y) < reach for y in across)
        if not found or found[-1][0] != crossing:
            found.append((crossing, []))
        found[-1][1].append(segment)
    for (_, above), (crossing, band) in pairwise(found):
        if not crossing:
            _give_back(above, band, gutter)
    return found


def _give_back(above: list[Segment], band: list[Segment], gutter: tuple[float, float]) -> None:
    """Return the short last lines of full-width text from the band below to that text."""
    right = _sides(band, gutter)[1]
    while band and right and above:
        last, first = above[-1], band[0]
        size = first.pieces[0].size
        if first.y > right[0].y - size / 2 or first.y - last.y > _SAME_TEXT * size:
            return
        above.append(band.pop(0))


def _stretches(
    band: list[Segment], gutter: tuple[float, float]
) -> list[tuple[list[Segment], bool]]:
    """Return a band as columns (True) or not, or, where a table stands above columns, in parts."""
    if _is_columns(band, gutter):
        return [(band, True)]
    gaps = [
        (band[row].y - band[row - 1].y, row)
        for row in range(1, len(band))
        if band[row].y - band[row - 1].y > _APART * band[row].pieces[0].size
    ]
    for _, row in sorted(gaps, reverse=True)[:_MOST_TRIES]:
        parts = band[:row], band[row:]
        if any(_is_columns(part, gutter) for part in parts):
            return [found for part in parts for found in _stretches(part, gutter)]
    return [(band, False)]


def _sides(band: list[Segment], gutter: tuple[float, float]) -> tuple[list[Segment], list[Segment]]:
    middle = sum(gutter) / 2
    return [s for s in band if s.x0 < middle], [s for s in band if s.x0 >= middle]


def _is_columns(band: list[Segment], gutter: tuple[float, float]) -> bool:
    """Tell columns of text from a stretch of a table.

    A file that writes all of the left side before the right one has columns; a table is written
    row by row. Where the order tells nothing (OCR goes line by line), the sides must be filled.
    """
    sides = _sides(band, gutter)
    if any(len(side) < _FEWEST_LINES for side in sides):
        return False
    # Headers and page numbers come before or after all else, on whatever side.
    orders = [sorted(s.order for s in side) for side in sides]
    odd = [1 + len(side) // 20 for side in sides]
    if orders[0][-1 - odd[0]] < orders[1][odd[1]]:
        return True
    return all(_is_filled(side) for side in sides)


def _is_filled(side: list[Segment]) -> bool:
    """Tell whether a side holds running text: long lines, and no gaps that run through them."""
    start, end = min(s.x0 for s in side), max(s.x1 for s in side)
    if median(s.letters for s in side) < _FEWEST_LETTERS:
        return False
    if median(s.x1 - s.x0 for s in side) < _FEWEST_FULL * (end - start):
        return False
    covered = _coverage(side, start, int((end - start) / _BIN) + 1)
    inner = covered[len(covered) // 10 : len(covered) // 2 + 1]
    return bool(inner.min() >= 0.5 * np.median(inner))
