"""Files that a batch leaves behind: replies, errors, and what should not be in them."""

from __future__ import annotations

import json
from collections.abc import Collection, Iterator, Mapping, Sequence
from dataclasses import dataclass, field
from typing import Any

from src.errors import GrambenchError
from src.llm.outcomes import Never
from src.llm.received import fault_of, short
from src.llm.refusals import refused
from src.records import Failure

# beginnings of the codes of errors that asking again does not mend
_FINAL = ("invalid_", "unsupported_", "content_", "insufficient_quota", "billing_", "model_not")


@dataclass(frozen=True)
class Unanswered:
    """Why a request has no reply, and whether it may get one when it is asked again."""

    failure: Failure
    again: bool


@dataclass
class Results:
    """What a batch's files say, by key.

    ``remarks`` tell of lines that should not be there, ``strangers`` are the names in lines that
    answer none of the requests; ``broken`` tells that a line could not be read.
    """

    replies: dict[str, Mapping[str, Any]] = field(default_factory=dict)
    unanswered: dict[str, Unanswered] = field(default_factory=dict)
    remarks: list[str] = field(default_factory=list)
    strangers: list[str] = field(default_factory=list)
    broken: bool = False


def read_results(files: Sequence[bytes], keys: Collection[str]) -> Results:
    """Read a batch's output and error files; ``keys`` are the requests that it was made of.

    No line is fatal for the others. Of two replies to one request the first counts, and a reply
    counts more than an error.
    """
    results = Results()
    known = frozenset(keys)
    for content in files:
        for number, row in _rows(content):
            if not isinstance(row, Mapping):
                results.broken = True
                results.remarks.append(f"line {number} of a result file cannot be read")
                continue
            _take(row, known, results)
    for key in results.replies:
        results.unanswered.pop(key, None)
    return results


def unanswered_of(code: str, message: str, status: int | None = None) -> Unanswered:
    """Return what an error means; ``status`` is the response's, None where there was none."""
    said = ": ".join(part for part in (code, message) if part) or "an error without a message"
    if status is None:
        again = not code.startswith(_FINAL)
        return Unanswered(Failure("server" if again else "rejected", said), again)
    fault = refused(status, {}, json.dumps({"error": {"code": code, "message": said}}))
    if isinstance(fault, GrambenchError):  # what ends a run online is only this request's here
        return Unanswered(Failure("rejected", f"HTTP {status}: {said}"), again=False)
    if isinstance(fault, Never):
        return Unanswered(Failure(fault.kind, fault.why), again=False)
    return Unanswered(Failure("server", fault.why), again=True)


def _rows(content: bytes) -> Iterator[tuple[int, object]]:
    for number, line in enumerate(content.split(b"\n"), 1):
        if line.strip():
            yield number, _json(line)


def _json(line: bytes) -> object:
    try:
        return json.loads(line)
    except (ValueError, RecursionError):
        return None


def _take(row: Mapping[str, Any], known: frozenset[str], results: Results) -> None:
    key = row.get("custom_id")
    if not isinstance(key, str) or key not in known:
        results.strangers.append(short(str(key)))
        return
    raw, unanswered = _outcome(row)
    if key in results.replies or (unanswered and key in results.unanswered):
        results.remarks.append(f"request {key[:12]} is answered twice; the first answer counts")
    elif unanswered:
        results.unanswered[key] = unanswered
    else:
        results.replies[key] = raw


def _outcome(row: Mapping[str, Any]) -> tuple[Mapping[str, Any], Unanswered | None]:
    """Return a line's response and, where it is no reply, why not."""
    response = row.get("response")
    if not isinstance(response, Mapping):
        return {}, unanswered_of(*_error(row.get("error")))
    status, body = response.get("status_code"), response.get("body")
    if status != 200:
        error = body.get("error") if isinstance(body, Mapping) else None
        known = status if isinstance(status, int) else None
        return {}, unanswered_of(*_error(error or row.get("error")), known)
    fault = fault_of(body)
    if fault or not isinstance(body, Mapping):
        return {}, unanswered_of("", fault or "the response is no JSON object")
    return body, None


def _error(error: object) -> tuple[str, str]:
    if not isinstance(error, Mapping):
        return "", short(str(error or ""))
    return str(error.get("code") or ""), short(str(error.get("message") or ""))
