"""Blocks in the making: what a page adds to a book before it is known how it goes on."""

from __future__ import annotations

from collections.abc import Container, Sequence
from dataclasses import dataclass, field

from src.books.book import Block, Kind
from src.books.hyphens import join_lines
from src.books.pdf.lines import Line
from src.books.text import clean

# Running text, whose lines are joined to one.
FLOWING: frozenset[Kind] = frozenset(("text", "item", "caption", "footnote"))


@dataclass(slots=True)
class Draft:
    """A block that may go on; ``rows`` are the lines of its text, ``lines`` those on the page.

    ``notes`` are the footnotes whose marks stand in it.
    """

    kind: Kind
    lines: list[Line]
    pages: list[int]
    rows: list[str] = field(default_factory=list)
    level: int = 0
    notes: list[Draft] = field(default_factory=list)

    @property
    def last(self) -> Line:
        """Its last line, on the last of its pages."""
        return self.lines[-1]

    def go_on(self, other: Draft, rows: Sequence[str] | None = None) -> None:
        """Take in a draft that continues this one; ``rows`` are those of both, if they differ."""
        self.lines = other.lines
        self.rows = self.rows + other.rows if rows is None else list(rows)
        self.notes += other.notes
        self.pages += [page for page in other.pages if page not in self.pages]

    def blocks(self, words: Container[str]) -> list[Block]:
        """Return the block and, after it, its footnotes; nothing where no text is left."""
        rows = [clean(row) for row in self.rows]
        text = join_lines(rows, words) if self.kind in FLOWING else "\n".join(rows)
        # A table may begin with an empty field.
        text = text.strip("\n ") if self.kind == "table" else text.strip()
        found = [Block(self.kind, text, tuple(self.pages), self.level)] if text.strip() else []
        for note in self.notes:
            found += note.blocks(words)
        return found


def draft(kind: Kind, lines: Sequence[Line], page: int, rows: Sequence[str] = ()) -> Draft:
    """Return a draft of some lines of a page; its rows are their texts unless given."""
    return Draft(kind, list(lines), [page], list(rows) or [line.text for line in lines])
