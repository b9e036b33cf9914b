from __future__ import annotations

import json
import os
import subprocess
import sys
from pathlib import Path

import pytest

from src import replies
from src.llm.batch_ledger import Ledger
from src.llm.store import ReplyStore
from tests.llm.store_help import body_of, put, raw_of

ROOT = Path(__file__).parents[2]


@pytest.fixture
def store(tmp_path):
    with ReplyStore(tmp_path / "replies.db") as store:
        yield store


@pytest.fixture
def call(tmp_path, capsys):
    def run(*arguments: object, path: Path = tmp_path / "replies.db") -> tuple[int, str, str]:
        status = replies.main([*map(str, arguments), "--store", str(path)])
        said = capsys.readouterr()
        return status, said.out, said.err

    return run


def fill(store):
    cool, warm = {"temperature": 0.2}, {"temperature": 1.0, "stop": ["ŋ"]}
    march, april = "2026-03-05T12:00:00+00:00", "2026-04-01T00:00:00+00:00"
    return [
        put(
            store,
            body_of("Verb?", seed=1, **cool),
            "Conclusion: SOV",
            usd=0.5,
            at=march,
            seconds=1.0,
        ),
        put(
            store,
            body_of("Verb?", seed=2, **cool),
            "SVO",
            repeat=1,
            usd=0.25,
            at=april,
            seconds=2.0,
        ),
        put(store, body_of("Ton?", **warm), "Ja.", at=april),
        put(store, body_of("Tone?", model="other"), "No tone.", at=april, batch=True, seconds=9.0),
    ]


def test_show_tells_what_there_is(call, store):
    fill(store)
    status, out, err = call("show")
    assert (status, err) == (0, "")
    title, _, header, *rows = out.strip().split("\n")
    assert title == f"{store.path}: 4 replies"
    assert " ".join(header.split()) == (
        "model replies repeats prompt tokens completion tokens USD mean s first last settings"
    )
    assert [" ".join(row.split()) for row in rows] == [
        "other 1 1 10 4 - - 2026-04-01 2026-04-01 max_tokens=64",
        'small 1 1 10 4 - 0.50 2026-04-01 2026-04-01 max_tokens=64 stop=["ŋ"] temperature=1.0',
        "small 2 2 20 8 0.7500 1.50 2026-03-05 2026-04-01 max_tokens=64 temperature=0.2",
    ]


def test_show_of_an_empty_store(call, store):
    assert call("show") == (0, f"{store.path}: 0 replies\n", "")


def test_show_one_reply_in_full(call, store):
    body = body_of("Where is\nthe verb?", temperature=0.2)
    body["messages"].insert(0, {"role": "system", "content": "You know grammars."})
    raw = raw_of("At the end.\x1b[31m\u202e")
    raw["choices"][0]["message"]["reasoning_content"] = "Let me see."
    key = put(store, body, raw=raw, usd=0.125, scope="my run", revision="r1", repeat=3)
    status, out, err = call("show", key[:8].upper())
    assert (status, err) == (0, "")
    facts, *parts = out.strip().split("\n\n")
    for fact in (key, "small", "r1", "my run", "temperature=0.2", "0.50", "stop", "0.125000"):
        assert fact in facts
    assert parts == [
        "--- system ---\nYou know grammars.",
        "--- user ---\nWhere is\nthe verb?",
        "--- reasoning ---\nLet me see.",
        "--- reply ---\nAt the end.\\x1b[31m\\x202e",
    ]


def test_show_lists_what_is_sought(call, store):
    keys = fill(store)
    status, out, _ = call("show", "--contains", "TON")
    assert status == 0
    assert {line.split()[0] for line in out.strip().split("\n")[1:]} == {k[:12] for k in keys[2:]}
    _, out, _ = call("show", "--model", "other", "--contains", "tone")
    assert "No tone." in out
    assert len(out.strip().split("\n")) == 2
    _, out, _ = call("show", "--limit", "3")
    assert "first 3 by key" in out
    assert len(out.strip().split("\n")) == 5


def test_what_is_not_there(call, store, tmp_path):
    fill(store)
    assert "no such reply" in call("show", "zzz")[2]
    status, _, err = call("export", tmp_path / "x.jsonl", "--model", "smal")
    assert status == 1
    assert "Did you mean 'small'?" in err
    status, _, err = call("show", path=tmp_path / "absent.db")
    assert (status, err.split(",")[0].startswith("error: There is no reply store")) == (1, True)
    assert not (tmp_path / "absent.db").exists()


def test_export_and_import(call, store, tmp_path):
    fill(store)
    path, other = tmp_path / "some.jsonl", tmp_path / "new" / "other.db"
    assert call("export", path, "--model", "small") == (0, f"Wrote 3 replies into {path}.\n", "")
    assert len(path.read_text().split("\n")) == 4
    status, out, err = call("import", path, path=other)
    assert (status, err) == (0, "")
    assert out == f"Imported 3 replies into {other}; there already: 0.\n"
    with path.open("a") as file:
        file.write("what?\n")
    status, out, err = call("import", path, path=other)
    assert status == 1
    assert out == f"Imported 0 replies into {other}; there already: 3.\n"
    assert err == f"error: 1 line of {path} left out:\n  line 4: it is no JSON\n"
    assert call("export", tmp_path / "tone.parquet", "--contains", "tone")[1].startswith("Wrote 1 ")
    assert "There is no file" in call("import", tmp_path / "absent.jsonl")[2]


def test_prune_shows_first_and_deletes_when_told(call, store):
    keys = fill(store)
    status, out, _ = call("prune", "--model", "small", "--before", "2026-04-01")
    assert status == 0
    assert ": 1 reply\n" in out
    assert "nothing was deleted" in out
    assert len(list(store.replies())) == 4
    _, out, _ = call("prune", "--model", "small", "--before", "2026-04-01", "--yes")
    assert out == f"Deleted 1 reply from {store.path}.\n"
    assert {kept.key for kept in store.replies()} == set(keys[1:])
    call("prune", "--before", "2026-04-01T02:00:00+02:00", "--yes")
    assert len(list(store.replies())) == 3
    call("prune", "--before", "2026-04-01T02:00:01+02:00", "--yes")
    assert list(store.replies()) == []


def test_prune_wants_to_know_what(call, store):
    fill(store)
    status, _, err = call("prune", "--yes")
    assert status == 1
    assert "--model MODEL, --before DATE" in err
    assert len(list(store.replies())) == 4


@pytest.mark.parametrize(
    "wrong",
    [
        [],
        ["shown"],
        ["prune", "--before", "soon"],
        ["prune", "--model", "m", "--yes", "--dry-run"],
        ["show", "--limit", "0"],
        ["show", "a", "b"],
    ],
)
def test_wrong_use_is_status_2(wrong, capsys):
    with pytest.raises(SystemExit) as ended:
        replies.main(wrong)
    assert ended.value.code == 2
    assert "usage: python -m src.replies" in capsys.readouterr().err


def test_the_store_of_the_config_is_the_default(tmp_path):
    with ReplyStore(tmp_path / "replies" / "replies.db") as store:
        fill(store)
    shown = subprocess.run(
        [sys.executable, "-m", "src.replies", "show"],
        cwd=tmp_path,
        env=os.environ | {"PYTHONPATH": str(ROOT)},
        capture_output=True,
        text=True,
        check=True,
    )
    assert shown.stdout.startswith("replies/replies.db: 4 replies\n")


def test_a_reader_that_has_seen_enough_is_no_error(store):
    fill(store)
    for number in range(300):
        put(store, body_of(str(number)), "word " * 100)
    command = f"{sys.executable} -m src.replies show --limit 400 --store {store.path} | head -1"
    ended = subprocess.run(["bash", "-c", command], cwd=ROOT, capture_output=True, text=True)
    assert (ended.returncode, ended.stderr) == (0, "")
    assert ended.stdout.startswith("key")


def test_exported_lines_are_json(call, store, tmp_path):
    fill(store)
    call("export", tmp_path / "all.jsonl")
    with (tmp_path / "all.jsonl").open(encoding="utf-8", newline="") as file:
        assert {json.loads(line)["model"] for line in file} == {"small", "other"}


def test_batches_are_listed_and_given_up(call, store):
    assert call("batches") == (0, f"{store.path}: 0 open batches\n", "")
    for number, url in enumerate(("https://api.far.example/v1", "http://localhost:1/v1")):
        ledger = Ledger(store, url, "run")
        keys = [f"key-{number}-{n}" for n in range(1000 * number + 1)]
        ledger.created(ledger.intend("file-1", keys), f"batch_{number}", keys)
    with store.file.change() as connection:
        connection.execute("UPDATE batches SET at = '2026-01-01T00:00:00+00:00'")
    status, out, err = call("batches")
    assert (status, err) == (0, "")
    title, _, *rows = out.strip().split("\n")
    assert title == f"{store.path}: 2 open batches"
    assert rows[0].split() == ["id", "status", "requests", "age", "endpoint"]
    assert rows[1].split()[:3] == ["batch_0", "sent", "1"]
    assert rows[2].split()[:3] == ["batch_1", "sent", "1,001"]
    assert " d " in rows[2]
    assert rows[2].endswith("http://localhost:1/v1")
    status, _, err = call("batches", "--forget", "batch_2")
    assert status == 1
    assert "no open batch 'batch_2'. Did you mean 'batch_" in err
    status, out, _ = call("batches", "--forget", "batch_1")
    assert status == 0
    assert out.startswith("Forgot batch_1; 1,001 requests of it may be sent again.")
    assert "batch_1" not in call("batches")[1]
    assert store.holders(["key-0-0", "key-1-0"]) == {"key-0-0": "batch:batch_0"}


@pytest.mark.parametrize(
    "arguments", [["show"], ["batches"], ["prune", "--model", "m", "--yes"], ["export", "x.jsonl"]]
)
def test_only_an_import_makes_a_store(call, tmp_path, monkeypatch, arguments):
    monkeypatch.chdir(tmp_path)
    assert call(*arguments)[0] == 1
    for name in ("absent.jsonl", "all.parquet"):
        assert call("import", name)[0] == 1
    assert list(tmp_path.iterdir()) == []


def test_an_interrupted_export_leaves_what_was_there(call, store, tmp_path, monkeypatch):
    fill(store)
    path = tmp_path / "all.jsonl"
    path.write_text("of yesterday")

    def interrupted(self, **_):
        yield next(all_of(self))
        raise KeyboardInterrupt

    all_of = ReplyStore.replies
    monkeypatch.setattr(ReplyStore, "replies", interrupted)
    assert call("export", path) == (130, "", "Interrupted.\n")
    assert path.read_text() == "of yesterday"
    assert {file.name for file in tmp_path.iterdir()} <= {
        *("all.jsonl", "replies.db", "replies.db-wal", "replies.db-shm")
    }


def test_prune_of_nothing_asks_for_no_yes(call, store):
    fill(store)
    assert call("prune", "--before", "2020-01-01") == (0, f"{store.path}: 0 replies\n", "")
