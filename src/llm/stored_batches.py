"""Batches that were sent to an endpoint, remembered until all that came of them is stored."""

from __future__ import annotations

import sqlite3
import time
from collections.abc import Sequence
from dataclasses import dataclass
from datetime import UTC, datetime

from src.llm.claims import BATCH, chunks


@dataclass(frozen=True, slots=True)
class StoredBatch:
    """A batch that is not closed; ``keys`` are those of all its requests, sorted."""

    id: str
    base_url: str
    status: str
    scope: str
    at: str
    keys: tuple[str, ...]


def save(
    connection: sqlite3.Connection,
    id: str,
    *,
    base_url: str,
    status: str,
    keys: Sequence[str],
    scope: str,
) -> None:
    """Remember a batch; the claims on its keys are its own until it is closed."""
    at = datetime.now(UTC).isoformat(timespec="seconds")
    connection.execute(
        "INSERT INTO batches VALUES (?, ?, ?, ?, ?, 1) ON CONFLICT (id) DO UPDATE SET"
        " status = excluded.status, open = 1",
        (id, base_url, status, scope, at),
    )
    connection.executemany(
        "INSERT INTO batch_keys VALUES (?, ?) ON CONFLICT DO NOTHING", [(key, id) for key in keys]
    )
    now = time.time()
    connection.executemany(
        "INSERT INTO claims VALUES (?, ?, ?, 0, ?) ON CONFLICT (key) DO UPDATE SET"
        " owner = excluded.owner",
        [(key, BATCH + id, now, scope) for key in keys],
    )


def close(connection: sqlite3.Connection, id: str, status: str) -> None:
    """Close a batch: what it has not answered is free to be claimed again."""
    connection.execute("UPDATE batches SET status = ?, open = 0 WHERE id = ?", (status, id))
    connection.execute("DELETE FROM batch_keys WHERE batch = ?", (id,))
    connection.execute("DELETE FROM claims WHERE owner = ?", (BATCH + id,))


def open_ones(
    connection: sqlite3.Connection, base_url: str, keys: Sequence[str]
) -> list[StoredBatch]:
    """Return the open batches of an endpoint that hold any of the keys, oldest first."""
    ids: set[str] = set()
    for marks, some in chunks(keys):
        found = connection.execute(f"SELECT batch FROM batch_keys WHERE key IN ({marks})", some)
        ids.update(id for (id,) in found)
    batches = []
    for id in sorted(ids):
        held = connection.execute("SELECT key FROM batch_keys WHERE batch = ? ORDER BY key", (id,))
        found_keys = tuple(key for (key,) in held)
        for row in connection.execute(
            "SELECT status, scope, at FROM batches WHERE id = ? AND base_url = ? AND open",
            (id, base_url),
        ):
            status, scope, at = row
            batches.append(StoredBatch(id, base_url, status, scope, at, found_keys))
    return sorted(batches, key=lambda batch: (batch.at, batch.id))
