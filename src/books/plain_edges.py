"""Headers, footers and page numbers of plain text with page breaks, which are no text."""

from __future__ import annotations

import dataclasses
from collections.abc import Iterator, Sequence

from src.books.book import Page
from src.books.furniture import EdgeLine, furniture_of

_EDGE = 2  # lines at a page's top and at its bottom that are looked at


def without_furniture(pages: Sequence[Page]) -> list[Page]:
    """Return pages without what repeats at their first and last lines, and page numbers there."""
    edges = [(row, edge) for page in pages for row, edge in _edges(page)]
    found = furniture_of([edge for _, edge in edges], len(pages), body=1.0, by_height=False)
    gone: dict[int, set[int]] = {}
    for row, edge in edges:
        if edge.place in found:
            gone.setdefault(edge.page, set()).add(row)
    return [_without(page, gone.get(page.number, set())) for page in pages]


def _edges(page: Page) -> Iterator[tuple[int, EdgeLine]]:
    """Yield a page's outermost lines and their rows; heights are the same on all pages."""
    lines = page.text.split("\n")
    rows = [row for row, line in enumerate(lines) if line.strip()]
    for top, edge_rows in ((True, rows[:_EDGE]), (False, rows[::-1][:_EDGE])):
        for rank, row in enumerate(edge_rows):
            inner = row + 1 if top else row - 1
            apart = not 0 <= inner < len(lines) or not lines[inner].strip()
            y = 100.0 * rank if top else -100.0 * (rank + 1)
            yield row, EdgeLine(page.number, top, rank, y, 1.0, lines[row].strip(), apart)


def _without(page: Page, rows: set[int]) -> Page:
    if not rows:
        return page
    lines = [line for row, line in enumerate(page.text.split("\n")) if row not in rows]
    if not any(line.strip() for line in lines):
        # A page of nothing but headers is one of short lines that are alike, such as verses.
        return page
    return dataclasses.replace(page, text="\n".join(lines).strip("\n"))
