"""The few frozen records that flow through all of Grambench."""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass, field
from pathlib import Path

import numpy as np
import numpy.typing as npt

Scores = npt.NDArray[np.float64]


@dataclass(frozen=True, slots=True)
class Grammar:
    """A reference grammar and the language that it describes; what is unknown is ``""``."""

    id: str
    language: str
    title: str = ""
    author: str = ""
    year: str = ""
    glottocode: str = ""
    iso: str = ""
    family: str = ""
    genus: str = ""
    macroarea: str = ""
    licence: str = ""


@dataclass(frozen=True, slots=True)
class Paragraph:
    """A paragraph of a grammar: NFC text, its 1-based pages in the PDF, and where it stands.

    ``section`` are the headings above it, outermost first, with `` > `` between them; ``label`` is
    the label of the innermost in LaTeX. Both are ``""`` where unknown.
    """

    id: str
    grammar: str
    text: str
    pages: tuple[int, ...] = ()
    section: str = ""
    label: str = ""


@dataclass(frozen=True, slots=True)
class Document:
    """A file from which a whole grammar was read; a pack has its full text.

    ``made_with`` tells the settings and the reader's version, ``sha256`` the content that was
    read. The shares are between 0 and 1: U+FFFD among the characters, words that stand nowhere
    else in the book among the words, near-empty pages and pages with suspected columns among the
    pages, paragraphs with a LaTeX command left in them among the paragraphs.
    """

    grammar: str
    file: str
    form: str
    sha256: str
    made_with: str
    pages: int = 0
    characters: int = 0
    replaced: float = 0.0
    unknown_words: float = 0.0
    empty_pages: float = 0.0
    columns: float = 0.0
    residue: float = 0.0


@dataclass(frozen=True, slots=True)
class Grade:
    """How well a paragraph lets a linguist determine a feature's value, 0 to 5 (MTOB, 4.1)."""

    feature: str
    paragraph: str
    grade: int


@dataclass(frozen=True, slots=True)
class Search:
    """What is asked of retrievers and rerankers: the texts, and the names that they go by."""

    feature: str
    query: str
    query_name: str
    instruct: str = ""
    instruct_name: str = "none"


@dataclass(frozen=True, slots=True)
class Ranking:
    """Candidates from best to worst.

    ``order`` holds positions in the candidate list, ``scores`` the score of each of them, in the
    same order; a retriever that keeps only the k best returns the shorter arrays.
    """

    order: npt.NDArray[np.intp]
    scores: Scores


@dataclass(frozen=True)
class Result:
    """What a task found out.

    ``metrics`` are single figures, ``curves`` figures over steps (the first is step 1),
    ``tables`` sample-level rows, ``figures`` functions that draw into the file they are given,
    ``texts`` what was asked and sent,
    ``notes`` what a reader must know to take the figures rightly; ``headline`` names the metrics
    to show first.
    """

    metrics: Mapping[str, float]
    curves: Mapping[str, Sequence[float]] = field(default_factory=dict)
    tables: Mapping[str, Sequence[Mapping[str, object]]] = field(default_factory=dict)
    figures: Mapping[str, Callable[[Path], None]] = field(default_factory=dict)
    texts: Mapping[str, str] = field(default_factory=dict)
    notes: Sequence[str] = ()
    headline: Sequence[str] = ()
