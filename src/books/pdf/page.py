"""One column of a page: its lines parted into drafts of blocks."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from itertools import pairwise

from src.books.lines import closes_quote, is_example_number, is_sub_label
from src.books.pdf.captions import caption_at
from src.books.pdf.drafts import Draft, draft
from src.books.pdf.examples import example_at, example_end
from src.books.pdf.flow import item_at, text_at
from src.books.pdf.glosses import example_rows
from src.books.pdf.headings import heading_at
from src.books.pdf.lines import Line
from src.books.pdf.shape import Shape
from src.books.pdf.tables import contents_at, table_at

_RULES = (contents_at, caption_at, heading_at, example_at, table_at)
_NEAR = 0.45  # type sizes: labels of different width are set flush right


@dataclass(frozen=True, slots=True)
class OpenExample:
    """An example at the end of a column: the indentation of its lines, in type sizes.

    It goes on where it is ``unfinished`` (has no translation yet), or with one of ``labels``.
    """

    indent: float
    unfinished: bool
    labels: tuple[str, ...]


def drafts_of(lines: Sequence[Line], shape: Shape, open_example: OpenExample | None) -> list[Draft]:
    """Part lines into drafts, in their order.

    ``open_example`` is the example with which the column before ended; lines at the top (but for
    floating tables) may go on with it.
    """
    found: list[Draft] = []
    begun: dict[int, bool] = {}

    def begins(row: int) -> bool:
        if row not in begun:
            begun[row] = any(rule(lines, row, shape) for rule in _RULES) or _item(row) is not None
        return begun[row]

    def _item(row: int) -> tuple[Draft, int] | None:
        return item_at(lines, row, shape, lambda later: False)

    row = 0
    while row < len(lines):
        taken = next((t for rule in _RULES if (t := rule(lines, row, shape))), None)
        if open_example is not None and not _floats(taken):
            taken = _continued(lines, row, shape, open_example) or taken
            open_example = None
        taken = taken or item_at(lines, row, shape, begins)
        block, row = taken or text_at(lines, row, shape, begins)
        found.append(block)
    return found


def _floats(taken: tuple[Draft, int] | None) -> bool:
    return taken is not None and taken[0].kind in ("table", "caption")


def _continued(
    lines: Sequence[Line], row: int, shape: Shape, open_example: OpenExample
) -> tuple[Draft, int] | None:
    """Return the lines at a column's top that go on with the example of the column before."""
    line = lines[row]
    if is_example_number(line.words[0].text):
        return None
    indented = shape.indent(line) > open_example.indent - _NEAR
    if not indented or not (open_example.unfinished or line.words[0].text in open_example.labels):
        return None
    start = shape.left + (open_example.indent - _NEAR) * shape.size
    end = example_end(lines, row + 1, start, shape)
    rows = example_rows(lines[row:end], shape)
    return draft("example", lines[row:end], shape.page, rows), end


def open_example_of(last: Draft, shape: Shape) -> OpenExample | None:
    """Return how an example may go on in the next column; None where the last block is none."""
    if last.kind != "example":
        return None
    words = last.lines[0].words[1:2] + [line.words[0] for line in last.lines[1:]]
    indent = (min(word.x0 for word in words) - shape.left) / shape.size if words else 0.0
    labels = [
        word.text for line in last.lines for word in line.words[:2] if is_sub_label(word.text)
    ]
    after = _next_label(labels[-1]) if labels else ""
    return OpenExample(indent, not closes_quote(last.rows[-1]), (after,))


def _next_label(label: str) -> str:
    """Return ``b.`` for ``a.``."""
    return "".join(chr(ord(letter) + 1) if letter.isalpha() else letter for letter in label)


def page_text(drafts: Sequence[Draft], spacing: float) -> str:
    """Return the lines of a page; a blank one parts blocks and what stands clearly apart."""
    parts = []
    for block in drafts:
        rows = [block.lines[0].text]
        for before, line in pairwise(block.lines):
            if line.y - before.y > 1.5 * max(spacing, 1.2 * before.size):
                rows.append("")
            rows.append(line.text)
        parts.append("\n".join(rows))
    return "\n\n".join(parts)
