from __future__ import annotations

import os
import signal
import sqlite3
import threading
import time

import pytest

from src.llm.store import ReplyStore
from tests.llm.store_help import AT, body_of, put, raw_of, start

PUT_FOR_EVER = """
import itertools, sys
from src.llm.store import ReplyStore
from tests.llm.store_help import AT, body_of, raw_of
store = ReplyStore(sys.argv[1])
for number in itertools.count():
    store.put(f"{sys.argv[2]}-{number}", request=body_of("x" * 500), raw=raw_of(f"{number}"),
              seconds=0.1, at=AT, usd=0.01, scope="run")
    print(number, flush=True)
"""
PUT_SOME = """
import sys
from src.llm.store import ReplyStore
from tests.llm.store_help import AT, body_of, raw_of
print("ready", flush=True)
input()
for number in range(int(sys.argv[3])):
    if number % 20 == 0:
        store = ReplyStore(sys.argv[1])
    for key in (f"{sys.argv[2]}-{number}", f"shared-{number}"):
        store.put(key, request=body_of("?"), raw=raw_of(key), seconds=0.1, at=AT, usd=0.25,
                  scope="run")
    if number % 20 == 19:
        store.close()
"""


@pytest.fixture
def store(tmp_path):
    with ReplyStore(tmp_path / "deep" / "replies.db") as store:
        yield store


def test_a_reply_comes_back_as_it_was(store):
    body = body_of("Welche Wortstellung? ŋǃ", temperature=0.2)
    odd = raw_of("SOV, sagt \ud800 er") | {"choices_of_others": [1.5, None, True]}
    key = put(store, body, raw=odd, seconds=1.25, batch=True, repeat=3, revision="r1", usd=0.5)
    (found,) = store.get([key, "not there"]).values()
    assert (found.key, found.raw, found.seconds, found.at) == (key, odd, 1.25, AT)
    assert found.batch is True
    (kept,) = store.replies()
    assert kept.body == body
    assert (kept.model, kept.revision, kept.repeat, kept.usd) == ("small", "r1", 3, 0.5)
    assert (kept.finish, kept.prompt_tokens, kept.completion_tokens) == ("stop", 10, 4)
    assert kept.cached_tokens is None


def test_long_prompts_take_little_room_and_come_back(store):
    body = body_of("Das Verb steht am Ende des Satzes. " * 3000)
    put(store, body)
    (kept,) = store.replies()
    assert kept.body == body
    ((size,),) = store.file.read("SELECT length(body) FROM replies")
    assert size < len(body["messages"][0]["content"]) / 3


def test_the_first_reply_stays(store):
    first = put(store, body_of("?"), "SOV")
    assert put(store, body_of("?"), "SVO") == first
    assert store.get([first])[first].raw == raw_of("SOV")


def test_thousands_of_keys_are_looked_up_at_once(store):
    keys = [put(store, body_of(str(number))) for number in range(700)]
    asked = [f"absent-{number}" for number in range(40_000)] + keys
    assert set(store.get(asked)) == set(keys)
    assert [kept.key for kept in store.replies()] == sorted(keys)


def test_spending_is_by_scope_and_outlives_pruning(store):
    put(store, body_of("a"), usd=0.25, scope="one")
    put(store, body_of("b"), usd=0.5, scope="one")
    put(store, body_of("c"), usd=4.0, scope="two")
    put(store, body_of("d"), usd=None, scope="one")
    assert (store.spent("one"), store.spent("two"), store.spent("none")) == (0.75, 4.0, 0.0)
    assert store.prune(model="small") == 4
    assert store.spent("one") == 0.75


def test_latencies_are_of_replies_that_were_waited_for(store):
    put(store, body_of("a"), seconds=1.0)
    put(store, body_of("b"), seconds=2.0)
    put(store, body_of("c"), seconds=3600.0, batch=True)
    put(store, body_of("d", model="other"), seconds=9.0)
    assert store.latencies("small") == (1.5, 2)
    assert store.latencies("unknown") == (0.0, 0)


@pytest.mark.parametrize("after", [1, 7, 60])
def test_what_put_returned_for_outlives_sigkill(tmp_path, after):
    path = tmp_path / "replies.db"
    with start(PUT_FOR_EVER, path, "a") as child:
        last = -1
        while last < after:
            last = int(child.stdout.readline())
        child.send_signal(signal.SIGKILL)
        said = [int(line) for line in child.stdout.read().split("\n")[:-1]]
    put_for_certain = max([last, *said]) + 1
    with ReplyStore(path) as store:
        found = store.get([f"a-{number}" for number in range(put_for_certain + 1)])
        assert set(found) >= {f"a-{number}" for number in range(put_for_certain)}
        # One more may have been committed, and not been told of.
        assert store.spent("run") == pytest.approx(0.01 * len(found))
        assert put(store, body_of("goes on"))
    assert sqlite3.connect(path).execute("PRAGMA integrity_check").fetchone() == ("ok",)


def test_many_processes_make_and_fill_a_store_at_once(tmp_path):
    path, each = tmp_path / "replies.db", 100
    children = [start(PUT_SOME, path, name, each) for name in "abcd"]
    for child in children:
        child.stdout.readline()
    for child in children:
        child.stdin.write("\n")
        child.stdin.flush()
    for child in children:
        child.communicate()
    assert [child.returncode for child in children] == [0] * 4
    with ReplyStore(path) as store:
        keys = {kept.key for kept in store.replies()}
        assert keys == {f"{n}-{i}" for n in ("a", "b", "c", "d", "shared") for i in range(each)}
        assert store.spent("run") == 0.25 * 2 * 4 * each  # who paid twice has spent twice


def test_threads_share_a_store(store):
    def work(name: str) -> None:
        for number in range(50):
            put(store, body_of(f"{name}-{number}"), usd=0.5, scope="run")

    threads = [threading.Thread(target=work, args=[name]) for name in "abcdefgh"]
    for thread in threads:
        thread.start()
    for thread in threads:
        thread.join()
    assert len(list(store.replies())) == 400
    assert store.spent("run") == 200.0


def test_a_forked_process_has_a_connection_of_its_own(store):
    put(store, body_of("before"))
    child = os.fork()
    if child == 0:
        status = 1
        try:
            put(store, body_of("in the child"))
            status = 0
        finally:
            os._exit(status)
    assert os.waitpid(child, 0)[1] == 0
    put(store, body_of("after"))
    assert len(list(store.replies())) == 3


def test_replies_are_stored_while_others_are_listed(store):
    for number in range(450):
        put(store, body_of(str(number)))
    listing = store.replies()
    first = next(listing)
    put(store, body_of("late"))
    rest = list(listing)
    assert first.key < rest[0].key
    assert len(rest) in (449, 450)


def test_filters(store):
    old = put(store, body_of("a"), at="2026-01-31T23:59:59+00:00")
    new = put(store, body_of("b"), at="2026-02-01T00:00:00+00:00")
    other = put(store, body_of("c", model="other"))
    assert [kept.key for kept in store.replies(before="2026-02-01")] == [old]
    assert {kept.key for kept in store.replies(model="small")} == {old, new}
    assert [kept.key for kept in store.replies(prefix=other[:12])] == [other]
    assert store.prune(model="small", before="2026-02-01") == 1
    assert {kept.key for kept in store.replies()} == {new, other}


def test_pruning_shrinks_the_file(store):
    for number in range(60):
        put(store, body_of("".join(chr(0x4E00 + (number * i) % 9973) for i in range(9000))))
    put(store, body_of("x", model="other"))
    store.prune(model="other")
    store.file.shrink()
    before = store.path.stat().st_size
    assert store.prune(model="small") == 60
    store.file.shrink()
    assert store.path.stat().st_size < before / 10


def test_waiting_for_another_writer_takes_no_error(store):
    other = sqlite3.connect(store.path, isolation_level=None)
    other.execute("BEGIN IMMEDIATE")
    writer = threading.Thread(target=put, args=[store, body_of("?")])
    writer.start()
    time.sleep(0.2)
    other.execute("COMMIT")
    writer.join()
    assert len(list(store.replies())) == 1
