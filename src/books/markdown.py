"""Markdown parted into blocks: its marks first, the rest as plain text."""

from __future__ import annotations

import dataclasses
import re
from collections.abc import Container, Iterable, Iterator

from src.books.book import Block
from src.books.emphasis import without_emphasis
from src.books.lines import is_label
from src.books.plain_blocks import LONGEST_STRETCH, Row, stretch_blocks, stretches, table_row

_HEADING = re.compile(r" {0,3}(#{1,6})\s+(.*?)(?:\s+#+)?\s*")
_UNDERLINE = re.compile(r" {0,3}(=+|-{2,})\s*")
_FENCE = re.compile(r" {0,3}(`{3,}|~{3,})")
_QUOTED = re.compile(r" {0,3}> ?")
_BREAK = re.compile(r"(?<!\\)\\\s*$")
_RULE = re.compile(r" {0,3}([-*_])(?:\s*\1){2,}\s*")


def markdown_blocks(rows: Iterable[Row], words: Container[str]) -> Iterator[Block]:
    """Yield the blocks of a Markdown text; code blocks stay as they are, as examples.

    Marks of emphasis go from all but examples: ``*ma*`` is no word that is wrong.
    """
    waiting: list[Row] = []
    fence = ""
    code: list[Row] = []
    for row in rows:
        if len(waiting) >= LONGEST_STRETCH or len(code) >= LONGEST_STRETCH:
            yield from _code(code)
            yield from _plain(waiting, words)
            waiting, code = [], []
        found = _FENCE.match(row.text)
        if fence:
            if found and row.text.strip().startswith(fence) and not row.text.strip(" `~"):
                yield from _code(code)
                fence, code = "", []
            else:
                code.append(row)
        elif found:
            yield from _plain(waiting, words)
            waiting, fence = [], found[1]
        elif not row.text.strip():
            yield from _plain(waiting, words)
            waiting = []
        else:
            waiting.append(row)
    yield from _code(code)
    yield from _plain(waiting, words)


def _code(rows: list[Row]) -> Iterator[Block]:
    text = "\n".join(row.text.rstrip() for row in rows).strip("\n")
    if text:
        yield Block("example", text, _pages(rows))


def _plain(rows: list[Row], words: Container[str]) -> Iterator[Block]:
    """Yield the blocks of what stands between blank lines: headings and tables end running text."""
    rest: list[Row] = []
    for row in rows:
        found = _HEADING.fullmatch(row.text)
        underline = _UNDERLINE.fullmatch(row.text)
        if found or (underline and len(rest) == 1):
            if underline:
                text, level = rest[0].line, 1 if "=" in row.text else 2
            else:
                yield from _flow(rest, words)
                text, level = (found[2], len(found[1])) if found else ("", 0)
            rest = []
            if text.strip():
                yield _plainly(Block("heading", " ".join(text.split()), _pages([row]), level))
        elif not _RULE.fullmatch(row.text):
            text = _BREAK.sub("", _QUOTED.sub("", row.text, count=1))
            rest.append(Row(text, row.page))
    yield from _flow(rest, words)


def _flow(rows: list[Row], words: Container[str]) -> Iterator[Block]:
    if rows and all("|" in row.text for row in rows) and len(rows) > 1:
        text = "\n".join(filter(None, (table_row(row.text) for row in rows)))
        yield _plainly(Block("table", text, _pages(rows)))
        return
    for stretch in stretches(rows):
        yield from (_plainly(_listed(block)) for block in stretch_blocks(stretch, words))


def _listed(block: Block) -> Block:
    """Return ``1. Verbs`` as what it is in Markdown: an item, even where it stands alone."""
    if block.kind == "heading" and is_label(block.text.split()[0]):
        return dataclasses.replace(block, kind="item", level=0)
    return block


def _plainly(block: Block) -> Block:
    """Return a block without marks of emphasis; in examples, marks are the author's."""
    if block.kind == "example":
        return block
    marked = re.split(r"([\t\n])", block.text)
    return dataclasses.replace(block, text="".join(map(without_emphasis, marked)))


def _pages(rows: list[Row]) -> tuple[int, ...]:
    return tuple(dict.fromkeys(row.page for row in rows if row.page))
