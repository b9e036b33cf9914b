"""What becomes of a request."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
from typing import Any


@dataclass(frozen=True)
class Received:
    """A response that is a reply, its latency in seconds, and when it came (UTC, ISO 8601)."""

    raw: Mapping[str, Any]
    seconds: float
    at: str


@dataclass(eq=False)
class Again(Exception):
    """It failed, and may do better next time.

    ``too_many``: the endpoint is sent too much. ``wait``: seconds after which it will take more.
    ``nobody``: nobody listens at its address.
    """

    why: str
    too_many: bool = False
    wait: float | None = None
    nobody: bool = False


@dataclass(eq=False)
class Never(Exception):
    """It failed, and asking again is no use; ``kind`` is a Failure's."""

    kind: str
    why: str
