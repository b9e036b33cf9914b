"""The reply store: every reply is kept in one SQLite file the moment it arrives.

Many processes and threads share it. What :meth:`ReplyStore.put` returned for is there, whatever
happens to the process. A machine that loses power loses what the system had not yet written to its
disk (on Linux mostly the last half minute), and never a part of a reply: waiting for the disk at
every reply would cost more than that. On network drives SQLite's locks do not hold between
machines: keep the file on a local disk.

While a run has the store open, and after one that was killed, the latest replies stand in the
``-wal`` file beside it. A copy is an export; a file copied alone may lack them.
"""

from __future__ import annotations

import os
from collections.abc import Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass
from pathlib import Path
from types import TracebackType
from typing import Any

from src.llm import claims
from src.llm.claims import Claim, chunks
from src.llm.kept import COLUMNS, INSERT, KeptReply, from_row, keep, to_row, unpack
from src.llm.store_file import StoreFile
from src.processes import process

_PAGE = 200


@dataclass(frozen=True, slots=True)
class StoredReply:
    """A reply that is there already: the response as it came, its latency and its time."""

    key: str
    raw: Mapping[str, Any]
    seconds: float
    at: str
    batch: bool


class ReplyStore:
    """Replies by the key of their request; what is stored is never overwritten.

    ``file`` is what the room's other parts read and change the tables with.

    Raises:
        GrambenchError: the file is no reply store, or cannot be opened, read or written; with
            ``create=False`` also where there is none.
    """

    file: StoreFile

    def __init__(self, path: Path | str, *, create: bool = True) -> None:
        self.file = StoreFile(path, create=create)
        self._claimed: set[str] = set()
        self._me = (0, "")

    @property
    def path(self) -> Path:
        """Where the store is."""
        return self.file.path

    def __enter__(self) -> ReplyStore:
        return self

    def __exit__(
        self,
        kind: type[BaseException] | None,
        error: BaseException | None,
        trace: TracebackType | None,
    ) -> None:
        self.close()

    def close(self) -> None:
        """Give up all claims that were made through this object and that nothing came of."""
        if self._claimed:
            self.release(*tuple(self._claimed))
        self.file.close()

    def get(self, keys: Sequence[str]) -> dict[str, StoredReply]:
        """Return those of the replies that are there."""
        found = {}
        for marks, some in chunks(keys):
            sql = f"SELECT key, raw, seconds, at, batch FROM replies WHERE key IN ({marks})"
            for key, raw, seconds, at, batch in self.file.read(sql, some):
                found[key] = StoredReply(key, unpack(raw), seconds, at, bool(batch))
        return found

    def put(
        self,
        key: str,
        *,
        request: Mapping[str, Any],
        raw: Mapping[str, Any],
        seconds: float,
        at: str,
        usd: float | None,
        scope: str,
        batch: bool = False,
        repeat: int = 0,
        revision: str = "",
    ) -> None:
        """Keep a reply, and end the claim on it; it is committed when this returns.

        ``request`` is the body that was sent, ``raw`` the response, ``usd`` what it cost, which is
        what ``scope`` has spent even where the reply was there already.
        """
        kept = keep(
            key,
            body=request,
            raw=raw,
            seconds=seconds,
            at=at,
            usd=usd,
            scope=scope,
            batch=batch,
            repeat=repeat,
            revision=revision,
        )
        row = to_row(kept)
        with self.file.change() as connection:
            connection.execute(INSERT, row)
            connection.execute("DELETE FROM claims WHERE key = ?", (key,))
            if usd:
                connection.execute(
                    "INSERT INTO spending VALUES (?, ?) ON CONFLICT (scope) DO UPDATE SET"
                    " usd = usd + excluded.usd",
                    (scope, usd),
                )
        self._claimed.discard(key)

    def add(self, replies: Iterable[KeptReply]) -> int:
        """Keep replies that came from elsewhere, all or none; return how many are new.

        Nobody's budget pays for them.
        """
        rows = [to_row(kept) for kept in replies]
        with self.file.change() as connection:
            before = connection.total_changes
            connection.executemany(INSERT, rows)
            return connection.total_changes - before

    def claim(self, key: str, *, usd: float, scope: str, budget: float | None) -> Claim:
        """Claim one key; see :meth:`claim_many`."""
        return self.claim_many([(key, usd)], scope=scope, budget=budget)[0]

    def claim_many(
        self, wanted: Sequence[tuple[str, float]], *, scope: str, budget: float | None
    ) -> list[Claim]:
        """Claim keys, each with the most dollars that it may cost, in one transaction.

        Each is ``mine`` (to be sent by the caller, who then puts or releases it), ``stored``,
        ``theirs`` (claimed already, by this process too) or ``over_budget``: spending and claims
        of the scope would exceed ``budget``. Claims of dead processes are void, those of other
        machines after an hour, those of a batch when it is closed.
        """
        with self.file.change() as connection:
            found = claims.claim_many(
                connection, wanted, scope=scope, budget=budget, owner=self._owner()
            )
        self._claimed.update(
            key for (key, _), one in zip(wanted, found, strict=True) if one == "mine"
        )
        return found

    def release(self, *keys: str) -> None:
        """Give up claims of this process, whose requests failed or were not sent."""
        with self.file.change() as connection:
            claims.release(connection, keys, self._owner())
        self._claimed.difference_update(keys)

    def holders(self, keys: Sequence[str]) -> dict[str, str]:
        """Return who has claimed keys: a process (``host:pid:created``) or ``batch:ID``."""
        with self.file.reading() as connection:
            return claims.holders(connection, keys)

    def spent(self, scope: str) -> float:
        """Return what a scope has spent, in US dollars; pruned replies count as well."""
        ((usd,),) = self.file.read("SELECT total(usd) FROM spending WHERE scope = ?", (scope,))
        return float(usd)

    def latencies(self, model: str) -> tuple[float, int]:
        """Return the mean latency of a model's replies in seconds, and of how many (not batch)."""
        ((mean, count),) = self.file.read(
            "SELECT avg(seconds), count(*) FROM replies WHERE model = ? AND NOT batch", (model,)
        )
        return (mean or 0.0), count

    def replies(
        self, *, model: str = "", before: str = "", prefix: str = ""
    ) -> Iterator[KeptReply]:
        """Yield replies whole, sorted by key: of a model, older than a time, by a key's beginning.

        What is stored meanwhile may be among them.
        """
        last = ""
        while True:
            rows = self.file.read(
                f"SELECT {COLUMNS} FROM replies WHERE key > ? AND {_CHOSEN} ORDER BY key LIMIT ?",
                (last, *_chosen(model, before, prefix), _PAGE),
            )
            yield from map(from_row, rows)
            if len(rows) < _PAGE:
                return
            last = rows[-1][0]

    def prune(self, *, model: str = "", before: str = "") -> int:
        """Delete replies of a model, or older than a time; return how many.

        The file is as large as before, and fills with new ones, until ``file.shrink()``.
        """
        with self.file.change() as connection:
            return connection.execute(
                f"DELETE FROM replies WHERE {_CHOSEN}", _chosen(model, before, "")
            ).rowcount

    def _owner(self) -> str:
        # Asked once a process, and again after a fork.
        if self._me[0] != os.getpid():
            self._me = (os.getpid(), process())
        return self._me[1]


_CHOSEN = "(? = '' OR model = ?) AND (? = '' OR at < ? AND at <> '') AND key >= ? AND key < ?"


def _chosen(model: str, before: str, prefix: str) -> tuple[str, ...]:
    return (model, model, before, before, prefix, prefix + "\U0010ffff")
