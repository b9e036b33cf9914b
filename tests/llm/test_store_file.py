from __future__ import annotations

import os
import re
import sqlite3
import threading

import pytest

from src.errors import GrambenchError
from src.llm.store import ReplyStore
from src.llm.store_file import VERSION
from tests.llm.store_help import body_of, put


def refused(path, **options):
    with pytest.raises(GrambenchError, match=re.escape(str(path))) as caught:
        ReplyStore(path, **options)
    return str(caught.value)


def test_a_folder_in_its_place(tmp_path):
    assert "is a folder" in refused(tmp_path)


def test_a_file_where_its_folder_should_be(tmp_path):
    (tmp_path / "replies").write_text("")
    assert "cannot be made or read" in refused(tmp_path / "replies" / "replies.db")


def test_a_file_that_is_no_database(tmp_path):
    path = tmp_path / "replies.db"
    path.write_text("key,reply\n" * 500)
    assert "no SQLite database" in refused(path)
    assert path.read_text() == "key,reply\n" * 500


def test_a_database_of_something_else_is_left_as_it_is(tmp_path):
    path = tmp_path / "mlflow.db"
    with sqlite3.connect(path) as other:
        other.execute("CREATE TABLE runs (id)")
    other.close()
    before = path.read_bytes()
    assert "no reply store" in refused(path)
    assert path.read_bytes() == before


def test_a_store_of_a_newer_version(tmp_path):
    path = tmp_path / "replies.db"
    ReplyStore(path).close()
    with sqlite3.connect(path) as other:
        other.execute(f"PRAGMA user_version={VERSION + 1}")
    other.close()
    assert "newer Grambench" in refused(path)


def test_an_empty_file_becomes_a_store(tmp_path):
    path = tmp_path / "replies.db"
    path.touch()
    with ReplyStore(path) as store:
        put(store, body_of("?"))
    with ReplyStore(path, create=False) as store:
        assert len(list(store.replies())) == 1


def test_one_that_is_only_read_is_not_made(tmp_path):
    path = tmp_path / "replies" / "replies.db"
    assert "There is no reply store" in refused(path, create=False)
    assert not path.parent.exists()


def test_a_damaged_store(tmp_path):
    path = tmp_path / "replies.db"
    with ReplyStore(path) as store:
        for number in range(100):
            put(store, body_of(str(number) * 200))
    whole = path.read_bytes()
    path.write_bytes(whole[:4096] + b"\xff" * (len(whole) - 4096))
    with (
        pytest.raises(GrambenchError, match=r"replies\.db is damaged"),
        ReplyStore(path) as store,
    ):
        put(store, body_of("?"))


def test_a_full_disk_loses_nothing_that_was_stored(tmp_path):
    with ReplyStore(tmp_path / "replies.db") as store:
        first = put(store, body_of("?"))
        (pages,) = store.file.read("PRAGMA page_count")[0]
        store.file.read(f"PRAGMA max_page_count={pages}")
        with pytest.raises(GrambenchError, match="disk is full"):
            for number in range(100):
                put(store, body_of(str(number)), str(number) * 3000)
        assert first in store.get([first])
        store.file.read("PRAGMA max_page_count=100000")
        put(store, body_of("there is room again"))


def test_a_read_only_store(tmp_path):
    with ReplyStore(tmp_path / "replies.db") as store:
        first = put(store, body_of("?"))
        store.file.read("PRAGMA query_only=1")
        with pytest.raises(GrambenchError, match="read-only"):
            put(store, body_of("!"))
        assert first in store.get([first])


def test_the_wal_file_begins_anew_every_so_many_commits(tmp_path, monkeypatch):
    monkeypatch.setattr("src.llm.store_file._COMMITS", 100)
    with ReplyStore(tmp_path / "replies.db") as store:
        for number in range(100):
            put(store, body_of(str(number)))
        grown = (tmp_path / "replies.db-wal").stat().st_size
        store.file._mover.join()
        for number in range(100, 199):
            put(store, body_of(str(number)))
        assert (tmp_path / "replies.db-wal").stat().st_size < 1.5 * grown
        assert len(list(store.replies())) == 199


@pytest.mark.parametrize("name", ["a b?c#d%41.db", ":memory:", "file:x.db", "ŋ?mode=ro.db"])
def test_any_name_is_the_name_of_a_file(tmp_path, monkeypatch, name):
    monkeypatch.chdir(tmp_path)
    with ReplyStore(name) as store:
        key = put(store, body_of("?"))
    assert [file.name for file in tmp_path.iterdir()] == [name]
    with ReplyStore(name, create=False) as store:
        monkeypatch.chdir("/")
        found = []
        thread = threading.Thread(target=lambda: found.extend(store.get([key])))
        thread.start()
        thread.join()
    assert found == [key]


def test_a_tilde_is_the_home(tmp_path, monkeypatch):
    monkeypatch.setenv("HOME", str(tmp_path))
    monkeypatch.chdir(tmp_path)
    ReplyStore("~/replies.db").close()
    ReplyStore("~nobody-of-this-name/replies.db").close()
    assert {file.name for file in tmp_path.iterdir()} == {
        "replies.db",
        "~nobody-of-this-name",
    }


def test_a_store_where_nothing_can_be_written_is_read(tmp_path, monkeypatch):
    folder = tmp_path / "a b?#"
    with ReplyStore(folder / "replies.db") as store:
        key = put(store, body_of("?"))
    access = os.access  # a test may run as root, who may do everything
    monkeypatch.setattr(os, "access", lambda place, mode: place != folder and access(place, mode))
    with ReplyStore(folder / "replies.db") as store:
        assert set(store.get([key])) == {key}
        with pytest.raises(GrambenchError, match="read-only"):
            put(store, body_of("!"))
    assert [file.name for file in folder.iterdir()] == ["replies.db"]
