from __future__ import annotations

import json

import pytest

from src.errors import GrambenchError
from src.llm.exporting import export
from src.llm.importing import import_replies
from src.llm.request import request_key
from src.llm.store import ReplyStore
from tests.llm.store_help import AT, body_of, put, raw_of

BODY = body_of("?")


@pytest.fixture
def store(tmp_path):
    with ReplyStore(tmp_path / "replies.db") as store:
        yield store


def line(**changed):
    row = {"body": BODY, "raw": raw_of("SOV"), "at": AT, "seconds": 1.5, "usd": 0.5} | changed
    return json.dumps(row)


def bring(store, tmp_path, *lines):
    path = tmp_path / "some.jsonl"
    path.write_bytes(
        b"\n".join(x if isinstance(x, bytes) else x.encode("utf-8") for x in lines) + b"\n"
    )
    return import_replies(store, path)


def test_what_is_exported_comes_back(store, tmp_path):
    keys = [put(store, body_of(str(n)), repeat=n, revision="r", usd=0.5) for n in range(3)]
    path = tmp_path / "all.jsonl"
    export(store.replies(), path)
    before = list(store.replies())
    store.prune(model="small")
    imported = import_replies(store, path)
    assert (imported.new, imported.known, imported.faults) == (3, 0, [])
    assert list(store.replies()) == before
    assert set(store.get(keys)) == set(keys)
    assert (import_replies(store, path).new, import_replies(store, path).known) == (0, 3)


def test_what_is_there_stays(store, tmp_path):
    key = put(store, BODY, "SVO")
    imported = bring(store, tmp_path, line(raw=raw_of("SOV")))
    assert (imported.new, imported.known) == (0, 1)
    assert store.get([key])[key].raw == raw_of("SVO")


def test_a_key_is_worked_out_and_a_wrong_one_refused(store, tmp_path):
    other = request_key(body_of("another"), "", 0)
    imported = bring(store, tmp_path, line(), line(key=other), line(repeat=1, key="x"))
    assert imported.new == 1
    assert imported.faults == [(n, "its key is not that of its request") for n in (2, 3)]
    assert set(store.get([request_key(BODY, "", 0), other])) == {request_key(BODY, "", 0)}


def test_imported_replies_count_for_nobody_s_budget(store, tmp_path):
    bring(store, tmp_path, line(scope="run", usd=99.0))
    assert store.spent("run") == store.spent("") == 0
    assert store.claim("x", usd=1.0, scope="run", budget=1.0) == "mine"


@pytest.mark.parametrize(
    ("bad", "said"),
    [
        ("{", "no JSON"),
        (b'{"body": "\xff"}', "UTF-8"),
        ("[" * 100_000, "no JSON"),
        ("[1]", "no JSON object"),
        ("{}", "no body with a model"),
        (line(body={"model": "", "messages": []}), "no body with a model"),
        (line(body={"model": "m\ud800", "messages": BODY["messages"]}), "no body with a model"),
        (line(body={"model": "m", "messages": []}), "no messages"),
        (line(body={"model": "m", "messages": [{"role": "user"}]}), "no messages"),
        (line(raw=None), "no JSON object"),
        (line(raw={"choices": []}), "no choices"),
        (line(raw={"error": {"message": "quota"}}), "holds an error: quota"),
        (line(seconds=-1), "seconds cannot be -1"),
        (line(seconds="1"), "seconds is no number"),
        (line(usd=float("nan")), "usd cannot be nan"),
        (line(seconds=float("inf")), "seconds cannot be inf"),
        (line(body=BODY | {"top_p": float("nan")}), "JSON"),
        (line(note="x").replace('"x"', "[" * 150 + "]" * 150), "too deeply"),
        (line(body=["model", "messages"]), "no body with a model"),
        (line(body=BODY | {"messages": {"role": "user", "content": "?"}}), "no messages"),
        (line(body=BODY | {"messages": [7]}), "no messages"),
        (line(raw={"choices": {"0": {}}}), "no choices"),
        (line(raw={"choices": [{"message": "SOV"}]}), "no message"),
        (line(key=7), "key is not that"),
        (line(usd=10**400), "usd cannot be 1"),
        (line(usd=True), "usd is no number"),
        (line(repeat=-1), "repeat"),
        (line(repeat=2**70), "repeat"),
        (line(repeat=True), "repeat"),
        (line(batch="no"), "batch"),
        (line(revision=1), "revision"),
        (line(at="yesterday"), "'yesterday'"),
        (line(at="0001-01-01T00:00:00+12:00"), "'0001-01-01"),
        (line(body=BODY | {"top_p": 1}).replace('"top_p": 1', '"top_p": 1e999'), "JSON"),
    ],
)
def test_a_bad_line_is_told_by_its_number_and_the_rest_comes_in(store, tmp_path, bad, said):
    imported = bring(store, tmp_path, line(repeat=5), "", bad, line(repeat=6))
    assert imported.new == 2
    ((number, fault),) = imported.faults
    assert number == 3
    assert said in fault


def test_what_a_response_says_of_itself_does_no_harm(store, tmp_path):
    usage = {"prompt_tokens": 10**30, "completion_tokens": -4}
    odd = raw_of("SOV") | {"usage": usage, "model": 7}
    odd["choices"][0]["finish_reason"] = "stop\ud800"
    assert bring(store, tmp_path, line(raw=odd)).new == 1
    (kept,) = store.replies()
    assert (kept.prompt_tokens, kept.completion_tokens, kept.finish) == (None, None, "stop\ufffd")


def test_times_are_kept_in_utc(store, tmp_path):
    bring(store, tmp_path, line(at="2026-03-05T14:00:00+02:00"))
    assert [kept.at for kept in store.replies()] == [AT]


def test_many_lines(store, tmp_path):
    lines = [line(repeat=number) for number in range(1234)]
    lines[700] = "?"
    imported = bring(store, tmp_path, *lines)
    assert (imported.new, imported.known, [n for n, _ in imported.faults]) == (1233, 0, [701])


def test_files_that_are_no_export(store, tmp_path):
    for name in ("all.parquet", "absent.jsonl"):
        with pytest.raises(GrambenchError, match=name):
            import_replies(store, tmp_path / name)


def test_numbers_that_are_none_in_a_response_come_back(store, tmp_path):
    odd = raw_of("SOV") | {"logprob": float("-inf"), "usage": {"prompt_tokens": float("inf")}}
    key = put(store, BODY, raw=odd)
    path = tmp_path / "all.jsonl"
    export(store.replies(), path)
    store.prune(model="small")
    assert (import_replies(store, path).new, store.get([key])[key].raw) == (1, odd)


def test_a_line_without_an_end_fills_no_memory(store, tmp_path, monkeypatch):
    monkeypatch.setattr("src.llm.importing._LONGEST", 1000)
    imported = bring(store, tmp_path, line(), "x" * 3500, line(repeat=1), "y" * 1000)
    assert imported.new == 2
    assert imported.faults == [(n, "it is longer than 1,000 bytes") for n in (2, 4)]
