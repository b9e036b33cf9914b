"""Batches in the reply store: they are open until all that was asked in them is answered.

Like the other functions on its tables, these are called with a connection of a store's file, and
those that change anything within a transaction.
"""

from __future__ import annotations

import sqlite3
import time
from collections.abc import Sequence
from dataclasses import dataclass
from datetime import UTC, datetime

from src.llm.claims import BATCH, chunks

_UNANSWERED = """
SELECT key FROM batch_keys WHERE batch = ?
    AND NOT EXISTS (SELECT 1 FROM replies WHERE replies.key = batch_keys.key) ORDER BY key
"""
_FORGET_ANSWERED = "DELETE FROM batch_keys WHERE batch = ? AND key IN (SELECT key FROM replies)"
_NOTE = (
    "UPDATE batches SET status = ?, open = EXISTS"
    " (SELECT 1 FROM batch_keys WHERE batch = batches.id) WHERE id = ?"
)


@dataclass(frozen=True, slots=True)
class StoredBatch:
    """A batch that is not closed; ``keys`` are those of its requests without a reply, sorted."""

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


def note(connection: sqlite3.Connection, id: str, status: str) -> None:
    """Note how far a batch is."""
    connection.execute("UPDATE batches SET status = ? WHERE id = ?", (status, id))


def find(connection: sqlite3.Connection, id: str) -> StoredBatch | None:
    """Return a batch, if it is open."""
    row = connection.execute(
        "SELECT base_url, status, scope, at FROM batches WHERE id = ? AND open", (id,)
    ).fetchone()
    if row is None:
        return None
    base_url, status, scope, at = row
    keys = tuple(key for (key,) in connection.execute(_UNANSWERED, (id,)))
    return StoredBatch(id, base_url, status, scope, at, keys)


def open_ones(connection: sqlite3.Connection, keys: Sequence[str] | None) -> list[StoredBatch]:
    """Return the open batches that hold any of the keys (None: any at all), oldest first."""
    ids: set[str] = set()
    if keys is None:
        ids.update(id for (id,) in connection.execute("SELECT id FROM batches WHERE open"))
    for marks, some in chunks(keys or []):
        found = connection.execute(f"SELECT batch FROM batch_keys WHERE key IN ({marks})", some)
        ids.update(id for (id,) in found)
    batches = [batch for id in ids if (batch := find(connection, id)) and batch.keys]
    return sorted(batches, key=lambda batch: (batch.at, batch.id))


def settle(
    connection: sqlite3.Connection,
    id: str,
    status: str,
    *,
    done: Sequence[str],
    again: Sequence[str],
    by: str,
) -> None:
    """Take requests out of a batch; the claims on those to be sent again become ``by``'s.

    A batch in which nothing is left is closed.
    """
    owner = BATCH + id
    connection.executemany(
        "UPDATE claims SET owner = ?, at = ? WHERE key = ? AND owner = ?",
        [(by, time.time(), key, owner) for key in again],
    )
    for marks, some in chunks(done):
        given_up = f"key IN ({marks})"
        connection.execute(f"DELETE FROM claims WHERE owner = ? AND {given_up}", (owner, *some))
        connection.execute(f"DELETE FROM batch_keys WHERE batch = ? AND {given_up}", (id, *some))
    connection.execute(_FORGET_ANSWERED, (id,))
    connection.execute(_NOTE, (status, id))


def close(connection: sqlite3.Connection, id: str, status: str) -> None:
    """Close a batch: what it has not answered is free to be claimed again."""
    connection.execute("UPDATE batches SET status = ?, open = 0 WHERE id = ?", (status, id))
    connection.execute("DELETE FROM batch_keys WHERE batch = ?", (id,))
    connection.execute("DELETE FROM claims WHERE owner = ?", (BATCH + id,))
