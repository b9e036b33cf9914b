"""Replies to files: JSON lines, which can be imported again, or Parquet, to be analysed."""

from __future__ import annotations

import json
import os
from collections.abc import Iterable
from contextlib import suppress
from itertools import islice
from pathlib import Path
from typing import Any

from src.errors import GrambenchError, suggest
from src.llm.kept import KeptReply
from src.llm.survey import said_by

ENDINGS = (".jsonl", ".parquet")
_ROWS = 500

# The scope is not among them: it is the book-keeping of whoever paid.
_FACTS = (
    "key",
    "model",
    "revision",
    "repeat",
    "at",
    "seconds",
    "usd",
    "batch",
    "finish",
    "prompt_tokens",
    "cached_tokens",
    "completion_tokens",
)


def export(replies: Iterable[KeptReply], path: Path) -> int:
    """Write replies into a file, which is whole or not there; return how many.

    The same replies in the same order give the same bytes.

    Raises:
        GrambenchError: the ending is not known, or the file cannot be written.
    """
    if path.suffix not in ENDINGS:
        known = " or ".join(ENDINGS)
        hint = suggest(path.suffix, ENDINGS)
        raise GrambenchError(f"{path}: a file of replies ends in {known}.{hint}")
    beside = path.with_name(f".{path.name}.{os.getpid()}")
    write = _write_lines if path.suffix == ".jsonl" else _write_parquet
    try:
        path.parent.mkdir(parents=True, exist_ok=True)
        count = write(replies, beside)
        beside.replace(path)
    except OSError as error:
        raise GrambenchError(f"{path} cannot be written: {error.strerror or error}.") from error
    finally:
        with suppress(OSError):
            beside.unlink()
    return count


def _write_lines(replies: Iterable[KeptReply], path: Path) -> int:
    count = 0
    with path.open("w", encoding="utf-8", newline="") as file:
        for kept in replies:
            count += 1
            row = _facts(kept) | {"body": kept.body, "raw": kept.raw}
            file.write(_json(row) + "\n")
    return count


def _write_parquet(replies: Iterable[KeptReply], path: Path) -> int:
    import pyarrow as pa
    from pyarrow import parquet

    kinds: dict[str, Any] = {
        "repeat": pa.int64(),
        "seconds": pa.float64(),
        "usd": pa.float64(),
        "batch": pa.bool_(),
        "prompt_tokens": pa.int64(),
        "cached_tokens": pa.int64(),
        "completion_tokens": pa.int64(),
    }
    names = (*_FACTS, "text", "body", "raw")
    schema = pa.schema([(name, kinds.get(name, pa.string())) for name in names])
    count, rest = 0, iter(replies)
    with parquet.ParquetWriter(path, schema, compression="zstd") as writer:
        while rows := [_parquet_row(kept) for kept in islice(rest, _ROWS)]:
            writer.write_table(pa.Table.from_pylist(rows, schema=schema))
            count += len(rows)
    return count


def _parquet_row(kept: KeptReply) -> dict[str, object]:
    said = {"text": said_by(kept).text, "body": _json(kept.body), "raw": _json(kept.raw)}
    return _facts(kept) | said


def _facts(kept: KeptReply) -> dict[str, object]:
    return {name: getattr(kept, name) for name in _FACTS}


def _json(value: object) -> str:
    text = json.dumps(value, ensure_ascii=False, sort_keys=True)
    try:
        text.encode("utf-8")
    except UnicodeEncodeError:  # half a surrogate pair, which JSON can only hold escaped
        return json.dumps(value, sort_keys=True)
    return text
