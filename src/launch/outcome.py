"""How a run ended."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field


@dataclass(frozen=True)
class Outcome:
    """A run's end: ``finished``, ``reused`` (it was there already), ``failed`` or ``skipped``.

    ``curves`` and ``metrics`` are the result's, ``headline`` names the metrics to show first.
    """

    name: str
    status: str
    identity: str = ""
    run_id: str = ""
    folder: str = ""
    seconds: float = 0.0
    error: str = ""
    metrics: Mapping[str, float] = field(default_factory=dict)
    curves: Mapping[str, Sequence[float]] = field(default_factory=dict)
    headline: Sequence[str] = ()
    notes: Sequence[str] = ()

    @property
    def succeeded(self) -> bool:
        """Whether there is a result."""
        return self.status in ("finished", "reused")
