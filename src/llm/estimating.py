"""What a run would ask, before anything is sent."""

from __future__ import annotations

from collections.abc import Iterable, Mapping

from src.llm.budget import Count, longest
from src.llm.card import ChatCard
from src.llm.received import cost
from src.llm.request import Request
from src.llm.store import ReplyStore
from src.llm.survey import survey
from src.records import Estimate


def estimate(
    requests: Mapping[str, Request],
    stored: Iterable[str],
    *,
    card: ChatCard,
    store: ReplyStore,
    count: Count,
    counted_by: str,
) -> Estimate:
    """Return requests (by key), how many are stored, and tokens, cost and time of the rest."""
    there = set(stored)
    missing = [request for key, request in requests.items() if key not in there]
    prompts = sum(count(request.question.messages) for request in missing)
    most = sum(longest(request, card) for request in missing)
    mean, known = _mean_completion(store, card.model)
    expected = min(round(mean * len(missing)), most) if known else most
    batch = card.mode == "batch"
    latency, timed = store.latencies(card.model)
    seconds = latency * len(missing) / min(card.concurrency, len(missing) or 1)
    return Estimate(
        requests=len(requests),
        stored=len(requests) - len(missing),
        prompt_tokens=prompts,
        completion_tokens=expected,
        usd=cost(prompts, expected, card.price, batch=batch) if missing else 0.0,
        most_usd=cost(prompts, most, card.price, batch=batch) if missing else 0.0,
        seconds=seconds if timed and not batch else (None if missing else 0.0),
        notes=_notes(card, known, counted_by) if missing else (),
    )


def _mean_completion(store: ReplyStore, model: str) -> tuple[float, int]:
    """Return the mean length of a model's stored replies in tokens, and of how many."""
    told = [some for some in survey(store, model=model) if some.completion_tokens is not None]
    replies = sum(some.replies for some in told)
    return sum(some.completion_tokens or 0 for some in told) / (replies or 1), replies


def _notes(card: ChatCard, known: int, counted_by: str) -> tuple[str, ...]:
    expected = (
        f"Replies are expected to be as long as the {known} of {card.model} in the store are."
        if known
        else f"No reply of {card.model} is stored: each is expected to have max_tokens="
        f"{card.max_tokens} tokens, the most it can have."
    )
    price = f"Prices are those of {card.price['date']}." if card.price.get("date") else ""
    return tuple(
        note for note in (f"Prompt tokens are counted by {counted_by}.", expected, price) if note
    )
