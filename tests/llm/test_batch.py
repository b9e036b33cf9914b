"""Batch mode against a loopback endpoint: what is sent, what is stored, what it may cost."""

from __future__ import annotations

from pathlib import Path
from typing import Any

import pytest

from src.errors import GrambenchError
from src.llm import batch_asked
from src.llm.batch_endpoint import BatchEndpoint
from src.llm.batch_ledger import Ledger, forget, open_batches
from src.llm.chat import ChatModel
from src.llm.store import ReplyStore
from src.records import Message, Question, Reply
from tests.llm.batch_jobs import (
    KEY_ENV,
    SERVER_ERROR,
    WORST,
    card_of,
    requests_of,
    run,
    say,
    texts_of,
    well,
)
from tests.llm.batch_server import BatchServer, Plan, completion, echo, error_line


def test_every_request_gets_its_own_reply_though_the_output_is_in_another_order(
    server: BatchServer, path: Path
) -> None:
    outcomes = run(server, path, texts_of(7))
    assert len(outcomes) == 7
    assert well(outcomes)
    assert server.sizes == [7]
    assert [purpose for _, purpose in server.uploads] == ["batch"]


def test_replies_are_stored_as_batch_replies_at_the_batch_price(
    server: BatchServer, path: Path
) -> None:
    outcomes = run(server, path, ["a", "b"])
    # (100 prompt tokens * 2 USD + 10 * 8 USD) / 1e6 * 0.5
    assert [outcome.usd for outcome in outcomes.values() if isinstance(outcome, Reply)] == [
        pytest.approx(0.00014),
        pytest.approx(0.00014),
    ]
    keys = [request.key for request in requests_of(card_of(server.url), ["a", "b"])]
    with ReplyStore(path) as store:
        stored = store.get(keys)
        assert store.spent("sweep-1") == pytest.approx(0.00028)
        assert store.holders(keys) == {}
    assert [stored[key].batch for key in keys] == [True, True]
    assert stored[keys[0]].raw == completion("Conclusion: a")


def test_what_is_stored_is_not_sent_again(server: BatchServer, path: Path) -> None:
    run(server, path, ["a", "b"])
    outcomes = run(server, path, ["a", "b", "c"])
    assert well(outcomes)
    assert server.sizes == [2, 1]
    assert [outcome.stored for outcome in outcomes.values() if isinstance(outcome, Reply)] == [
        *(True, True, False)
    ]


def test_line_separators_and_half_characters_in_texts_survive(
    server: BatchServer, path: Path
) -> None:
    texts = ["a\u2028b\x85c", "ŋ\x0b\x1c", "tail\nnext"]
    assert well(run(server, path, texts))
    assert server.sizes == [3]


def test_what_would_exceed_the_budget_is_not_sent(server: BatchServer, path: Path) -> None:
    outcomes = run(server, path, texts_of(3), budget_usd=2.5 * WORST)
    # two may be sent; they turn out to cost 0.00028, and then there is money for the third
    assert well(outcomes)
    assert server.sizes == [2, 1]
    more = run(server, path, ["x", "y"], budget_usd=WORST)
    assert [getattr(outcome, "kind", "") for outcome in more.values()] == ["budget", "budget"]
    assert "llm.budget_usd" in say(more["x"])
    assert server.sizes == [2, 1]


def test_of_a_batch_others_requests_stay_to_be_collected(
    server: BatchServer, path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(batch_asked, "PATIENCE", 0.1)
    server.faults = {"polled": [SERVER_ERROR] * 10_000}
    run(server, path, texts_of(4))
    server.faults = {}
    assert well(run(server, path, ["text 1"]))
    assert well(run(server, path, texts_of(4)))
    assert server.sizes == [4]
    with ReplyStore(path) as store:
        keys = [request.key for request in requests_of(card_of(server.url), texts_of(4))]
        assert store.holders(keys) == {}
        assert open_batches(store) == []
        assert store.spent("sweep-1") == pytest.approx(4 * 0.00014)


def test_an_interrupted_run_says_that_batches_go_on(
    server: BatchServer, path: Path, caplog: pytest.LogCaptureFixture
) -> None:
    def interrupt(_: BatchServer) -> None:
        import signal
        import threading

        server.hooks.clear()
        signal.pthread_kill(threading.main_thread().ident or 0, signal.SIGINT)

    server.default = Plan(polls=3)
    server.hooks["polled"] = interrupt
    with pytest.raises(KeyboardInterrupt):
        run(server, path, ["a", "b"])
    (batch,) = server.batches
    assert batch in caplog.text
    assert "Start again to collect" in caplog.text
    assert well(run(server, path, ["a", "b"]))
    assert server.sizes == [2]


@pytest.mark.parametrize(
    ("changes", "said"),
    [
        ({"batch": {"poll": 0}}, "batch.poll=0 must be more than 0"),
        ({"batch": {"requests": -1}}, "batch.requests=-1"),
    ],
)
def test_a_card_that_cannot_be_is_refused(
    server: BatchServer, path: Path, changes: dict[str, Any], said: str
) -> None:
    with pytest.raises(GrambenchError, match=said):
        run(server, path, ["a"], **changes)
    assert not server.calls


def test_a_chat_model_asks_in_batches(
    server: BatchServer, path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setenv(KEY_ENV, server.key)
    card = vars(card_of(server.url, budget_usd=0.002, store=str(path)))
    model = ChatModel(**card)
    long = "x" * 6000  # 2000 tokens or more, which cost 0.002 USD or more
    questions = [
        *(Question(text, (Message("user", text),)) for text in ("b", long, "a")),
        Question("a", (Message("user", "a"),), repeat=1),
    ]
    replies = model.ask(questions)
    assert [say(reply)[:13] for reply in replies] == [
        *("Conclusion: b", "budget: not s", "Conclusion: a", "Conclusion: a")
    ]
    assert model.usage()["usage/usd"] == pytest.approx(3 * 0.00014)
    assert server.sizes == [3]


def test_what_is_sent_again_counts_as_retries(
    server: BatchServer, path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setenv(KEY_ENV, server.key)

    def late(key: str, body: Any) -> dict[str, Any]:
        if body["messages"][-1]["content"] == "a":
            return echo(key, body)
        return error_line(key, "batch_expired", "Late.")

    server.plans = [Plan(end="expired", answer=late)] * 2
    model = ChatModel(**vars(card_of(server.url, store=str(path))))
    replies = model.ask([Question(text, (Message("user", text),)) for text in "abc"])
    assert [say(reply) for reply in replies] == [f"Conclusion: {text}" for text in "abc"]
    assert server.sizes == [3, 2, 2]
    assert model.usage()["usage/retries"] == 4


def test_secrets_in_an_address_are_not_stored(
    server: BatchServer, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setenv(KEY_ENV, server.key)
    url = server.url.replace("//", f"//me:{server.key}@")
    card = card_of(f"{url}?token=hidden")
    with BatchEndpoint(card) as endpoint:
        assert endpoint.address == server.url


def test_online_a_request_in_a_batch_is_not_sent_and_the_way_out_is_told(
    server: BatchServer, path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setenv(KEY_ENV, server.key)
    model = ChatModel(**vars(card_of(server.url, mode="online", store=str(path))))
    (request,) = requests_of(model, ["a"])
    with ReplyStore(path) as store:
        ledger = Ledger(store, server.url, "s")
        ledger.created(ledger.intend("file-1", [request.key]), "batch_1", [request.key])
    (reply,) = model.ask([request.question])
    assert "llm.mode=batch" in say(reply)
    assert "python -m src.replies batches --forget batch_1" in say(reply)
    assert not server.calls


def test_a_batch_at_another_endpoint_is_not_sent_here(server: BatchServer, path: Path) -> None:
    request = requests_of(card_of(server.url), ["a"])[0]
    with ReplyStore(path) as store:
        ledger = Ledger(store, "https://far/v1", "s")
        ledger.created(ledger.intend("file-1", [request.key]), "batch_far", [request.key])
    outcomes = run(server, path, ["a", "b"])
    assert "batches --forget batch_far" in say(outcomes["a"])
    assert say(outcomes["b"]) == "Conclusion: b"
    assert server.sizes == [1]
    with ReplyStore(path) as store:
        forget(store, "batch_far")
    assert well(run(server, path, ["a"]))
    assert server.sizes == [1, 1]
