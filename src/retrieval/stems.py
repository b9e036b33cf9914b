"""Terms whose English words are cut to their stems, so that singular and plural meet."""

from __future__ import annotations

from collections.abc import Sequence
from importlib import metadata


def stemmed(documents: Sequence[Sequence[str]]) -> list[list[str]]:
    """Cut the terms that have only the letters a to z to their stems (Snowball, English).

    What has other letters, digits or a boundary sign is of the language described, more likely
    than not, and stays as it is.
    """
    import Stemmer

    stem = Stemmer.Stemmer("english").stemWord
    distinct = {term for terms in documents for term in terms}
    stems = {term: stem(term) if term.isascii() and term.isalpha() else term for term in distinct}
    return [[stems[term] for term in terms] for terms in documents]


def stemmer_version() -> str:
    """Return the version of what makes stems, on which they depend."""
    return f"PyStemmer {metadata.version('PyStemmer')}"
