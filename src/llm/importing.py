"""Replies from files: each line is checked, and none takes the place of another request's."""

from __future__ import annotations

import json
from collections.abc import Iterator, Mapping
from dataclasses import dataclass, field
from datetime import UTC, datetime
from pathlib import Path
from typing import Any

from src.errors import GrambenchError
from src.llm.kept import KeptReply, keep
from src.llm.received import fault_of
from src.llm.request import request_key
from src.llm.store import ReplyStore

_AT_ONCE = 200
_LONGEST = 100_000_000  # bytes of a line
_DEEPEST = 100
_MOST = 1e12  # seconds, or dollars


class _Fault(Exception):
    """What is wrong with a line."""


@dataclass
class Imported:
    """How many replies were new and how many there already, and the faults of lines by number."""

    new: int = 0
    known: int = 0
    faults: list[tuple[int, str]] = field(default_factory=list)


def import_replies(store: ReplyStore, path: Path) -> Imported:
    """Add the replies of an export (JSON lines) to a store; what is there already stays.

    A reply's key is worked out from its request, so that a file can add replies to requests of
    its own, but none under a key that belongs to another. They count for nobody's budget.

    Raises:
        GrambenchError: the file cannot be read, or is no JSON lines.
    """
    check_file(path)
    imported = Imported()
    waiting: list[KeptReply] = []
    for number, line in _lines(path):
        try:
            waiting.append(read_line(line))
        except (_Fault, GrambenchError) as fault:
            imported.faults.append((number, str(fault)))
        if len(waiting) == _AT_ONCE:
            _add(store, waiting, imported)
            waiting = []
    _add(store, waiting, imported)
    return imported


def check_file(path: Path) -> None:
    """Raise GrambenchError where a file is none that can be imported."""
    if path.suffix != ".jsonl":
        raise GrambenchError(
            f"{path}: only .jsonl files are imported; export one with that ending."
        )
    if not path.is_file():
        raise GrambenchError(f"There is no file {path}.")


def _add(store: ReplyStore, replies: list[KeptReply], imported: Imported) -> None:
    new = store.add(replies)
    imported.new += new
    imported.known += len(replies) - new


def _lines(path: Path) -> Iterator[tuple[int, bytes]]:
    try:
        with path.open("rb") as file:
            number = 1
            while line := file.readline(_LONGEST):
                if line.strip():
                    yield number, line
                while line and not line.endswith(b"\n"):  # the rest of one that is cut off
                    line = file.readline(_LONGEST)
                number += 1
    except OSError as error:
        raise GrambenchError(f"{path} cannot be read: {error.strerror or error}.") from error


def read_line(line: bytes) -> KeptReply:
    """Return the reply that a line holds."""
    row = _row(line)
    body, raw = _body(row), _raw(row)
    revision, repeat = row.get("revision", ""), row.get("repeat", 0)
    if not _is_text(revision):
        raise _Fault("its revision is no text")
    if not isinstance(repeat, int) or isinstance(repeat, bool) or not 0 <= repeat < 2**31:
        raise _Fault("its repeat is no whole number from 0")
    if not isinstance(row.get("batch", False), bool):
        raise _Fault("its batch is neither true nor false")
    key = request_key(body, revision, repeat)
    if row.get("key", key) != key:
        raise _Fault("its key is not that of its request")
    seconds = _amount(row, "seconds")
    return keep(
        key,
        body=body,
        raw=raw,
        seconds=0.0 if seconds is None else seconds,
        at=_at(row.get("at", "")),
        usd=_amount(row, "usd"),
        batch=row.get("batch", False),
        repeat=repeat,
        revision=revision,
    )


def _row(line: bytes) -> Mapping[str, Any]:
    if len(line) == _LONGEST:
        raise _Fault(f"it is longer than {_LONGEST:,} bytes")
    try:
        row = json.loads(line.decode("utf-8-sig"))
    except UnicodeDecodeError:
        raise _Fault("it is not UTF-8") from None
    except (ValueError, RecursionError):
        raise _Fault("it is no JSON") from None
    if not isinstance(row, dict):
        raise _Fault("it is no JSON object")
    if _is_deep(row):
        raise _Fault("it is nested too deeply")
    return row


def _is_deep(value: object) -> bool:
    """Tell whether values stand in values in values so far that others cannot read them."""
    level = [value]
    for _ in range(_DEEPEST):
        inner = [list(one.values()) if isinstance(one, dict) else one for one in level]
        level = [two for one in inner if isinstance(one, list) for two in one]
    return bool(level)


def _body(row: Mapping[str, Any]) -> Mapping[str, Any]:
    body = row.get("body")
    if not isinstance(body, dict) or not body.get("model") or not _is_text(body["model"]):
        raise _Fault("it has no body with a model")
    messages = body.get("messages")
    if not isinstance(messages, list) or not messages or not all(map(_is_message, messages)):
        raise _Fault("its body has no messages, each with a role and a content")
    return body


def _is_text(value: object) -> bool:
    """Tell whether a value is a text that can be stored: half a surrogate pair cannot."""
    try:
        return isinstance(value, str) and value.encode("utf-8") is not None
    except UnicodeEncodeError:
        return False


def _is_message(message: object) -> bool:
    return isinstance(message, dict) and all(
        isinstance(message.get(name), str) for name in ("role", "content")
    )


def _raw(row: Mapping[str, Any]) -> Mapping[str, Any]:
    raw = row.get("raw")
    if fault := fault_of(raw):
        raise _Fault(f"its raw is no reply: {fault}")
    assert isinstance(raw, dict)
    return raw


def _amount(row: Mapping[str, Any], name: str) -> float | None:
    value = row.get(name)
    if value is None:
        return None
    if isinstance(value, bool) or not isinstance(value, int | float):
        raise _Fault(f"its {name} is no number")
    if not 0 <= value < _MOST:
        raise _Fault(f"its {name} cannot be {value}")
    return float(value)


def _at(value: object) -> str:
    """Return a time in UTC, so that times can be compared; ``""`` where it is not known."""
    if value == "":
        return ""
    try:
        time = datetime.fromisoformat(str(value))
        if time.tzinfo is None:
            time = time.replace(tzinfo=UTC)
        return time.astimezone(UTC).isoformat()
    except (ValueError, OverflowError):
        raise _Fault(f"its at is no time in ISO 8601: {str(value)[:40]!r}") from None
