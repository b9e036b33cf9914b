"""The store's list of batches, as batch mode keeps it."""

from __future__ import annotations

from pathlib import Path
from typing import Any

import pytest

from src.errors import GrambenchError
from src.llm import stored_batches
from src.llm.batch_ledger import (
    Ledger,
    file_of,
    forget,
    is_being_created,
    open_batches,
    state_of,
)
from src.llm.claims import BATCH
from src.llm.store import ReplyStore
from src.processes import process
from tests.llm.batch_server import completion

URL = "https://far/v1"
# a process number that no system gives
DEAD = f"{process().partition(':')[0]}:99999999:1.00"


@pytest.fixture
def store(tmp_path: Path) -> ReplyStore:
    return ReplyStore(tmp_path / "replies.db")


@pytest.fixture
def ledger(store: ReplyStore) -> Ledger:
    return Ledger(store, URL, "sweep")


def note(store: ReplyStore, id: str, status: str) -> None:
    with store.file.change() as connection:
        stored_batches.note(connection, id, status)


def put(store: ReplyStore, key: str) -> None:
    about: dict[str, Any] = {
        "seconds": 0.0,
        "at": "2026-01-01T00:00:00+00:00",
        "usd": 0.1,
        "scope": "sweep",
    }
    store.put(key, request={"model": "m"}, raw=completion("x"), batch=True, **about)


def test_an_intent_becomes_a_batch_and_keeps_what_its_requests_may_cost(
    store: ReplyStore, ledger: Ledger
) -> None:
    store.claim_many([("a", 2.0), ("b", 2.0)], scope="sweep", budget=4.0)
    intent = ledger.intend("file-1", ["a", "b"])
    (open_one,) = ledger.open_ones(["a"])
    assert file_of(open_one) == "file-1"
    ledger.created(intent, "batch_1", ["a", "b"])
    (open_one,) = ledger.open_ones(["b"])
    assert (open_one.id, open_one.keys, file_of(open_one)) == ("batch_1", ("a", "b"), None)
    assert store.claim("c", usd=1.0, scope="sweep", budget=4.0) == "over_budget"


def test_requests_are_settled_one_by_one_and_the_last_closes_the_batch(
    store: ReplyStore, ledger: Ledger
) -> None:
    store.claim_many([(key, 1.0) for key in "abcd"], scope="sweep", budget=None)
    ledger.created(ledger.intend("file-1", list("abcd")), "batch_1", list("abcd"))
    put(store, "a")
    ledger.settle("batch_1", "expired", ["a", "b", "c"], again=["b"])
    assert store.holders(list("abcd")) == {"b": process(), "d": f"{BATCH}batch_1"}
    assert ledger.open_ones(["a", "b", "c"]) == []
    assert ledger.open_ones(["d"])[0].keys == ("d",)
    put(store, "d")  # by a process that was killed before it settled
    ledger.settle("batch_1", "expired", [])
    assert ledger.open_ones(["d"]) == []


def test_one_process_at_a_time_collects(store: ReplyStore, ledger: Ledger) -> None:
    ledger.created(ledger.intend("file-1", ["a"]), "batch_1", ["a"])
    assert ledger.take("batch_1") == ("a",)
    living = process().rpartition(":")[0]
    note(store, "batch_1", f"collecting {DEAD} 1")
    assert ledger.take("batch_1") == ("a",)
    note(store, "batch_1", "collecting elsewhere:1:1.00 99999999999")
    assert ledger.take("batch_1") == ()
    note(store, "batch_1", "collecting elsewhere:1:1.00 1")  # not heard of for an hour
    assert ledger.take("batch_1") == ("a",)
    assert living in ledger.open_ones(["a"])[0].status
    ledger.settle("batch_1", "completed", ["a"])
    assert ledger.take("batch_1") == ()


def test_only_what_a_dead_process_began_is_not_being_created(
    store: ReplyStore, ledger: Ledger
) -> None:
    intent = ledger.intend("file-1", ["a"])
    (mine,) = ledger.open_ones(["a"])
    assert is_being_created(mine, seconds=60)
    assert not is_being_created(mine, seconds=-5)
    note(store, intent, DEAD)
    assert not is_being_created(ledger.open_ones(["a"])[0], seconds=-5)
    note(store, intent, "elsewhere:1:1.00")
    assert is_being_created(ledger.open_ones(["a"])[0], seconds=-5)


def test_batches_of_other_endpoints_are_not_ours(store: ReplyStore, ledger: Ledger) -> None:
    other = Ledger(store, "https://near/v1", "sweep")
    other.created(other.intend("file-1", ["a"]), "batch_1", ["a"])
    assert ledger.open_ones(["a"]) == []
    assert ledger.open_ones([]) == []


def test_a_batch_takes_over_the_claims_of_who_sent_it(store: ReplyStore, ledger: Ledger) -> None:
    store.claim_many([(key, 0.5) for key in "abc"], scope="sweep", budget=None)
    ledger.created(ledger.intend("file-1", ["a", "b"]), "batch_1", ["a", "b"])
    store.release("a")
    store.close()
    assert store.holders(list("abc")) == {"a": f"{BATCH}batch_1", "b": f"{BATCH}batch_1"}
    wanted = [("a", 0.25), ("d", 0.25)]
    assert store.claim_many(wanted, scope="sweep", budget=1.0) == ["theirs", "over_budget"]


def test_all_open_batches_are_told_with_what_is_unanswered(
    store: ReplyStore, ledger: Ledger
) -> None:
    other = Ledger(store, "https://near/v1", "sweep")
    other.created(other.intend("file-1", ["a", "b"]), "batch_2", ["a", "b"])
    ledger.created(ledger.intend("file-2", ["c"]), "batch_1", ["c"])
    ledger.intend("file-3", ["d"])
    put(store, "a")
    found = {(one.id, one.base_url, state_of(one), one.keys) for one in open_batches(store)}
    assert found == {
        ("batch_2", "https://near/v1", "sent", ("b",)),
        ("batch_1", URL, "sent", ("c",)),
        ("creating:file-3", URL, "being sent", ("d",)),
    }
    ledger.take("batch_1")
    put(store, "b")  # and its process was killed before it settled anything
    assert [state_of(one) for one in open_batches(store)] == ["being collected", "being sent"]


def test_what_is_forgotten_can_be_claimed_and_costs_nothing(
    store: ReplyStore, ledger: Ledger
) -> None:
    store.claim_many([("a", 2.0), ("b", 2.0)], scope="sweep", budget=4.0)
    ledger.created(ledger.intend("file-1", ["a"]), "batch_1", ["a"])
    with pytest.raises(GrambenchError, match=r"no open batch 'batch_2'. Did you mean 'batch_1'"):
        forget(store, "batch_2")
    assert forget(store, "batch_1").keys == ("a",)
    assert store.holders(["a", "b"]) == {"b": process()}
    assert store.claim("a", usd=2.0, scope="sweep", budget=4.0) == "mine"
    with pytest.raises(GrambenchError, match="no open batch"):
        forget(store, "batch_1")
    ledger.settle("batch_1", "completed", ["a"])  # by a process that was looking after it
    assert open_batches(store) == []
    assert store.holders(["a"]) == {"a": process()}
