"""What a reply store holds: how much of which model, asked in which way."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass
from unicodedata import normalize

from src.errors import GrambenchError, suggest
from src.llm.kept import KeptReply
from src.llm.received import fault_of, reply_of
from src.llm.store import ReplyStore
from src.records import Reply

# Seeds differ from repeat to repeat, which makes no other setting.
_SQL = """
SELECT model, revision, json_remove(settings, '$.seed') AS sampling, count(*),
    count(DISTINCT repeat), sum(prompt_tokens), sum(completion_tokens), sum(usd),
    avg(CASE WHEN batch THEN NULL ELSE seconds END), min(at), max(at)
FROM replies WHERE (:model = '' OR model = :model) AND (:before = '' OR at < :before AND at <> '')
GROUP BY model, revision, sampling ORDER BY model, revision, sampling
"""


@dataclass(frozen=True, slots=True)
class Surveyed:
    """Replies of a model with the same sampling (``settings``, as JSON, without the seed).

    Tokens and ``usd`` are None where no reply tells them, ``seconds`` (the mean latency) where all
    came in batches; ``first`` and ``last`` are times of arrival.
    """

    model: str
    revision: str
    settings: str
    replies: int
    repeats: int
    prompt_tokens: int | None
    completion_tokens: int | None
    usd: float | None
    seconds: float | None
    first: str
    last: str


def survey(store: ReplyStore, *, model: str = "", before: str = "") -> list[Surveyed]:
    """Return what a store holds, by model and settings."""
    rows = store.file.read(_SQL, {"model": model, "before": before})
    return [Surveyed(*row) for row in rows]


def check_model(store: ReplyStore, model: str) -> None:
    """Raise GrambenchError where a store has no reply of a model."""
    known = [name for (name,) in store.file.read("SELECT DISTINCT model FROM replies ORDER BY 1")]
    if model and model not in known:
        there = f"It has: {', '.join(known)}." if known else "It is empty."
        raise GrambenchError(
            f"The reply store {store.path} has no reply of a model '{model}'."
            f"{suggest(model, known)} {there}"
        )


def find(
    store: ReplyStore, *, model: str = "", contains: str = "", prefix: str = ""
) -> Iterator[KeptReply]:
    """Yield replies, sorted by key; ``contains`` is looked for in prompts and replies.

    Case does not count.
    """
    sought = _plain(contains)
    for kept in store.replies(model=model, prefix=prefix):
        if not sought or any(sought in _plain(text) for text in texts_of(kept)):
            yield kept


def texts_of(kept: KeptReply) -> list[str]:
    """Return the texts of a request's messages, and of the reply to it."""
    said = said_by(kept)
    return [*(text for _, text in messages_of(kept)), said.reasoning, said.text]


def messages_of(kept: KeptReply) -> list[tuple[str, str]]:
    """Return role and content of a request's messages."""
    messages = kept.body.get("messages", [])
    return [(str(message.get("role")), str(message.get("content"))) for message in messages]


def said_by(kept: KeptReply) -> Reply:
    """Return a reply as it is read; an empty one where the response cannot be read."""
    if fault_of(kept.raw):
        return Reply(text="", seconds=kept.seconds, at=kept.at)
    return reply_of(kept.raw, price=None, batch=kept.batch, seconds=kept.seconds, at=kept.at)


def _plain(text: str) -> str:
    return normalize("NFC", text).casefold()
