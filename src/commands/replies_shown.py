"""Replies as text for the terminal."""

from __future__ import annotations

import json
import re
from collections.abc import Sequence
from pathlib import Path

from src.llm.batch_ledger import age_of, state_of
from src.llm.kept import KeptReply, settings_of
from src.llm.stored_batches import StoredBatch
from src.llm.survey import Surveyed, messages_of, said_by

_BEGINNING = 12  # characters of a key that tell replies apart
_SNIPPET = 60
_FAULTS = 20

# What a terminal would obey instead of showing it.
_CONTROLS = re.compile(r"[\x00-\x08\x0b-\x1f\x7f-\x9f\u202a-\u202e\u2066-\u2069]")


def overview(path: Path, rows: Sequence[Surveyed]) -> str:
    """Return a table of what a store holds, with the settings at the end of the lines."""
    total = sum(row.replies for row in rows)
    title = f"{path}: {counted(total)}"
    if not rows:
        return title
    header = (
        "model",
        "replies",
        "repeats",
        "prompt tokens",
        "completion tokens",
        "USD",
        "mean s",
        "first",
        "last",
        "settings",
    )
    return f"{title}\n\n{_table(header, [_surveyed(row) for row in rows])}"


def _surveyed(row: Surveyed) -> tuple[str, ...]:
    return (
        f"{row.model}@{row.revision}" if row.revision else row.model,
        f"{row.replies:,}",
        str(row.repeats),
        _or_dash(row.prompt_tokens, ","),
        _or_dash(row.completion_tokens, ","),
        _or_dash(row.usd, ",.4f"),
        _or_dash(row.seconds, ".2f"),
        row.first[:10] or "-",
        row.last[:10] or "-",
        _settings(row.settings),
    )


def listing(replies: Sequence[KeptReply]) -> str:
    """Return a line for each reply, with the end of its text, where a conclusion stands."""
    rows = []
    for kept in replies:
        text = " ".join(said_by(kept).text.split())
        snippet = text if len(text) <= _SNIPPET else f"...{text[-_SNIPPET:]}"
        tokens = _or_dash(kept.completion_tokens, ",")
        day = kept.at[:10] or "-"
        rows.append((kept.key[:_BEGINNING], kept.model, day, kept.finish or "-", tokens, snippet))
    return _table(("key", "model", "date", "finish", "tokens", "reply"), rows)


def in_full(kept: KeptReply) -> str:
    """Return all that is kept of a reply: its facts, the request's messages, and its text."""
    facts = {
        "key": kept.key,
        "model": kept.model,
        "revision": kept.revision,
        "repeat": str(kept.repeat),
        "settings": _settings(settings_of(kept.body)),
        "scope": kept.scope,
        "at": kept.at,
        "seconds": f"{kept.seconds:.2f}" + (" (in a batch)" if kept.batch else ""),
        "finish": kept.finish,
        "prompt tokens": _tokens(kept),
        "completion tokens": _or_dash(kept.completion_tokens, ","),
        "USD": _or_dash(kept.usd, ",.6f"),
    }
    width = max(map(len, facts))
    lines = [f"{name:<{width}}  {value}" for name, value in facts.items() if value]
    said = said_by(kept)
    parts = [*messages_of(kept), ("reasoning", said.reasoning), ("reply", said.text)]
    shown = [f"--- {role} ---\n{text}" for role, text in parts if text or role == "reply"]
    return _safe("\n\n".join(["\n".join(lines), *shown]))


def faults(path: Path, found: Sequence[tuple[int, str]]) -> str:
    """Return which lines of a file were left out, and why."""
    lines = [f"line {number}: {_safe(fault)}" for number, fault in found[:_FAULTS]]
    if len(found) > _FAULTS:
        lines.append(f"... and {len(found) - _FAULTS} more.")
    title = f"{counted(len(found), 'line', 'lines')} of {path} left out:"
    return "\n  ".join([title, *lines])


def batches(path: Path, found: Sequence[StoredBatch]) -> str:
    """Return a table of open batches."""
    title = f"{path}: {counted(len(found), 'open batch', 'open batches')}"
    if not found:
        return title
    rows = [
        (one.id, state_of(one), f"{len(one.keys):,}", _age(age_of(one)), one.base_url)
        for one in found
    ]
    return f"{title}\n\n{_table(('id', 'status', 'requests', 'age', 'endpoint'), rows)}"


def _age(seconds: float) -> str:
    minutes = max(0, int(seconds // 60))
    hours, days = minutes // 60, minutes // (24 * 60)
    return f"{days} d {hours % 24} h" if days else f"{hours} h {minutes % 60} min"


def counted(number: int, one: str = "reply", more: str = "replies") -> str:
    """Return a number with what is counted."""
    return f"{number:,} {one if number == 1 else more}"


def _tokens(kept: KeptReply) -> str:
    cached = f" ({kept.cached_tokens:,} of them cached)" if kept.cached_tokens else ""
    return _or_dash(kept.prompt_tokens, ",") + cached


def _settings(settings: str) -> str:
    values: dict[str, object] = json.loads(settings)
    return " ".join(f"{name}={_value(value)}" for name, value in values.items())


def _value(value: object) -> str:
    text = value if isinstance(value, str) else json.dumps(value, ensure_ascii=False)
    return text if len(text) <= _SNIPPET else f"{text[:_SNIPPET]}..."


def _or_dash(value: float | None, form: str) -> str:
    return "-" if value is None else format(value, form)


def _table(header: Sequence[str], rows: Sequence[Sequence[str]]) -> str:
    """Return columns side by side: figures to the right, texts to the left, the last one open."""
    lines = [list(header), *([_safe(cell) for cell in row] for row in rows)]
    columns = []
    for cells in zip(*lines, strict=True):
        width = max(map(len, cells))
        numbers = all(re.fullmatch(r"[\d.,]+|-", cell) for cell in cells[1:])
        columns.append([f"{cell:>{width}}" if numbers else f"{cell:<{width}}" for cell in cells])
    return "\n".join("  ".join(line).rstrip() for line in zip(*columns, strict=True))


def _safe(text: str) -> str:
    return _CONTROLS.sub(lambda found: f"\\x{ord(found[0]):02x}", text)
