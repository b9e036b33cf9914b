"""Paragraphs as a reader sees them: blocks with what belongs to them, under their headings."""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Sequence
from dataclasses import dataclass, field

from src.books.book import Block
from src.books.filling import fill
from src.books.pieces import Piece

SHORT = 100  # characters: texts that say next to nothing alone, such as entries of word lists
# What each kind of block is joined to if it stands directly before, in the same paragraph.
_JOINS = {
    "item": ("text", "item"),
    "example": ("text", "item", "example"),
    "table": ("caption",),
    "caption": ("table",),
}


def by_blocks(blocks: Iterable[Block], characters: int, headings: str) -> Iterator[Piece]:
    """Yield the paragraphs of a book's blocks.

    A text, a footnote, a caption is a paragraph. Items and examples belong to the text that
    introduces them, and to each other; a table belongs to its caption; short texts that follow
    each other (the entries of a word list, the names under a preface) are one paragraph. A
    footnote follows the paragraph that it interrupts. ``headings`` (all, first, none) tells which
    paragraphs begin with the line of the innermost heading above them. A heading is a paragraph
    itself if nothing stands under it, not even another heading, or if it takes more than half of
    ``characters``.

    A paragraph of more than ``characters``, with its heading, is cut: between blocks, at the ends
    of sentences, tables between rows, and so that what introduces an example stays with it. Only
    an example, or a row of a table, that does not fit alone makes a longer one. The pieces of a
    block that was cut all have the pages of the block, since it is not known where they turn.
    """
    outline = _Outline(characters, headings)
    group: list[Block] = []
    footnotes: list[Block] = []
    for block in blocks:
        if not block.text.strip():
            continue
        if block.kind == "footnote":
            footnotes.append(block)
        elif group and _belongs(block, group):
            group.append(block)
        else:
            yield from _close(outline, group, footnotes)
            if block.kind == "heading":
                yield from outline.enter(block)
            else:
                group.append(block)
    yield from _close(outline, group, footnotes)
    yield from outline.leave(0)


def _belongs(block: Block, group: Sequence[Block]) -> bool:
    """Tell whether a block goes on with a paragraph."""
    before = group[-1].kind
    if block.kind == before == "text":
        return len(group[-1].text) <= SHORT and len(block.text) <= SHORT
    if block.kind == "item" and before == "example":  # the list of which an item had an example
        return any(member.kind == "item" for member in group)
    if block.kind in ("table", "caption") and len(group) > 1:  # a table with its caption is whole
        return False
    return before in _JOINS.get(block.kind, ())


def _close(outline: _Outline, group: list[Block], footnotes: list[Block]) -> Iterator[Piece]:
    """Yield the paragraphs of a group and of the footnotes that stand in it; empty both."""
    for members in (group, *([footnote] for footnote in footnotes)):
        yield from outline.paragraphs(members)
    group.clear()
    footnotes.clear()


@dataclass
class _Heading:
    block: Block
    text: str
    used: bool = False  # it is in the section of some paragraph
    shown: bool = False  # it stands at the beginning of some paragraph


@dataclass
class _Outline:
    """The headings above the place in the book, and what they add to a paragraph."""

    characters: int
    headings: str
    above: list[_Heading] = field(default_factory=list)

    def enter(self, block: Block) -> Iterator[Piece]:
        """Go on to a heading; yield those that nothing stood under, where they are left."""
        yield from self.leave(block.level)
        self.above.append(_Heading(block, " ".join(block.text.split())))
        if self._is_long(self.above[-1]):
            yield from self._alone()

    def leave(self, level: int) -> Iterator[Piece]:
        """Leave the headings from a level on; yield those that nothing stood under."""
        while self.above and self.above[-1].block.level >= level:
            if not self.above[-1].used:
                yield from self._alone()
            self.above.pop()

    def _is_long(self, heading: _Heading) -> bool:
        return len(heading.text) > self.characters // 2

    def _alone(self) -> Iterator[Piece]:
        for text, pages in fill([self.above[-1].block], self.characters):
            yield self._piece(text, pages)

    def paragraphs(self, group: Sequence[Block]) -> Iterator[Piece]:
        """Yield the paragraphs of blocks that belong together."""
        if not group:
            return
        line = self._line()
        for text, pages in fill(group, self.characters - len(line)):
            yield self._piece(line + text, pages)
            if self.headings == "first":
                line = ""

    def _line(self) -> str:
        """Return the line that the next paragraph begins with, with its end, or ``""``."""
        if not self.above or self.headings == "none":
            return ""
        last = self.above[-1]
        if self._is_long(last) or (self.headings == "first" and last.shown):
            return ""
        last.shown = True
        return last.text + "\n"

    def _piece(self, text: str, pages: tuple[int, ...]) -> Piece:
        for heading in self.above:
            heading.used = True
        section = " > ".join(heading.text for heading in self.above)
        return Piece(text, pages, section, self.above[-1].block.label if self.above else "")
