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


@dataclass(frozen=True, slots=True)
class RecordedReply:
    """What somebody's LLM replied on a grammar, and the label that was released for the reply.

    ``setting`` names what was asked with (``baseline``, ``bm25_cot`` ...), ``repeat`` counts from
    0; ``label`` is as released, ``""`` where none was.
    """

    feature: str
    setting: str
    repeat: int
    grammar: str
    text: str
    label: str = ""


@dataclass(frozen=True, slots=True)
class Message:
    """A message to an LLM; ``role`` is system, user or assistant."""

    role: str
    content: str


@dataclass(frozen=True, slots=True)
class Question:
    """One thing to ask an LLM.

    ``id`` tells what it is about (a grammar's id); with ``repeat``, the number of the time that
    it is asked, it is unique in a run. ``schema`` is a JSON schema that the reply must follow;
    ``params`` are parameters of the request that take the place of the card's.
    """

    id: str
    messages: tuple[Message, ...]
    repeat: int = 0
    schema: Mapping[str, object] | None = None
    params: Mapping[str, object] = field(default_factory=dict)


@dataclass(frozen=True, slots=True)
class Reply:
    """What an LLM replied.

    ``finish`` is why it ended: ``stop``, ``length`` (cut off) or ``content_filter`` / ``refusal``.
    ``reasoning`` is what the server gave apart from the text. Token counts are None where the
    server gave none, ``usd`` where no price is known. ``seconds`` is the latency, ``at`` the time
    of arrival (UTC, ISO 8601), ``model`` the model that the server named. ``stored`` tells that it
    was in the reply store already. ``label`` is the label released with a recorded reply;
    ``logprobs`` the server's, per token, where they were asked for.
    """

    text: str
    finish: str = "stop"
    reasoning: str = ""
    model: str = ""
    prompt_tokens: int | None = None
    cached_tokens: int | None = None
    completion_tokens: int | None = None
    usd: float | None = None
    seconds: float = 0.0
    at: str = ""
    stored: bool = False
    label: str | None = None
    logprobs: Sequence[Mapping[str, object]] | None = None


@dataclass(frozen=True, slots=True)
class Failure:
    """Why there is no reply to a question.

    ``kind`` is ``too_long`` (the prompt does not fit the context), ``budget`` (not sent, the budget
    would be exceeded), ``rejected`` (the server will not take it: asking again is no use) or
    ``server`` (it failed again and again).
    """

    kind: str
    error: str


@dataclass(frozen=True, slots=True)
class Answer:
    """What a reply says of a feature: a label for each part, or why there is none.

    ``labels`` map a part's id (``""`` for a feature of one part) to a label of the feature's;
    empty unless ``status`` is ``parsed``. The other statuses are ``unparsed``, ``empty``,
    ``cut_off`` and ``refused``. ``found`` is the piece of the reply that was read.
    """

    status: str
    labels: Mapping[str, str] = field(default_factory=dict)
    found: str = ""


@dataclass(frozen=True)
class Estimate:
    """What a run would ask: requests, those stored already, tokens, cost and time of the rest.

    ``usd`` and ``seconds`` are None where no price or no earlier latency is known;
    ``completion_tokens`` is what is expected, ``most_usd`` the cost if every reply is as long as it
    may be.
    """

    requests: int
    stored: int
    prompt_tokens: int
    completion_tokens: int
    usd: float | None = None
    most_usd: float | None = None
    seconds: float | None = None
    notes: Sequence[str] = ()


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
