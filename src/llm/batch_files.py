"""Files of the Batch API: a line of JSON for each request, as many as a batch may have."""

from __future__ import annotations

import hashlib
import json
from collections import deque
from collections.abc import Iterable
from dataclasses import dataclass
from typing import Final

from src.llm.request import Request

URL: Final = "/v1/chat/completions"
MEGABYTE = 1_000_000


@dataclass(frozen=True)
class Part:
    """The requests of one batch, and the file that says them."""

    requests: tuple[Request, ...]
    content: bytes

    @property
    def digest(self) -> str:
        """Tell which requests these are, in any order."""
        return digest_of(request.key for request in self.requests)


def line_of(request: Request) -> bytes:
    """Return a request as a line of a batch's file; its key is its ``custom_id``.

    Plain ASCII: of other line separators within a string (U+2028), some readers make line ends.
    """
    row = {"custom_id": request.key, "method": "POST", "url": URL, "body": request.body}
    return json.dumps(row, allow_nan=False).encode("ascii") + b"\n"


def take_part(waiting: deque[Request], *, requests: int, megabytes: float) -> Part:
    """Take requests from the front: as many as the limits allow, all to one model, at least one.

    Endpoints refuse a file that asks several models.
    """
    taken: list[Request] = []
    lines: list[bytes] = []
    size = 0
    while waiting and len(taken) < requests:
        line = line_of(waiting[0])
        if taken and size + len(line) > megabytes * MEGABYTE:
            break
        if taken and waiting[0].body.get("model") != taken[0].body.get("model"):
            break
        taken.append(waiting.popleft())
        lines.append(line)
        size += len(line)
    return Part(tuple(taken), b"".join(lines))


def digest_of(keys: Iterable[str]) -> str:
    """Return a digest of a set of keys."""
    return hashlib.sha256("\n".join(sorted(keys)).encode()).hexdigest()
