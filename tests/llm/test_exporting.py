from __future__ import annotations

import json

import pytest
from pyarrow import parquet

from src.errors import GrambenchError
from src.llm.exporting import export
from src.llm.importing import import_replies
from src.llm.store import ReplyStore
from tests.llm.store_help import AT, body_of, put, raw_of


@pytest.fixture
def store(tmp_path):
    with ReplyStore(tmp_path / "replies.db") as store:
        put(store, body_of("Wo steht das Verb? ŋǃ", seed=7), "Am Ende.", usd=0.25, scope="run")
        put(store, body_of("Where is the verb?", model="other"), "Last.", repeat=2, revision="r")
        put(store, body_of("odd"), raw=raw_of("half \ud800 a pair"), batch=True, seconds=0.0)
        yield store


def test_lines_hold_what_a_key_is_made_of_and_come_sorted(store, tmp_path):
    path = tmp_path / "out" / "all.jsonl"
    assert export(store.replies(), path) == 3
    rows = [json.loads(line) for line in path.read_text(encoding="utf-8").split("\n")[:-1]]
    assert [row["key"] for row in rows] == sorted(row["key"] for row in rows)
    (row,) = (row for row in rows if row["model"] == "other")
    assert (row["revision"], row["repeat"], row["at"], row["usd"]) == ("r", 2, AT, None)
    assert row["body"] == body_of("Where is the verb?", model="other")
    assert row["raw"] == raw_of("Last.")
    assert "ŋǃ" in path.read_text(encoding="utf-8")
    assert "run" not in {value for row in rows for value in row.values() if isinstance(value, str)}


@pytest.mark.parametrize("ending", [".jsonl", ".parquet"])
def test_the_same_replies_give_the_same_bytes_whoever_stored_them_in_what_order(
    store, tmp_path, ending
):
    first, lines, again = tmp_path / f"a{ending}", tmp_path / "a.jsonl", tmp_path / f"b{ending}"
    export(store.replies(), first)
    export(store.replies(), lines)
    backwards = tmp_path / "backwards.jsonl"
    backwards.write_text("\n".join(reversed(lines.read_text().split("\n"))), encoding="utf-8")
    with ReplyStore(tmp_path / "other.db") as other:
        assert import_replies(other, backwards).new == 3
        export(other.replies(), again)
    assert again.read_bytes() == first.read_bytes()


def test_parquet_has_the_text_apart(store, tmp_path):
    path = tmp_path / "all.parquet"
    export(store.replies(), path)
    rows = {row["text"]: row for row in parquet.read_table(path).to_pylist()}
    assert rows.keys() == {"Am Ende.", "Last.", "half � a pair"}
    assert json.loads(rows["half � a pair"]["raw"]) == raw_of("half \ud800 a pair")
    german = rows["Am Ende."]
    assert (german["usd"], german["seconds"], german["prompt_tokens"]) == (0.25, 0.5, 10)
    assert json.loads(german["body"])["seed"] == 7


def test_an_unknown_ending_and_a_place_that_cannot_be_written(store, tmp_path):
    with pytest.raises(GrambenchError, match=r"Did you mean '\.jsonl'"):
        export(store.replies(), tmp_path / "all.json")
    (tmp_path / "file").write_text("")
    with pytest.raises(GrambenchError, match="cannot be written"):
        export(store.replies(), tmp_path / "file" / "all.jsonl")


def test_an_export_that_fails_leaves_the_former_one(store, tmp_path):
    path = tmp_path / "all.jsonl"
    export(store.replies(), path)
    before = path.read_bytes()

    def broken():
        yield next(store.replies())
        raise GrambenchError("the store is gone")

    with pytest.raises(GrambenchError, match="is gone"):
        export(broken(), path)
    assert path.read_bytes() == before
    assert {file.suffix for file in tmp_path.iterdir()} <= {".jsonl", ".db", ".db-wal", ".db-shm"}
