"""Lines of plain text parted into blocks: by blank lines, indentation, numbers and labels."""

from __future__ import annotations

import re
from collections.abc import Container, Iterable, Iterator
from dataclasses import dataclass, field

from src.books.book import Block, Kind
from src.books.glossed import glossed_end
from src.books.hyphens import join_lines
from src.books.lines import (
    BULLETS,
    begins_small,
    closes_quote,
    division,
    ends_sentence,
    heading_number,
    is_caption,
    is_example_number,
    is_label,
    is_sub_label,
    opens_quote,
    without_leaders,
)

_LONGEST_HEADING = 100
_INDENT = 2
_CENTRED = 8
_SHORTER = 12
_CELLS = re.compile(r"\t+| {3,}|\s*\|\s*")
_RULE = re.compile(r"\s*([=\-_*~])\1{2,}\s*")
_TAB = 8
_LONGEST_GLOSSED = 8  # lines, with a translation that goes over several
# A stretch without blank lines is parted here, so that no line is looked at too often.
LONGEST_STRETCH = 2000


@dataclass(slots=True)
class Row:
    """A line of a text and its page; 0 where the text has no pages."""

    text: str
    page: int
    words: list[str] = field(init=False)
    line: str = field(init=False)

    def __post_init__(self) -> None:
        self.words = self.text.split()
        self.line = " ".join(self.words)

    @property
    def indent(self) -> int:
        """How far it is indented, in characters."""
        lead = self.text[: len(self.text) - len(self.text.lstrip(" \t"))]
        return len(lead.expandtabs(_TAB))


def text_blocks(rows: Iterable[Row], words: Container[str]) -> Iterator[Block]:
    """Yield the blocks of a plain text."""
    for stretch in stretches(rows):
        yield from stretch_blocks(stretch, words)


def stretches(rows: Iterable[Row]) -> Iterator[list[Row]]:
    """Yield what stands between blank lines.

    A page break parts a stretch as a blank line does, unless the sentence goes on: the line before
    does not end one, or the line after begins with a small letter.
    """
    stretch: list[Row] = []
    blank = False
    for row in rows:
        if not row.text.strip():
            blank = True
            continue
        broken = bool(stretch) and row.page != stretch[-1].page
        goes_on = broken and _goes_on(stretch[-1], row)
        if stretch and (
            (blank and not goes_on) or (broken and not goes_on) or len(stretch) >= LONGEST_STRETCH
        ):
            yield stretch
            stretch = []
        stretch.append(row)
        blank = False
    if stretch:
        yield stretch


def _goes_on(before: Row, row: Row) -> bool:
    if is_example_number(row.words[0]) or heading_number(row.line):
        return False
    return begins_small(row.line) or not (
        ends_sentence(before.line) or len(before.line) < _LONGEST_HEADING // 2
    )


def stretch_blocks(rows: list[Row], words: Container[str]) -> Iterator[Block]:
    """Part what stands between two blank lines into blocks."""
    start = 0
    while start < len(rows):
        kind, end, level = _next(rows, start)
        yield from _block(kind, rows[start:end], words, level)
        start = end


def _next(rows: list[Row], start: int) -> tuple[Kind, int, int]:
    """Return kind, end and level of the block that begins at a row."""
    row = rows[start]
    numbered = _begins_example(rows, start)
    if not numbered and (end := _glossed_end(rows, start)) > start:
        return "example", end, 0
    heading = _heading(rows, start)
    if heading is not None:
        return "heading", start + 1 + _is_underline(rows, start + 1), heading
    if is_caption(row.line) and start == 0:
        alone = len(rows) > 1 and (row.line.endswith(".") or _is_table_row(rows[1]))
        return "caption", 1 if alone else _flow_end(rows, start), 0
    if numbered:
        return "example", _example_end(rows, start), 0
    if _is_table_row(row) and start + 1 < len(rows) and _is_table_row(rows[start + 1]):
        end = start
        while end < len(rows) and _is_table_row(rows[end]):
            end += 1
        return "table", end, 0
    if start == 0 and all(other.indent >= _INDENT for other in rows):
        return "example", len(rows), 0
    if _begins_item(row):
        return "item", _flow_end(rows, start), 0
    return "text", _flow_end(rows, start), 0


def _heading(rows: list[Row], start: int) -> int | None:
    """Return the level of a heading: underlined, or a line alone with a number or in capitals."""
    line = rows[start].line
    if len(line) > _LONGEST_HEADING or not any(letter.isalpha() for letter in line):
        return None
    numbered = heading_number(line)
    if _is_underline(rows, start + 1):
        usual = 1 if "=" in rows[start + 1].text else 2
        return numbered[1] if numbered else usual
    if len(rows) > 1 and not (numbered and _stands_out(rows, start)):
        return None
    if line.endswith((".", ",", ";", ":")) or rows[start].indent >= _CENTRED:
        return None
    if is_example_number(line):
        return None
    if found := division(line):
        return found[2]
    if numbered and without_leaders(line) is None:
        return numbered[1]
    return 1 if line.isupper() and len(line) > 3 else None


def _stands_out(rows: list[Row], start: int) -> bool:
    """Tell a numbered title above its text from a line of that text: the next one is longer."""
    if start or len(rows) < 2 or not rows[1].line[:1].isupper():
        return False
    return len(rows[0].line) + _SHORTER < len(rows[1].line)


def _is_underline(rows: list[Row], row: int) -> bool:
    found = _RULE.fullmatch(rows[row].text) if row < len(rows) else None
    return found is not None and found[1] in "=-~"


def _begins_example(rows: list[Row], start: int) -> bool:
    """Tell a numbered example from a reference that begins a line: a line of its own follows.

    The next line is indented, or a gloss with a quotation after it, or a quotation itself; or
    white space stands after the number.
    """
    row = rows[start]
    if not is_example_number(row.words[0]):
        return False
    before = rows[start - 1].line if start else "."
    if not (ends_sentence(before) or before.endswith(":") or closes_quote(before)):
        return False
    after = rows[start + 1 : start + 4]
    if not after:
        return len(row.words) > 1
    hangs = after[0].indent > rows[start].indent
    quoted = any(opens_quote(other.line) for other in after)
    if len(row.words) < 2:
        return quoted or _glossed_end(rows, start + 1) > start + 1
    wide = re.match(r"\s*\S+(?:\t|\s{2,})", row.text) is not None
    return hangs or quoted or wide or is_example_number(after[0].words[0])


def _example_end(rows: list[Row], start: int) -> int:
    """Return the row after an example: the next number, or less indentation after a quotation."""
    end = start + 1
    while end < len(rows):
        row = rows[end]
        if is_example_number(row.words[0]):
            break
        done = closes_quote(rows[end - 1].line) and end > start + 1
        part = is_sub_label(row.words[0])
        if done and row.indent <= rows[start].indent and not part:
            break
        end += 1
    return end


def _is_table_row(row: Row) -> bool:
    text = row.text.strip()
    return (
        len([cell for cell in _CELLS.split(text) if cell]) > 1 or without_leaders(text) is not None
    )


def _begins_item(row: Row) -> bool:
    first = row.words[0]
    return len(row.words) > 1 and (first in BULLETS or is_label(first))


def _flow_end(rows: list[Row], start: int) -> int:
    """Return the row after running text: a new item, an example, or an indented first line."""
    end = start + 1
    while end < len(rows):
        before, row = rows[end - 1], rows[end]
        indented = row.indent >= rows[start].indent + _INDENT and row.indent > before.indent
        item = _begins_item(rows[start])
        if indented and not item and ends_sentence(before.line):
            break
        if _begins_item(row) and (item or before.line.endswith((":", ".", ";"))):
            break
        if _begins_example(rows, end) or _glossed_end(rows, end) > end:
            break
        end += 1
    return end


def _glossed_end(rows: list[Row], start: int) -> int:
    """Return the row after an example that only its glosses tell, or ``start``."""
    lines = [row.line for row in rows[start : start + _LONGEST_GLOSSED]]
    return start + glossed_end(lines, 0)


def _block(kind: Kind, rows: list[Row], words: Container[str], level: int) -> Iterator[Block]:
    pages = tuple(dict.fromkeys(row.page for row in rows if row.page))
    if kind == "heading":
        text = rows[0].line
        if (found := division(text)) and found[1]:
            text = f"{found[0]} {found[1]}"
    elif kind == "example":
        text = "\n".join(row.line for row in rows)
    elif kind == "table":
        text = "\n".join(filter(None, (table_row(row.text) for row in rows)))
    else:
        text = join_lines([row.line for row in rows], words)
    if text.strip():
        yield Block(kind, text, pages, level)


def table_row(text: str) -> str:
    """Return a line's cells with tabulators between them; ``""`` for a rule between rows."""
    text = text.strip()
    if parts := without_leaders(text):
        return "\t".join(part.strip() for part in parts)
    if not text.strip("|-:=+ \t"):
        return ""
    return "\t".join(cell.strip() for cell in _CELLS.split(text.strip("|").strip()))
