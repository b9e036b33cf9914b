"""Where a query's terms stand in a text, folded as retrievers fold them."""

from __future__ import annotations

import re
from collections.abc import Collection

from src.retrieval.terms import words

Span = tuple[int, int]

# Words that stand in every paragraph: marked, they would hide what was looked for.
_EVERYWHERE = frozenset(
    words(
        "a an and are as at be by for from had has have how in is it its of on or s such than that "
        "the their them they this to was were what when where which who with"
    )
)
_CHUNK = re.compile(r"\S+")


def marked_terms(query: str) -> frozenset[str]:
    """Return the terms of a query that are worth marking."""
    terms = frozenset(words(query))
    return terms - _EVERYWHERE or terms


def spans(text: str, terms: Collection[str]) -> list[Span]:
    """Return where the terms stand in a text, as (start, end)."""
    found: list[Span] = []
    for chunk in _CHUNK.finditer(text):
        found.extend(
            (chunk.start() + start, chunk.start() + end)
            for start, end in _in_chunk(chunk.group(), terms)
        )
    return found


def _in_chunk(chunk: str, terms: Collection[str]) -> list[Span]:
    own = words(chunk)
    if not any(term in terms for term in own):
        return []
    folded = chunk.casefold().replace("’", "'").replace("\u2010", "-").replace("\u2011", "-")
    found: list[Span] = []
    place = 0
    for term in own:
        start = folded.find(term, place)
        if start < 0 or len(folded) != len(chunk):
            # Folding has moved the letters about: then the whole chunk is marked.
            return [(0, len(chunk))]
        place = start + len(term)
        if term in terms:
            found.append((start, place))
    return found
