"""A book as readers of PDF, LaTeX and text give it: blocks in reading order, and its pages."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass, field
from typing import Literal

Kind = Literal["heading", "text", "item", "example", "table", "caption", "footnote"]


@dataclass(frozen=True, slots=True)
class Block:
    """A piece of a book that belongs together.

    - ``heading``: its text with its number ("7.2 Polar questions"); ``level`` is 0 for a part, 1
      for a chapter, 2 for a section, and so on; ``label`` is its label in LaTeX.
    - ``text``, ``item`` (of a list), ``caption``, ``footnote`` (with its number: "3 The word ..."):
      running text, reflowed into one line.
    - ``example``: a glossed or numbered example, whole: one line each for number with surface
      form, glosses, translation, with single spaces between words; ``label`` its label in LaTeX.
    - ``table``: a line a row, cells separated by a tabulator.

    ``text`` is NFC and not empty. ``pages`` are 1-based and empty where a book has no pages.
    """

    kind: Kind
    text: str
    pages: tuple[int, ...] = ()
    level: int = 0
    label: str = ""


@dataclass(frozen=True, slots=True)
class Page:
    """A page as it stands there: lines end in ``\\n``, blank lines part what stands apart."""

    number: int
    text: str


@dataclass(frozen=True, slots=True)
class Remark:
    """What a reader skipped or did not understand, and where (file and line, or page)."""

    where: str
    what: str
    why: str = ""


@dataclass(frozen=True)
class Book:
    """A book that was read.

    ``pages`` are what MTOB's paragraphs are made of; for LaTeX, which has none, they are the
    chapters, and ``paged`` is False. ``column_pages`` are the pages that look as if they had more
    than one column. ``metadata`` is what the book says of itself (title, author, language ...).
    """

    blocks: Sequence[Block]
    pages: Sequence[Page]
    paged: bool = True
    column_pages: Sequence[int] = ()
    remarks: Sequence[Remark] = ()
    metadata: dict[str, str] = field(default_factory=dict)
