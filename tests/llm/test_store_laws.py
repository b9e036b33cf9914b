"""Whatever several owners do to a store in whatever order, it agrees with a plain account of it."""

from __future__ import annotations

import tempfile
import time
from pathlib import Path

from hypothesis import settings
from hypothesis import strategies as st
from hypothesis.stateful import RuleBasedStateMachine, initialize, invariant, rule

from src.llm import claims, stored_batches
from src.llm.claims import BATCH
from src.llm.store import ReplyStore
from src.processes import process
from tests.llm.store_help import AT, body_of, raw_of

HOST = process().partition(":")[0]
ME = process()
OTHERS = ("elsewhere:1:1.00", "elsewhere:2:1.00")
DEAD = (f"{HOST}:99999998:1.00", f"{HOST}:99999999:1.00")  # no system gives such numbers

KEYS = st.sampled_from([f"key-{number}" for number in range(6)])
SCOPES = st.sampled_from(["one", "two"])
CENTS = st.integers(0, 40)
BATCHES = st.sampled_from(["batch_1", "batch_2"])


class StoreLaws(RuleBasedStateMachine):
    """The account: replies, claims (owner, scope, cents, whether old), spending, open batches."""

    @initialize()
    def begin(self) -> None:
        self.folder = tempfile.TemporaryDirectory()
        self.store = ReplyStore(Path(self.folder.name) / "replies.db")
        self.replies: dict[str, str] = {}
        self.claims: dict[str, tuple[str, str, int, bool]] = {}
        self.spent = {"one": 0, "two": 0}
        self.batches: dict[str, set[str]] = {}

    def teardown(self) -> None:
        if hasattr(self, "store"):
            self.store.close()
            self.folder.cleanup()

    @rule(
        owner=st.sampled_from([ME, *OTHERS, *DEAD]),
        wanted=st.lists(st.tuples(KEYS, CENTS), min_size=1, max_size=4),
        scope=SCOPES,
        budget=st.none() | st.integers(0, 100),
    )
    def claim(
        self, owner: str, wanted: list[tuple[str, int]], scope: str, budget: int | None
    ) -> None:
        self._drop_void(owner, {key for key, _ in wanted}, scope if budget is not None else None)
        expected = [self._claim(owner, key, cents, scope, budget) for key, cents in wanted]
        with self.store.file.change() as connection:
            found = claims.claim_many(
                connection,
                [(key, cents / 100) for key, cents in wanted],
                scope=scope,
                budget=None if budget is None else budget / 100,
                owner=owner,
            )
        assert found == expected

    def _claim(self, owner: str, key: str, cents: int, scope: str, budget: int | None) -> str:
        if key in self.replies:
            return "stored"
        if key in self.claims:
            return "theirs"
        if budget is not None and cents > budget - self._committed(scope):
            return "over_budget"
        self.claims[key] = (owner, scope, cents, False)
        return "mine"

    def _committed(self, scope: str) -> int:
        held = (cents for _, where, cents, _ in self.claims.values() if where == scope)
        return self.spent[scope] + sum(held)

    def _drop_void(self, me: str, wanted: set[str], scope: str | None) -> None:
        """Who stands in the way, and is dead or elsewhere and silent for long, loses its claims."""
        in_the_way = {
            owner
            for key, (owner, where, *_) in self.claims.items()
            if owner != me and (key in wanted or where == scope)
        }
        here = me.partition(":")[0]
        for key, (owner, _, _, is_old) in list(self.claims.items()):
            silent = is_old and owner.partition(":")[0] != here
            is_dead = owner in DEAD
            if owner in in_the_way and not owner.startswith(BATCH) and (is_dead or silent):
                del self.claims[key]

    @rule(key=KEYS, text=st.text(max_size=3), cents=st.none() | CENTS, scope=SCOPES)
    def put(self, key: str, text: str, cents: int | None, scope: str) -> None:
        usd = None if cents is None else cents / 100
        about = {"seconds": 0.5, "at": AT, "usd": usd, "scope": scope}
        self.store.put(key, request=body_of(key), raw=raw_of(text), **about)  # type: ignore[arg-type]
        self.replies.setdefault(key, text)
        self.claims.pop(key, None)
        self.spent[scope] += cents or 0

    @rule(keys=st.lists(KEYS, max_size=3))
    def release(self, keys: list[str]) -> None:
        self.store.release(*keys)
        for key in keys:
            if key in self.claims and self.claims[key][0] == ME:
                del self.claims[key]

    @rule()
    def an_hour_passes(self) -> None:
        with self.store.file.change() as connection:
            connection.execute("UPDATE claims SET at = ?", (time.time() - 3601,))
        self.claims = {key: (*claim[:3], True) for key, claim in self.claims.items()}

    @rule(id=BATCHES, keys=st.sets(KEYS, min_size=1, max_size=4), scope=SCOPES)
    def send(self, id: str, keys: set[str], scope: str) -> None:
        """Batches are made of what this process has claimed."""
        mine = {key for key in keys if self.claims.get(key, ("",))[0] == ME}
        if id in self.batches or not mine:
            return
        with self.store.file.change() as change:
            about = {"base_url": "https://x", "status": "sent", "scope": scope}
            stored_batches.save(change, id, keys=sorted(mine), **about)
        self.batches[id] = mine
        for key in mine:
            self.claims[key] = (BATCH + id, *self.claims[key][1:])

    @rule(id=BATCHES, done=st.sets(KEYS), again=st.sets(KEYS, max_size=2))
    def settle(self, id: str, done: set[str], again: set[str]) -> None:
        if id not in self.batches:
            return
        again &= done
        with self.store.file.change() as change:
            about = {"done": sorted(done), "again": sorted(again), "by": ME}
            stored_batches.settle(change, id, "expired", **about)  # type: ignore[arg-type]
        for key in done:
            if self.claims.get(key, ("",))[0] == BATCH + id:
                rest = (*self.claims[key][1:3], False)
                self.claims.pop(key)
                if key in again:
                    self.claims[key] = (ME, *rest)
        self.batches[id] -= done | set(self.replies)
        if not self.batches[id]:
            del self.batches[id]

    @rule(id=BATCHES)
    def close(self, id: str) -> None:
        with self.store.file.change() as change:
            stored_batches.close(change, id, "forgotten")
        self.batches.pop(id, None)
        self.claims = {k: claim for k, claim in self.claims.items() if claim[0] != BATCH + id}

    @rule()
    def open_anew(self) -> None:
        """Claims of this process are its, whichever object made them; closing may end some."""
        self.store.file.close()
        self.store = ReplyStore(self.store.path)

    @invariant()
    def agrees(self) -> None:
        if not hasattr(self, "store"):
            return
        keys = [f"key-{number}" for number in range(6)]
        assert {key: found.raw for key, found in self.store.get(keys).items()} == {
            key: raw_of(text) for key, text in self.replies.items()
        }
        assert self.store.holders(keys) == {key: owner for key, (owner, *_) in self.claims.items()}
        for scope, cents in self.spent.items():
            assert round(self.store.spent(scope) * 100) == cents
        with self.store.file.reading() as connection:
            found = {one.id: set(one.keys) for one in stored_batches.open_ones(connection, None)}
        unanswered = {id: keys - set(self.replies) for id, keys in self.batches.items()}
        assert found == {id: keys for id, keys in unanswered.items() if keys}


TestStoreLaws = StoreLaws.TestCase
TestStoreLaws.settings = settings(max_examples=20, stateful_step_count=25, deadline=None)
