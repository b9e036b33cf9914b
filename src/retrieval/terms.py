"""From text to terms: what BM25 counts."""

from __future__ import annotations

import unicodedata
from collections.abc import Callable, Sequence
from functools import cache

from src.errors import GrambenchError, suggest

TERMS = ("words", "stems", "lemmas")

BatchTerms = Callable[[Sequence[str]], list[list[str]]]

# Characters that look and mean the same; both apostrophes are typed for one another everywhere.
_SAME = (("\u2010", "-"), ("\u2011", "-"), ("\u223c", "~"), ("\u2019", "'"))


@cache
def _patterns() -> tuple[Callable[[str, str], str], Callable[[str], list[str]]]:
    """Return what removes invisible characters, and what finds terms in folded text."""
    import regex  # type: ignore[import-untyped, unused-ignore]

    # Beyond letters: tone and stress signs. "a-z" first, and signs looked at before what is around
    # them, make it twice as fast.
    letter = r"[a-z\p{L}\p{M}\p{N}\u02b0-\u02ff\ua700-\ua716]"
    piece = rf"{letter}+(?:'{letter}+)*"
    starts = rf"[-=~](?<!{letter}'?.|[-=~].)"
    inside = rf"[=~](?<={letter}'?.)"
    ends = rf"[-=~](?!'?{letter}|[-=~])"
    # A soft hyphen takes the line break after it along; a zero width space parts words.
    unseen = regex.compile(r"\u00ad\s*[\n\r]\s*|(?!\u200b)\p{Cf}")
    term = regex.compile(rf"(?:{starts}|{inside})?{piece}(?:{ends})?")
    return unseen.sub, term.findall


def _fold(text: str) -> str:
    """Bring letters that count as the same to the same code points."""
    unseen, _ = _patterns()
    text = unicodedata.normalize("NFC", unseen("", text)).casefold()
    text = unicodedata.normalize("NFC", text)
    for sign, same in _SAME:
        text = text.replace(sign, same)
    return text


def words(text: str) -> list[str]:
    """Split a text into its terms: case-folded, NFC, in order, with repeats.

    - A term is a run of letters, digits, combining marks, modifier letters and tone signs, single
      letters too, with apostrophes inside it (``'`` and ``’`` alike; ``ʼ`` is a letter).
    - A boundary sign ``-``, ``=`` or ``~`` at the free edge of such a run stays: ``-ka``, ``ka-``,
      ``-ka-``, ``=ka`` and ``ka`` are five terms.
    - Inside, a hyphen parts (``verb-final``: ``verb``, ``final``), and ``=`` and ``~`` go with
      what follows (``mbi=ka``: ``mbi``, ``=ka``).
    - Two signs in a row are a dash. Dashes (– and longer), minus and all else only part.
    - Hyphens U+2010 and U+2011 are hyphens. Soft hyphens (with a line break after them), joiners
      and direction marks vanish; a zero width space parts. Words broken by a plain hyphen at the
      end of a line stay broken: whether the hyphen belongs to the word cannot be told.
    """
    _, find = _patterns()
    return find(_fold(text))


def _batch_words(texts: Sequence[str]) -> list[list[str]]:
    # One object a distinct term: a grammar repeats each of its terms tens of times.
    same: dict[str, str] = {}
    return [[same.setdefault(term, term) for term in words(text)] for text in texts]


def get_terms(name: str, lemmas_model: str = "en_core_web_sm") -> BatchTerms:
    """Return the function that ``retriever.terms`` names: a list of texts to their terms.

    Raises GrambenchError for an unknown name.
    """
    if name == "words":
        return _batch_words
    if name == "stems":
        from src.retrieval.stems import stemmed

        return lambda texts: stemmed(_batch_words(texts))
    if name == "lemmas":
        from src.retrieval.lemmas import lemmas

        return lambda texts: lemmas(texts, lemmas_model)
    raise GrambenchError(
        f"retriever.terms is '{name}', but must be one of: {', '.join(TERMS)}."
        f"{suggest(name, TERMS)}"
    )


def terms_version(name: str, lemmas_model: str) -> str | None:
    """Return the version of the foreign rules that make such terms; None where there are none.

    Raises GrambenchError where spaCy or its pipeline is wanted and not there.
    """
    if name == "stems":
        from src.retrieval.stems import stemmer_version

        return stemmer_version()
    if name == "lemmas":
        from src.retrieval.lemmas import pipeline_version

        return pipeline_version(lemmas_model)
    return None
