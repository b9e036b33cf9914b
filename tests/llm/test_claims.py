from __future__ import annotations

import signal
import sqlite3
from collections import Counter

import pytest

from src.llm.store import ReplyStore
from tests.llm.store_help import body_of, put, start

CLAIM_ALL = """
import sys
from src.llm.store import ReplyStore
store = ReplyStore(sys.argv[1])
print("ready", flush=True)
input()
budget = float(sys.argv[2]) if sys.argv[2] else None
many = sys.argv[3] == "many"
wanted = [(f"key-{number}", 0.5) for number in range(200)]
if many:
    found = store.claim_many(wanted, scope="run", budget=budget)
else:
    found = [store.claim(key, usd=usd, scope="run", budget=budget) for key, usd in wanted]
print(*found, flush=True)
input()
"""
SPEND = """
import itertools, sys
from src.llm.store import ReplyStore
from tests.llm.store_help import AT, body_of, raw_of
store = ReplyStore(sys.argv[1])
print("ready", flush=True)
input()
for number in itertools.count():
    key = f"{sys.argv[2]}-{number}"
    if store.claim(key, usd=0.5, scope="run", budget=20.0) != "mine":
        break
    store.put(key, request=body_of("?"), raw=raw_of("!"), seconds=0.1, at=AT, usd=0.3, scope="run")
"""


@pytest.fixture
def store(tmp_path):
    with ReplyStore(tmp_path / "replies.db") as store:
        yield store


def claim(store, *keys, usd=0.0, scope="run", budget=None):
    return store.claim_many([(key, usd) for key in keys], scope=scope, budget=budget)


def side_by_side(store, count, *arguments):
    """Let processes claim the same 200 keys at once; return what each was told, and the processes.

    They wait, and so live, until they are ended.
    """
    children = [start(CLAIM_ALL, store.path, *arguments) for _ in range(count)]
    for child in children:
        child.stdout.readline()
    for child in children:
        child.stdin.write("\n")
        child.stdin.flush()
    return [child.stdout.readline().split() for child in children], children


def end(children):
    for child in children:
        child.communicate("\n")


def test_a_key_is_claimed_once_until_it_is_released_or_stored(store):
    assert claim(store, "a", "b", "a") == ["mine", "mine", "theirs"]
    with ReplyStore(store.path) as other:
        assert claim(other, "a", "c") == ["theirs", "mine"]
        other.release("a")  # the same process: whose object it was does not matter
        assert claim(other, "a") == ["mine"]
    assert store.holders(["a", "b", "c"]).keys() == {"b"}


def test_closing_gives_up_what_came_to_nothing(store):
    other = ReplyStore(store.path)
    key = put(other, body_of("?"))
    assert claim(other, key, "b", "c") == ["stored", "mine", "mine"]
    other.close()
    assert claim(store, key, "b", "c") == ["stored", "mine", "mine"]


def test_put_ends_the_claim(store):
    key = put(store, body_of("?"))
    store.prune(model="small")
    assert claim(store, key, usd=1.0) == ["mine"]
    put(store, body_of("?"), usd=0.25, scope="run")
    assert store.holders([key]) == {}
    assert claim(store, key, usd=1.0, budget=0.0) == ["stored"]


def test_budget_counts_spending_claims_and_what_is_claimed_now(store):
    put(store, body_of("?"), usd=0.5, scope="run")
    put(store, body_of("!"), usd=100.0, scope="another")
    assert claim(store, "a", usd=0.3, budget=1.0) == ["mine"]
    assert claim(store, "b", "c", usd=0.2, budget=1.0) == ["mine", "over_budget"]
    assert claim(store, "c", usd=0.2, budget=1.0) == ["over_budget"]
    store.release("b")
    assert claim(store, "c", usd=0.2, budget=1.0) == ["mine"]
    assert claim(store, "free", usd=0.0, budget=1.0) == ["mine"]
    assert claim(store, "d", usd=5.0) == ["mine"]


def test_a_budget_can_be_used_up_to_the_cent(store):
    keys = [str(number) for number in range(11)]
    assert claim(store, *keys, usd=0.1, budget=1.0) == ["mine"] * 10 + ["over_budget"]


def test_a_cheaper_request_may_fit_where_a_dear_one_did_not(store):
    found = store.claim_many([("a", 0.9), ("b", 0.2), ("c", 0.1)], scope="run", budget=1.0)
    assert found == ["mine", "over_budget", "mine"]


@pytest.mark.parametrize("way", ["many", "single"])
def test_each_key_is_mine_for_exactly_one_process(store, way):
    told, children = side_by_side(store, 3, "", way)
    for outcomes in zip(*told, strict=True):
        assert Counter(outcomes) == {"mine": 1, "theirs": 2}
    end(children)


@pytest.mark.parametrize("way", ["many", "single"])
def test_processes_together_stay_within_the_budget(store, way):
    told, children = side_by_side(store, 3, "25.25", way)
    counts = Counter(outcome for outcomes in told for outcome in outcomes)
    assert counts["mine"] == 50
    assert "stored" not in counts
    end(children)


def test_what_replies_cost_less_than_they_might_is_spent_on_others(store):
    children = [start(SPEND, store.path, name) for name in "abc"]
    for child in children:
        child.stdout.readline()
    for child in children:
        child.stdin.write("\n")
        child.stdin.flush()
    for child in children:
        child.communicate()
    assert [child.returncode for child in children] == [0] * 3
    # Whoever ends first does so because the two others may yet spend 0.5 each.
    assert 20.0 - 3 * 0.5 < store.spent("run") <= 20.0
    assert store.spent("run") == pytest.approx(0.3 * len(list(store.replies())))


def test_claims_of_a_killed_process_are_free_again(store):
    (told,), (child,) = side_by_side(store, 1, "", "many")
    assert Counter(told) == {"mine": 200}
    assert claim(store, "key-0", usd=1.0, budget=100.0) == ["theirs"]
    child.send_signal(signal.SIGKILL)
    child.communicate()
    assert claim(store, "key-0", usd=1.0, budget=1.0) == ["mine"]
    assert store.holders(["key-1"]) == {}


def test_claims_of_other_machines_are_void_after_an_hour(store):
    claim(store, "fresh", "old", usd=1.0)
    with sqlite3.connect(store.path) as other:
        other.execute("UPDATE claims SET owner = 'elsewhere:1:1.0'")
        other.execute("UPDATE claims SET at = at - 3601 WHERE key = 'old'")
    other.close()
    assert claim(store, "fresh", "old", usd=1.0, budget=2.0) == ["theirs", "mine"]


def test_one_s_own_claims_last(store):
    claim(store, "slow")
    with sqlite3.connect(store.path) as other:
        other.execute("UPDATE claims SET at = at - 90000")
    other.close()
    assert claim(store, "slow") == ["theirs"]
