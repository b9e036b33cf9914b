"""Blocks that belong together to texts that are not too long."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import dataclass, replace

from src.books.book import Block
from src.books.sentences import cut

Filled = tuple[str, tuple[int, ...]]


@dataclass(frozen=True, slots=True)
class _Part:
    """What stays in one piece; ``before`` parts it from the part that it follows."""

    text: str
    pages: tuple[int, ...]
    before: str


def fill(blocks: Sequence[Block], room: int) -> Iterator[Filled]:
    """Yield the texts, with their pages, that hold the blocks in their order, each a line.

    A text is not longer than ``room`` unless it is one example or one row that does not fit. The
    end of what comes before an example (its last sentence, where all does not fit) stays with it,
    as does the end of a list's introduction with its first item, and a caption with its table.
    """
    held: list[_Part] = []
    length = 0
    for part in _parts(blocks, room):
        more = len(part.before) + len(part.text)
        if held and length + more > room:
            yield _filled(held)
            held, length = [], 0
        length += more if held else len(part.text)
        held.append(part)
    if held:
        yield _filled(held)


def _filled(parts: Sequence[_Part]) -> Filled:
    first, *others = parts
    text = first.text + "".join(part.before + part.text for part in others)
    return text, tuple(sorted({page for part in parts for page in part.pages}))


def _parts(blocks: Sequence[Block], room: int) -> list[_Part]:
    """Cut blocks into parts. From the last to the first, since each must leave room for the next.

    >>> [p.text for p in _parts([Block("text", "One. Two:"), Block("example", "1 ka")], 10)]
    ['One.', 'Two:\\n1 ka']
    """
    parts: list[_Part] = []  # the last comes first
    follower: Block | None = None
    for block in reversed(blocks):
        head = parts[-1] if follower and _leads_to(block, follower) else None
        texts = _texts(block, room, room - len(head.text) - 1 if head else room)
        own = [_Part(text, block.pages, _inner(block)) for text in texts]
        if head and len(own[-1].text) + 1 + len(head.text) <= room:
            own[-1] = _Part(
                f"{own[-1].text}\n{head.text}", block.pages + head.pages, own[-1].before
            )
            parts.pop()
        own[0] = replace(own[0], before="\n")
        parts.extend(reversed(own))
        follower = block
    return parts[::-1]


def _leads_to(block: Block, follower: Block) -> bool:
    if follower.kind in ("example", "table"):
        return block.kind != follower.kind
    return (block.kind, follower.kind) == ("text", "item")


def _inner(block: Block) -> str:
    return "\n" if block.kind == "table" else " "


def _texts(block: Block, room: int, left: int) -> list[str]:
    """Return the rows of a table; else a block whole if it fits into what is left, or sentences."""
    if block.kind == "table":
        return block.text.split("\n")
    if block.kind == "example" or len(block.text) <= left:
        return [block.text]
    return cut(block.text, room)
