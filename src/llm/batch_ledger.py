"""The store's list of batches, as batch mode keeps it: who looks after a batch, and what is done.

A batch that may or may not have been created stands there under a provisional id, made of the id of
its input file, and its status tells which process was about to create it.
"""

from __future__ import annotations

import time
from collections.abc import Sequence
from datetime import UTC, datetime

from src.llm.claims import BATCH, chunks
from src.llm.store import ReplyStore
from src.llm.store_file import StoreFile
from src.llm.stored_batches import StoredBatch
from src.processes import is_dead, process

_CREATING = "creating:"
_COLLECTING = "collecting "
_HOUR = 3600.0

_FORGET_STORED = "DELETE FROM batch_keys WHERE batch = ? AND key IN (SELECT key FROM replies)"
_NOTE = (
    "UPDATE batches SET status = ?, open = EXISTS"
    " (SELECT 1 FROM batch_keys WHERE batch = batches.id) WHERE id = ?"
)


class Ledger:
    """The batches of one endpoint in a reply store."""

    def __init__(self, store: ReplyStore, base_url: str, scope: str) -> None:
        self._store = store
        self._file = StoreFile(store.path)
        self._base_url = base_url
        self._scope = scope
        self._me = process()

    def open_ones(self, keys: Sequence[str]) -> list[StoredBatch]:
        """Return the batches that hold any of the keys and are not done."""
        return self._store.open_batches(self._base_url, keys) if keys else []

    def intend(self, file: str, keys: Sequence[str]) -> str:
        """Note that a batch of an uploaded file is about to be created; return its name here."""
        name = _CREATING + file
        self._save(name, self._me, keys, self._scope)
        return name

    def created(self, intent: str, id: str, keys: Sequence[str], scope: str | None = None) -> None:
        """Note the id of a batch, in place of the intent."""
        self._save(id, "created", keys, self._scope if scope is None else scope)
        self._store.close_batch(intent, "created")

    def take(self, id: str) -> tuple[str, ...]:
        """Become the one who collects a batch; return the requests that are left in it.

        None are while another living process collects it, or when it is done.
        """
        with self._file.change() as connection:
            row = connection.execute(
                "SELECT status FROM batches WHERE id = ? AND open", (id,)
            ).fetchone()
            if row is None or self._is_busy(row[0]):
                return ()
            status = f"{_COLLECTING}{self._me} {time.time():.0f}"
            connection.execute("UPDATE batches SET status = ? WHERE id = ?", (status, id))
            rows = connection.execute("SELECT key FROM batch_keys WHERE batch = ?", (id,))
            return tuple(key for (key,) in rows)

    def settle(self, id: str, status: str, done: Sequence[str], again: Sequence[str] = ()) -> None:
        """Take requests out of a batch; the claims on those to be sent again become this process's.

        What others asked for stays, for them to collect. A batch in which nothing is left is
        closed.
        """
        owner = BATCH + id
        with self._file.change() as connection:
            connection.executemany(
                "UPDATE claims SET owner = ?, at = ? WHERE key = ? AND owner = ?",
                [(self._me, time.time(), key, owner) for key in again],
            )
            for marks, some in chunks(done):
                given_up = f"key IN ({marks})"
                connection.execute(
                    f"DELETE FROM claims WHERE owner = ? AND {given_up}", (owner, *some)
                )
                connection.execute(
                    f"DELETE FROM batch_keys WHERE batch = ? AND {given_up}", (id, *some)
                )
            connection.execute(_FORGET_STORED, (id,))
            connection.execute(_NOTE, (status, id))

    def close(self) -> None:
        """Close the connection."""
        self._file.close()

    def _save(self, id: str, status: str, keys: Sequence[str], scope: str) -> None:
        self._store.save_batch(id, base_url=self._base_url, status=status, keys=keys, scope=scope)

    def _is_busy(self, status: str) -> bool:
        if not status.startswith(_COLLECTING):
            return False
        name, _, began = status.removeprefix(_COLLECTING).rpartition(" ")
        return name != self._me and not _is_gone(name, float(began))


def file_of(batch: StoredBatch) -> str | None:
    """Return the input file of a batch of which nobody knows whether it was created, else None."""
    known = not batch.id.startswith(_CREATING)
    return None if known else batch.id.removeprefix(_CREATING)


def is_being_created(batch: StoredBatch, *, seconds: float) -> bool:
    """Tell whether a batch without an id may yet come to be, for so many seconds more or so."""
    age = age_of(batch)
    if batch.status == process():
        return age < seconds
    return age < seconds or not _is_gone(batch.status, time.time() - age)


def age_of(batch: StoredBatch) -> float:
    """Return how many seconds ago a batch was noted."""
    return (datetime.now(UTC) - datetime.fromisoformat(batch.at)).total_seconds()


def _is_gone(name: str, since: float) -> bool:
    """Tell whether a process is dead or, where it is on another machine, not heard of for long."""
    if is_dead(name):
        return True
    elsewhere = name.partition(":")[0] != process().partition(":")[0]
    return elsewhere and time.time() - since > _HOUR
