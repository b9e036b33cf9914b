"""What a language model has done for a run, as metrics."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterable

from src.records import Failure, Reply


class Usage:
    """Counts requests, and the tokens and dollars of those that were sent."""

    def __init__(self) -> None:
        self._counts: Counter[str] = Counter()
        self._usd: float | None = None

    def add(self, outcomes: Iterable[Reply | Failure], retries: int = 0) -> None:
        """Count what became of different requests."""
        self._counts["retries"] += retries
        for outcome in outcomes:
            self._counts["requests"] += 1
            if isinstance(outcome, Failure):
                continue
            if outcome.stored:
                self._counts["stored"] += 1
                continue
            self._counts["prompt_tokens"] += outcome.prompt_tokens or 0
            self._counts["cached_tokens"] += outcome.cached_tokens or 0
            self._counts["completion_tokens"] += outcome.completion_tokens or 0
            if outcome.usd is not None:
                self._usd = (self._usd or 0.0) + outcome.usd

    def metrics(self) -> dict[str, float]:
        """Return ``usage/requests`` and, of the others, those that are not 0."""
        found: dict[str, float] = {"usage/requests": self._counts["requests"]}
        found |= {f"usage/{name}": n for name, n in self._counts.items() if n}
        if self._usd is not None:
            found["usage/usd"] = self._usd
        return found
