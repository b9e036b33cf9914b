"""Indexes that a process keeps in memory, so that several queries index the same texts once."""

from __future__ import annotations

from collections import OrderedDict
from collections.abc import Callable, Hashable, Sequence
from typing import Any, Protocol, TypeVar

from src.records import Paragraph


class Sized(Protocol):
    """What knows about how much memory it takes."""

    @property
    def nbytes(self) -> int:
        """Its size in bytes, roughly."""


Kept = TypeVar("Kept", bound=Sized)


class RecentIndexes:
    """The last few indexes. Holds ``limit`` bytes at most, or two indexes.

    Found by few of the paragraphs and then compared: comparing a list with itself costs next to
    nothing, hashing 50,000 texts more than a query.
    """

    def __init__(self, limit: int) -> None:
        self.limit = limit
        self._kept: OrderedDict[Hashable, tuple[Sequence[Paragraph], Any]] = OrderedDict()

    def get(
        self, settings: Hashable, paragraphs: Sequence[Paragraph], build: Callable[[], Kept]
    ) -> Kept:
        """Return the index of these paragraphs under these settings; build it where new."""
        key = (settings, len(paragraphs), *paragraphs[:1], *paragraphs[-1:])
        if key in self._kept and self._kept[key][0] == paragraphs:
            self._kept.move_to_end(key)
            return self._kept[key][1]  # type: ignore[no-any-return]
        index = build()
        # A copy, because a list can change; of a tuple this makes none.
        self._kept[key] = (paragraphs[:], index)
        self._kept.move_to_end(key)
        while (
            len(self._kept) > 2 and sum(one.nbytes for _, one in self._kept.values()) > self.limit
        ):
            self._kept.popitem(last=False)
        return index

    def clear(self) -> None:
        """Forget all indexes."""
        self._kept.clear()


# One for the process: the jobs of a sweep each make their own retriever. Enough for about 100 whole
# grammars under bm25s; those that are let go of come from the term store again.
RECENT = RecentIndexes(limit=2**29)
