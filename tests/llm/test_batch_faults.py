"""What goes wrong with batches: errors, expiry, odd lines, an endpoint that is away, keys."""

from __future__ import annotations

import logging
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import pytest

from src.errors import GrambenchError
from src.llm import batch_asked, batch_collecting
from src.llm.batch_ledger import open_batches
from src.llm.store import ReplyStore
from src.records import Failure
from tests.llm.batch_jobs import SERVER_ERROR, card_of, requests_of, run, say, texts_of, well
from tests.llm.batch_server import BatchServer, Plan, completion, echo, error_line
from tests.llm.batch_server import line as response_line


def test_errors_are_sorted_into_those_to_ask_again_and_those_not(
    server: BatchServer, path: Path
) -> None:
    def answer(key: str, body: Any) -> dict[str, Any] | None:
        text = body["messages"][-1]["content"]
        errors = {
            "busy": (500, "server_error", "Internal."),
            "bad": (400, "invalid_value", "Bad temperature."),
            "long": (400, "context_length_exceeded", "Too long."),
            "quota": (429, "insufficient_quota", "No money."),
        }
        if text in errors:
            status, code, message = errors[text]
            return response_line(key, status, {"error": {"code": code, "message": message}})
        return None if text == "forgotten" else echo(key, body)

    server.plans = [Plan(answer=answer)]
    outcomes = run(server, path, ["fine", "busy", "bad", "long", "quota", "forgotten"])
    assert well({text: outcomes[text] for text in ("fine", "busy", "forgotten")})
    kinds = {text: getattr(outcomes[text], "kind", "") for text in ("bad", "long", "quota")}
    assert kinds == {"bad": "rejected", "long": "too_long", "quota": "rejected"}
    assert "Bad temperature" in say(outcomes["bad"])
    assert server.sizes == [6, 2]


def test_what_fails_again_and_again_ends_as_a_failure(server: BatchServer, path: Path) -> None:
    server.default = Plan(answer=lambda key, _: error_line(key, "server_error", "Sorry."))
    outcomes = run(server, path, ["a"], attempts=3)
    assert say(outcomes["a"]) == "server: server_error: Sorry. (sent 3 times)"
    assert server.sizes == [1, 1, 1]
    with ReplyStore(path) as store:
        key = requests_of(card_of(server.url), ["a"])[0].key
        assert store.get([key]) == {}
        assert store.holders([key]) == {}
        assert open_batches(store) == []


@pytest.mark.parametrize("end", ["expired", "cancelled"])
def test_partial_results_are_kept_and_only_the_rest_is_sent_again(
    server: BatchServer, path: Path, end: str
) -> None:
    def answer(key: str, body: Any) -> dict[str, Any]:
        if body["messages"][-1]["content"] in ("text 1", "text 3"):
            return error_line(key, f"batch_{end}", "Not done in time.")
        return echo(key, body)

    server.plans = [Plan(end=end, answer=answer, polls=0)]
    assert well(run(server, path, texts_of(5)))
    assert server.sizes == [5, 2]
    with ReplyStore(path) as store:
        assert store.spent("sweep-1") == pytest.approx(5 * 0.00014)


def test_what_somebody_cancels_while_we_look_is_not_sent_again_at_once(
    server: BatchServer, path: Path
) -> None:
    def cancel(endpoint: BatchServer) -> None:
        if endpoint.calls["polled"] == 3:
            endpoint.cancel(next(iter(endpoint.batches)))

    server.hooks["polled"] = cancel
    server.default = Plan(polls=10**6)
    outcomes = run(server, path, ["a", "b"])
    assert server.sizes == [2]
    assert "cancelled" in say(outcomes["a"])
    server.default = Plan()
    assert well(run(server, path, ["a", "b"]))


def test_a_batch_that_fails_in_validation_says_why_and_in_which_line(
    server: BatchServer, path: Path
) -> None:
    errors = [
        {"code": "model_not_found", "message": "No model tiny.", "line": 1, "param": "body.model"},
        {"code": "model_not_found", "message": "No model tiny.", "line": 2, "param": "body.model"},
    ]
    server.plans = [Plan(end="failed", errors=errors, validating=3)]
    outcomes = run(server, path, ["a", "b"])
    assert all(isinstance(outcome, Failure) for outcome in outcomes.values())
    assert "line 1: No model tiny. (model_not_found); line 2" in say(outcomes["a"])
    assert say(outcomes["b"]).startswith("rejected: batch batch_")
    assert server.sizes == [2]
    assert well(run(server, path, ["a", "b"]))  # nothing of it hinders the next start


def test_lines_that_should_not_be_there_harm_nobody(
    server: BatchServer, path: Path, caplog: pytest.LogCaptureFixture
) -> None:
    def mangle(content: bytes) -> bytes:
        first, second, *rest = content.split(b"\n")
        stranger = first.replace(first[first.index(b"custom_id") :][13:77], b"f" * 64)
        return b"\n".join([first, first, stranger, b"[1]", b'"x"', second[:40], *rest])

    server.plans = [Plan(mangle=mangle)]
    assert well(run(server, path, texts_of(4)))
    assert server.sizes == [4, 1]
    assert "cannot be read" in caplog.text
    assert "answered twice" in caplog.text
    assert "f" * 64 in caplog.text
    assert server.calls["content"] >= 4  # a file that comes broken is fetched again first


def test_a_reply_of_another_model_is_not_stored(server: BatchServer, path: Path) -> None:
    def other(key: str, _: Any) -> dict[str, Any]:
        return response_line(key, 200, completion("x") | {"model": "huge"})

    server.plans = [Plan(answer=other)]
    assert well(run(server, path, ["a"]))
    assert server.sizes == [1, 1]


def test_a_response_without_choices_is_asked_again(server: BatchServer, path: Path) -> None:
    def empty(key: str, _: Any) -> dict[str, Any]:
        return response_line(key, 200, completion("x") | {"choices": []})

    server.plans = [Plan(answer=empty)]
    assert well(run(server, path, ["a"]))


def test_faults_while_polling_and_fetching_pass(
    server: BatchServer, path: Path, caplog: pytest.LogCaptureFixture
) -> None:
    half = (200, b'{"id": "batch_1", "sta')
    limited = (429, {"error": {"message": "Slow down."}})
    server.faults = {
        "polled": [SERVER_ERROR, limited, half, "done, then gone"],  # type: ignore[list-item]
        "content": [SERVER_ERROR] * 4,
        "uploaded": [SERVER_ERROR],
    }
    assert well(run(server, path, texts_of(3)))
    assert server.sizes == [3]
    assert "It goes on" in caplog.text


def test_an_endpoint_that_stays_away_leaves_the_batch_for_the_next_start(
    server: BatchServer, path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(batch_asked, "PATIENCE", 0.1)
    server.faults = {"polled": [SERVER_ERROR] * 10_000}
    outcomes = run(server, path, ["a"])
    assert "start again to collect" in say(outcomes["a"])
    server.faults = {}
    assert well(run(server, path, ["a"]))
    assert server.sizes == [1]


def test_a_wrong_key_ends_the_run_and_is_shown_nowhere(
    server: BatchServer, path: Path, caplog: pytest.LogCaptureFixture
) -> None:
    caplog.set_level(logging.DEBUG)
    server.key, right = "sk-secret-that-is-wrong", server.key
    server.faults = {"uploaded": [(401, {"error": {"message": f"Incorrect key {server.key}."}})]}
    with pytest.raises(GrambenchError) as raised:
        run(server, path, ["a"])
    assert "sk-secret" not in "".join(_whole(raised.value))
    assert "sk-secret" not in caplog.text
    server.key = right
    assert well(run(server, path, ["a"]))  # its claim was given up


def test_a_key_that_the_endpoint_shows_is_not_stored(
    server: BatchServer, path: Path, caplog: pytest.LogCaptureFixture
) -> None:
    caplog.set_level(logging.INFO)

    def shown(key: str, body: Any) -> dict[str, Any]:
        if body["messages"][-1]["content"] == "b":
            return error_line(key, "invalid_key", f"Not with {server.key}, nor sk-a***yz.")
        return response_line(key, 200, completion(f"You sent {server.key}; sk-a***yz."))

    server.plans = [Plan(answer=shown)]
    outcomes = run(server, path, ["a", "b"])
    assert say(outcomes["a"]) == "You sent [key]; sk-a***yz."
    assert say(outcomes["b"]) == "rejected: invalid_key: Not with [key], nor [key]."
    for file in path.parent.iterdir():
        assert server.key.encode() not in file.read_bytes()
    assert server.key not in caplog.text


def test_the_key_of_another_account_collects_nothing_and_sends_nothing(
    server: BatchServer, path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(batch_collecting, "_FRESH", -10.0)
    server.default = Plan(polls=10**6)

    def forget(endpoint: BatchServer) -> None:
        endpoint.hooks.clear()
        endpoint.batches = {f"other_{name}": batch for name, batch in endpoint.batches.items()}

    server.hooks["polled"] = forget
    outcomes = run(server, path, ["a"])
    assert "start again with the key that sent it" in say(outcomes["a"])
    assert server.sizes == [1]
    monkeypatch.setattr(batch_collecting, "_LOST", -10.0)
    server.default = Plan()
    assert well(run(server, path, ["a"]))
    assert server.sizes == [1, 1]


@pytest.mark.parametrize("odd", [None, 7, "x", [None, "x"], {"total": "x", "completed": None}])
def test_what_an_endpoint_says_of_its_batches_may_be_odd(
    server: BatchServer, path: Path, odd: Any
) -> None:
    def change(endpoint: BatchServer) -> None:
        for batch in endpoint.batches.values():
            batch["request_counts"] = odd
            batch["errors"] = batch["errors"] and {"data": odd}

    server.hooks["polled"] = change
    server.plans = [Plan(end="failed", polls=0), Plan(polls=0)]
    assert "failed: without a reason" in say(run(server, path, ["a"])["a"])
    assert well(run(server, path, ["a"]))


def test_a_batch_that_is_not_there_yet_is_waited_for(server: BatchServer, path: Path) -> None:
    server.faults = {"polled": [(404, {"error": {"message": "No batch found."}})] * 3}
    assert well(run(server, path, ["a"]))
    assert server.sizes == [1]


def _whole(error: BaseException) -> Iterator[str]:
    import traceback

    yield from traceback.format_exception(error)
