"""The SQLite file of the reply store: opened, made where it is not, and changed by many at once."""

from __future__ import annotations

import os
import sqlite3
import threading
import time
from collections.abc import Iterator, Mapping, Sequence
from contextlib import contextmanager, suppress
from pathlib import Path
from typing import Any

from src.errors import GrambenchError

# What tells a reply store from other SQLite files (PRAGMA application_id), and its layout.
APPLICATION = 0x4772616D
VERSION = 1

Values = Sequence[object] | Mapping[str, object]

_PATIENCE = 60.0  # seconds that a process waits until others have written
_PAUSE = 0.02

# What is committed stands in the -wal file at first. Moving it from there waits for the disk, so
# a thread does it every so many commits; only above so many pages does a writer do it itself.
_COMMITS = 2000
_PAGES = 16_000

# Small columns stand before the large ones, so that a survey reads no texts.
_TABLES = """
CREATE TABLE replies (
    key TEXT NOT NULL PRIMARY KEY, model TEXT NOT NULL, revision TEXT NOT NULL,
    repeat INTEGER NOT NULL, at TEXT NOT NULL, seconds REAL NOT NULL, usd REAL,
    batch INTEGER NOT NULL, scope TEXT NOT NULL, finish TEXT NOT NULL,
    prompt_tokens INTEGER, cached_tokens INTEGER, completion_tokens INTEGER,
    settings TEXT NOT NULL, body BLOB NOT NULL, raw BLOB NOT NULL
);
CREATE INDEX replies_latency ON replies (model, batch, seconds);
CREATE TABLE spending (scope TEXT NOT NULL PRIMARY KEY, usd REAL NOT NULL) WITHOUT ROWID;
CREATE TABLE claims (
    key TEXT NOT NULL PRIMARY KEY, owner TEXT NOT NULL, at REAL NOT NULL,
    usd REAL NOT NULL, scope TEXT NOT NULL
) WITHOUT ROWID;
CREATE INDEX claims_scope ON claims (scope, owner, usd);
CREATE TABLE batches (
    id TEXT NOT NULL PRIMARY KEY, base_url TEXT NOT NULL, status TEXT NOT NULL,
    scope TEXT NOT NULL, at TEXT NOT NULL, open INTEGER NOT NULL
);
CREATE TABLE batch_keys (
    key TEXT NOT NULL, batch TEXT NOT NULL, PRIMARY KEY (key, batch)
) WITHOUT ROWID;
CREATE INDEX batch_keys_batch ON batch_keys (batch);
"""


class StoreFile:
    """Connections to one file, one a thread; each transaction is whole or not there at all.

    Raises:
        GrambenchError: the file is no reply store, is of a newer version, or cannot be read,
            written or made; with ``create=False`` also where there is none.
    """

    def __init__(self, path: Path | str, *, create: bool = True) -> None:
        self.path = Path(path)
        with suppress(RuntimeError):  # there is no such user: it is a name like another
            self.path = self.path.expanduser()
        # Threads open it later, perhaps after a chdir; and ":memory:" is a name like another.
        self._place = self.path.absolute()
        self._connections = threading.local()
        self._writing = threading.Lock()
        self._commits = 0
        self._mover: threading.Thread | None = None
        if not create and not self.path.exists():
            raise GrambenchError(
                f"There is no reply store {self.path}. Runs with an LLM make it; --store names "
                "another one."
            )
        with faults_told(self.path):
            _check_place(self.path)
            self._connection()

    def read(self, sql: str, values: Values = ()) -> list[tuple[Any, ...]]:
        """Return all rows of a query."""
        with faults_told(self.path):
            return self._connection().execute(sql, values).fetchall()

    @contextmanager
    def reading(self) -> Iterator[sqlite3.Connection]:
        """Give the connection, to read with: all queries of the block see one state of the file."""
        with faults_told(self.path):
            connection = self._connection()
            connection.execute("BEGIN")
            try:
                yield connection
            finally:
                with suppress(sqlite3.Error):  # a fault of the disk may have ended it already
                    connection.execute("ROLLBACK")

    @contextmanager
    def change(self) -> Iterator[sqlite3.Connection]:
        """Give the connection inside a transaction; it is committed at the end of the block."""
        # SQLite's waiting is by the clock: threads of one process need not wait for each other so.
        with self._writing, faults_told(self.path):
            connection = self._connection()
            connection.execute("BEGIN IMMEDIATE")
            try:
                yield connection
                connection.execute("COMMIT")
            except BaseException:
                with suppress(sqlite3.Error):
                    connection.execute("ROLLBACK")
                raise
            self._commits += 1
            if self._commits % _COMMITS == 0 and not (self._mover and self._mover.is_alive()):
                self._mover = threading.Thread(target=self._move, daemon=True)
                self._mover.start()

    def shrink(self) -> None:
        """Give the room of deleted rows back to the disk."""
        with self._writing, faults_told(self.path):
            self._connection().execute("VACUUM")
            self._connection().execute("PRAGMA wal_checkpoint(TRUNCATE)")

    def close(self) -> None:
        """Close this thread's connection; the next use opens another."""
        if self._mover:
            self._mover.join()
        known: dict[int, sqlite3.Connection] = getattr(self._connections, "by_process", {})
        if connection := known.pop(os.getpid(), None):
            connection.close()

    def _move(self) -> None:
        with suppress(sqlite3.Error, GrambenchError):
            connection = _connect(self._place)
            # The first moves nearly all without keeping anybody from writing; the second the rest,
            # so that the -wal file begins anew.
            connection.execute("PRAGMA wal_checkpoint(PASSIVE)")
            connection.execute("PRAGMA wal_checkpoint(RESTART)")
            connection.close()

    def _connection(self) -> sqlite3.Connection:
        # A connection must not be used in a forked process, and not be closed there either.
        known: dict[int, sqlite3.Connection]
        known = self._connections.__dict__.setdefault("by_process", {})
        number = os.getpid()
        if number not in known:
            known[number] = _connect(self._place)
        return known[number]


def _check_place(path: Path) -> None:
    try:
        if path.is_dir():
            raise GrambenchError(f"The reply store {path} is a folder; it must be a file.")
        path.parent.mkdir(parents=True, exist_ok=True)
    except OSError as error:
        raise GrambenchError(
            f"The folder of the reply store {path} cannot be made or read: {error.strerror}."
        ) from error


def _connect(path: Path) -> sqlite3.Connection:
    uri = path.as_uri() + ("?immutable=1" if _cannot_change(path) else "")
    connection = sqlite3.connect(
        uri, timeout=_PATIENCE, isolation_level=None, check_same_thread=False, uri=True
    )
    try:
        if not _is_store(connection, path):
            _patiently(connection, "PRAGMA journal_mode=WAL")
            _make(connection, path)
        connection.execute("PRAGMA synchronous=NORMAL")
        connection.execute(f"PRAGMA wal_autocheckpoint={_PAGES}")
    except BaseException:
        connection.close()
        raise
    return connection


def _cannot_change(path: Path) -> bool:
    """Tell whether a file is to be read without a lock, which cannot be made beside it."""
    return (
        path.is_file()
        and not os.access(path.parent, os.W_OK)
        and not path.with_name(f"{path.name}-wal").exists()
    )


def _is_store(connection: sqlite3.Connection, path: Path) -> bool:
    """Tell whether the file is a reply store, and not an empty file; refuse all others."""
    # One statement sees one state of the file, even while another process makes it.
    ((application, version, tables),) = _patiently(
        connection,
        "SELECT (SELECT application_id FROM pragma_application_id),"
        " (SELECT user_version FROM pragma_user_version), (SELECT count(*) FROM sqlite_master)",
    )
    if application == APPLICATION and version <= VERSION:
        return True
    if application == APPLICATION:
        raise GrambenchError(
            f"The reply store {path} was made by a newer Grambench (its version is {version}, this "
            f"one reads {VERSION}). Update Grambench, or choose another with paths.replies."
        )
    if application or tables:
        raise GrambenchError(
            f"{path} is a database, but no reply store. Choose another file with paths.replies or "
            "--store."
        )
    return False


def _make(connection: sqlite3.Connection, path: Path) -> None:
    connection.execute("BEGIN IMMEDIATE")
    try:
        if not _is_store(connection, path):  # another process may have been first
            for statement in _TABLES.split(";"):
                connection.execute(statement)
            connection.execute(f"PRAGMA application_id={APPLICATION}")
            connection.execute(f"PRAGMA user_version={VERSION}")
    finally:
        connection.execute("COMMIT")


def _patiently(connection: sqlite3.Connection, sql: str) -> list[tuple[Any, ...]]:
    """Run what SQLite itself does not wait for: others may just be making the file."""
    end = time.monotonic() + _PATIENCE
    while True:
        try:
            return connection.execute(sql).fetchall()
        except sqlite3.OperationalError as error:
            if not _name(error).startswith("SQLITE_BUSY") or time.monotonic() > end:
                raise
        time.sleep(_PAUSE)


@contextmanager
def faults_told(path: Path) -> Iterator[None]:
    """Turn what SQLite raises into errors for people."""
    try:
        yield
    except sqlite3.Error as error:
        name = _name(error)
        for beginning, said in _FAULTS.items():
            if name.startswith(beginning):
                raise GrambenchError(f"The reply store {path} {said}") from error
        raise GrambenchError(f"The reply store {path} failed: {error} ({name}).") from error


def _name(error: sqlite3.Error) -> str:
    return getattr(error, "sqlite_errorname", None) or type(error).__name__


_FAULTS = {
    "SQLITE_NOTADB": "is no SQLite database. Choose another file with paths.replies or --store.",
    "SQLITE_CORRUPT": "is damaged. Move it away with its -wal and -shm files, and import a backup.",
    "SQLITE_FULL": "cannot grow: the disk is full. What is in it is safe; make room and go on.",
    "SQLITE_READONLY": "cannot be written: it, or its folder, is read-only.",
    "SQLITE_PERM": "cannot be read: its permissions do not allow it.",
    "SQLITE_CANTOPEN": "cannot be opened: look at the permissions of it and of its folder.",
    "SQLITE_BUSY": f"was written by others for more than {_PATIENCE:.0f} s. Try again later.",
    "SQLITE_IOERR": "cannot be read or written: the disk reports an error, or is full.",
}
