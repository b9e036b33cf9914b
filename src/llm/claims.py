"""Claims: of those who want the same reply at the same time, one pays for it."""

from __future__ import annotations

import sqlite3
import time
from collections.abc import Iterable, Iterator, Sequence
from typing import Literal

from src.processes import is_dead

# mine: send it. stored: it is there. theirs: somebody else has sent it. over_budget: do not send.
Claim = Literal["mine", "stored", "theirs", "over_budget"]

BATCH = "batch:"  # before the id of a batch that owns claims

_HOUR = 3600.0
_CHUNK = 500
_CRUMB = 1e-9  # dollars: less than this is the floating point's, not the user's


def claim_many(
    connection: sqlite3.Connection,
    wanted: Sequence[tuple[str, float]],
    *,
    scope: str,
    budget: float | None,
    owner: str,
) -> list[Claim]:
    """Claim keys, each with the most that it may cost; say what became of each, in order.

    To be called in a transaction. ``budget`` bounds what the scope has spent, what is claimed for
    it, and what is claimed now. A key that comes twice is the caller's only once.
    """
    keys = [key for key, _ in wanted]
    stored = set(_stored(connection, keys))
    in_the_way = set(holders(connection, keys).values())
    if budget is not None:
        in_the_way.update(_owners(connection, scope))
    _drop_void(connection, in_the_way, owner)
    taken = set(holders(connection, keys))
    left = None if budget is None else budget + _CRUMB - committed(connection, scope)
    now, mine, found = time.time(), [], []
    for key, usd in wanted:
        outcome = _outcome(key, usd, stored, taken, left)
        if outcome == "mine":
            mine.append((key, owner, now, usd, scope))
            taken.add(key)
            left = None if left is None else left - usd
        found.append(outcome)
    connection.executemany("INSERT INTO claims VALUES (?, ?, ?, ?, ?)", mine)
    return found


def _outcome(key: str, usd: float, stored: set[str], taken: set[str], left: float | None) -> Claim:
    if key in stored:
        return "stored"
    if key in taken:
        return "theirs"
    return "over_budget" if left is not None and usd > left else "mine"


def committed(connection: sqlite3.Connection, scope: str) -> float:
    """Return what a scope has spent and may yet spend on what is claimed, in US dollars."""
    ((usd,),) = connection.execute(
        "SELECT (SELECT total(usd) FROM spending WHERE scope = :scope)"
        " + (SELECT total(usd) FROM claims WHERE scope = :scope)",
        {"scope": scope},
    )
    return float(usd)


def holders(connection: sqlite3.Connection, keys: Sequence[str]) -> dict[str, str]:
    """Return who has claimed keys."""
    found = {}
    for marks, some in chunks(keys):
        sql = f"SELECT key, owner FROM claims WHERE key IN ({marks})"
        found.update(dict(connection.execute(sql, some).fetchall()))
    return found


def _owners(connection: sqlite3.Connection, scope: str) -> list[str]:
    rows = connection.execute("SELECT DISTINCT owner FROM claims WHERE scope = ?", (scope,))
    return [owner for (owner,) in rows]


def _drop_void(connection: sqlite3.Connection, owners: Iterable[str], me: str) -> None:
    """Void the claims of processes that are dead, and those that are old where nobody can know."""
    for owner in owners:
        if owner == me or owner.startswith(BATCH):
            continue
        if is_dead(owner):
            connection.execute("DELETE FROM claims WHERE owner = ?", (owner,))
        elif not _is_here(owner, me):
            old = time.time() - _HOUR
            connection.execute("DELETE FROM claims WHERE owner = ? AND at < ?", (owner, old))


def _is_here(owner: str, me: str) -> bool:
    return owner.partition(":")[0] == me.partition(":")[0]


def release(connection: sqlite3.Connection, keys: Iterable[str], owner: str) -> None:
    """Give up claims of an owner's."""
    connection.executemany(
        "DELETE FROM claims WHERE key = ? AND owner = ?", [(key, owner) for key in keys]
    )


def chunks(keys: Sequence[str]) -> Iterator[tuple[str, list[str]]]:
    """Yield keys by the hundred, each time with as many placeholders."""
    for start in range(0, len(keys), _CHUNK):
        some = list(keys[start : start + _CHUNK])
        yield ", ".join("?" * len(some)), some


def _stored(connection: sqlite3.Connection, keys: Sequence[str]) -> Iterator[str]:
    for marks, some in chunks(keys):
        for (key,) in connection.execute(f"SELECT key FROM replies WHERE key IN ({marks})", some):
            yield key
