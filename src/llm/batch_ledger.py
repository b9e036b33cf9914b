"""The store's list of batches, as batch mode keeps it: who looks after a batch, and what is done.

A batch that may or may not have been created stands there under a provisional id, made of the id of
its input file, and its status tells which process was about to create it.
"""

from __future__ import annotations

import sqlite3
import time
from collections.abc import Sequence
from datetime import UTC, datetime

from src.errors import GrambenchError, suggest
from src.llm import stored_batches
from src.llm.store import ReplyStore
from src.llm.stored_batches import StoredBatch
from src.processes import is_dead, process

_CREATING = "creating:"
_COLLECTING = "collecting "
_HOUR = 3600.0


class Ledger:
    """The batches of one endpoint in a reply store."""

    def __init__(self, store: ReplyStore, base_url: str, scope: str) -> None:
        self._file = store.file
        self._base_url = base_url
        self._scope = scope
        self._me = process()

    def open_ones(self, keys: Sequence[str]) -> list[StoredBatch]:
        """Return the batches that hold any of the keys and are not done."""
        with self._file.reading() as connection:
            found = stored_batches.open_ones(connection, keys)
        return [batch for batch in found if batch.base_url == self._base_url]

    def intend(self, file: str, keys: Sequence[str]) -> str:
        """Note that a batch of an uploaded file is about to be created; return its name here."""
        name = _CREATING + file
        with self._file.change() as connection:
            self._save(connection, name, self._me, keys, self._scope)
        return name

    def created(self, intent: str, id: str, keys: Sequence[str], scope: str | None = None) -> None:
        """Note the id of a batch, in place of the intent."""
        with self._file.change() as connection:
            self._save(connection, id, "sent", keys, self._scope if scope is None else scope)
            stored_batches.close(connection, intent, "created")

    def take(self, id: str) -> tuple[str, ...]:
        """Become the one who collects a batch; return the requests that are left in it.

        None are while another living process collects it, or when it is done.
        """
        with self._file.change() as connection:
            batch = stored_batches.find(connection, id)
            if batch is None or self._is_busy(batch.status):
                return ()
            stored_batches.note(connection, id, f"{_COLLECTING}{self._me} {time.time():.0f}")
            return batch.keys

    def settle(self, id: str, status: str, done: Sequence[str], again: Sequence[str] = ()) -> None:
        """Take requests out of a batch; the claims on those to be sent again become this process's.

        What others asked for stays, for them to collect. A batch in which nothing is left is
        closed.
        """
        with self._file.change() as connection:
            stored_batches.settle(connection, id, status, done=done, again=again, by=self._me)

    def _save(
        self,
        connection: sqlite3.Connection,
        id: str,
        status: str,
        keys: Sequence[str],
        scope: str,
    ) -> None:
        stored_batches.save(
            connection, id, base_url=self._base_url, status=status, keys=keys, scope=scope
        )

    def _is_busy(self, status: str) -> bool:
        if not status.startswith(_COLLECTING):
            return False
        name, _, began = status.removeprefix(_COLLECTING).rpartition(" ")
        return name != self._me and not _is_gone(name, float(began))


def open_batches(store: ReplyStore) -> list[StoredBatch]:
    """Return the batches of all endpoints that are not done, oldest first."""
    with store.file.reading() as connection:
        return stored_batches.open_ones(connection, None)


def forget(store: ReplyStore, id: str) -> StoredBatch:
    """Close a batch whatever becomes of it: its requests may be sent again. Return what it was.

    Raises:
        GrambenchError: there is no such open batch.
    """
    with store.file.change() as connection:
        batch = stored_batches.find(connection, id)
        stored_batches.close(connection, id, "forgotten")
    if batch is None:
        hint = suggest(id, [known.id for known in open_batches(store)])
        raise GrambenchError(f"The reply store {store.path} has no open batch '{id}'.{hint}")
    return batch


def state_of(batch: StoredBatch) -> str:
    """Return in a word what was last noted of a batch."""
    if file_of(batch) is not None:
        return "being sent"
    return "being collected" if batch.status.startswith(_COLLECTING) else batch.status


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
