"""The terms of a list of paragraphs, in order or counted."""

from __future__ import annotations

from dataclasses import dataclass
from functools import cached_property
from itertools import chain

import numpy as np
import numpy.typing as npt

Ints = npt.NDArray[np.int64]


@dataclass(frozen=True)
class Counted:
    """How often each document has each term.

    ``vocabulary`` is in order of first occurrence; ``frequencies`` says of how many documents each
    term is; ``places`` and ``counts`` are the document and the count of every pair of a term and a
    document that has it, sorted by term, then by document; ``lengths`` are the documents' numbers
    of terms, repeats counted.
    """

    vocabulary: list[str]
    frequencies: Ints
    places: Ints
    counts: Ints
    lengths: Ints

    @property
    def terms(self) -> Ints:
        """The term of every pair, as its place in the vocabulary."""
        return np.repeat(np.arange(len(self.vocabulary)), self.frequencies)


class Documents:
    """Terms, document by document; lists and counts are made of one another where asked for."""

    def __init__(
        self, lists: list[list[str]] | None = None, counted: Counted | None = None
    ) -> None:
        if lists is not None:
            self.lists = lists
        if counted is not None:
            self.counted = counted

    @cached_property
    def counted(self) -> Counted:
        """The counts."""
        return _count(self.lists)

    @cached_property
    def lists(self) -> list[list[str]]:
        """Each document's terms with repeats; those made of counts come in the vocabulary's order.

        That changes nothing of what a bag of words can tell, order of first occurrence included.
        """
        return _spell_out(self.counted)

    def __len__(self) -> int:
        return len(self.lists if "lists" in self.__dict__ else self.counted.lengths)

    def any(self) -> bool:
        """Tell whether there is a term at all."""
        return any(self.lists) if "lists" in self.__dict__ else bool(self.counted.vocabulary)


def _count(documents: list[list[str]]) -> Counted:
    vocabulary = {term: i for i, term in enumerate(dict.fromkeys(chain.from_iterable(documents)))}
    lengths = np.array([len(document) for document in documents], dtype=np.int64)
    flat = np.fromiter(
        map(vocabulary.__getitem__, chain.from_iterable(documents)), np.int64, int(lengths.sum())
    )
    n = max(len(documents), 1)
    pairs, counts = np.unique(
        flat * n + np.repeat(np.arange(len(documents)), lengths), return_counts=True
    )
    frequencies = np.bincount(pairs // n, minlength=len(vocabulary))
    return Counted(list(vocabulary), frequencies, pairs % n, counts, lengths)


def _spell_out(counted: Counted) -> list[list[str]]:
    order = np.argsort(counted.places, kind="stable")
    flat = np.repeat(counted.terms[order], counted.counts[order])
    spelt = [counted.vocabulary[term] for term in flat.tolist()]
    ends = np.cumsum(counted.lengths).tolist()
    return [spelt[start:end] for start, end in zip([0, *ends], ends, strict=False)]
