"""The client against a real server on loopback that misbehaves."""

from __future__ import annotations

import asyncio
import json
import logging
import os
import signal
import subprocess
import sys
import threading
import time
import traceback
from pathlib import Path
from typing import Any
from urllib.parse import urlsplit

import pytest

from src.errors import GrambenchError
from src.llm import retrying
from src.llm.chat import ChatModel
from src.llm.retrying import Backoff
from src.llm.store import ReplyStore
from src.records import Failure, Message, Question, Reply
from tests.llm.loopback import (
    BROKEN,
    DROP,
    HALF,
    HANG,
    NO_CHOICES,
    NO_MESSAGE,
    OTHER_MODEL,
    TOO_MANY,
    WELL,
    Act,
    Loopback,
    refusal,
)

ROOT = Path(__file__).parents[2]
KEY = "sk-loopback-0123456789abcdef"


@pytest.fixture(autouse=True)
def hurry(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(retrying, "BACKOFF", Backoff(first=0.01, most=0.05))
    monkeypatch.setenv("LOOPBACK_KEY", KEY)


def questions(count: int, **more: Any) -> list[Question]:
    return [Question(f"g{i}", (Message("user", f"question {i}"),), **more) for i in range(count)]


def model(server: Loopback, folder: Path, **more: Any) -> ChatModel:
    card = {"name": "test", "model": "test-model", "context": 4096, "max_tokens": 100}
    card |= {"base_url": server.url, "key_env": "LOOPBACK_KEY", "timeout": 30}
    return ChatModel(**{**card, "store": str(folder / "replies.db"), **more})


def test_all_rows_end_right_whatever_the_server_does(tmp_path: Path) -> None:
    soon = Act(status=429, headers={"retry-after-ms": "20"})
    half_sent = Act(headers={"content-length": "4000"}, cut=True)
    ill = [soon, TOO_MANY, BROKEN, HANG, HALF, half_sent, DROP, NO_CHOICES, NO_MESSAGE, OTHER_MODEL]
    acts = {f"question {i}": [*ill[i:], *ill[:i], WELL] for i in (2, 4, 6, 8)}
    acts["question 0"] = [Act(text="first")]
    with Loopback(acts) as server:
        chat = model(server, tmp_path, attempts=20, concurrency=8, timeout=1.0)
        replies = chat.ask(questions(30))
    assert [reply.text for reply in replies if isinstance(reply, Reply)] == ["first"] + [
        "Conclusion: SOV"
    ] * 29
    assert set(server.well.values()) == {1}
    assert len(server.well) == 30
    assert server.most_in_flight <= 8
    assert len(server.seen) == 30 + 4 * 10
    usage = chat.usage()
    # A request may also meet a connection that the server has just closed, and never arrive.
    assert usage.pop("usage/retries") >= 40
    counts = {"requests": 30, "prompt_tokens": 300, "completion_tokens": 150}
    assert usage == {f"usage/{name}": count for name, count in counts.items()}


def test_what_is_stored_is_not_sent_and_what_is_alike_is_sent_once(tmp_path: Path) -> None:
    with Loopback() as server:
        first = model(server, tmp_path).ask(questions(3) + questions(3))
        again = model(server, tmp_path)
        second = again.ask(questions(4))
    assert len(server.seen) == 4
    assert all(isinstance(reply, Reply) and not reply.stored for reply in first)
    assert [reply.stored for reply in second if isinstance(reply, Reply)] == [True] * 3 + [False]
    assert again.usage()["usage/stored"] == 3
    assert again.usage()["usage/requests"] == 4


def test_an_empty_text_is_a_reply(tmp_path: Path) -> None:
    with Loopback([Act(text="")]) as server:
        (reply,) = model(server, tmp_path).ask(questions(1))
    assert isinstance(reply, Reply) and reply.text == "" and reply.finish == "stop"


@pytest.mark.parametrize(
    ("act", "kind", "tries"),
    [
        (refusal(400, "no such parameter"), "rejected", 1),
        (refusal(404, "no such model"), "rejected", 1),
        (refusal(422, "unprocessable"), "rejected", 1),
        (refusal(400, "It is too long.", code="context_length_exceeded"), "too_long", 1),
        (refusal(400, "too big", type="exceed_context_size_error", n_ctx=512), "too_long", 1),
        (refusal(400, "This model's maximum context length is 512 tokens."), "too_long", 1),
        (refusal(408, "slow"), "server", 3),
        (refusal(409, "locked"), "server", 3),
        (refusal(503, "loading"), "server", 3),
        (Act(raw='{"error": {"code": 400, "message": "no"}}'), "rejected", 1),
        (Act(raw='{"error": {"code": 502, "message": "upstream"}}'), "server", 3),
        (Act(raw="[" * 100_000), "server", 3),
        (HANG, "server", 3),
        (OTHER_MODEL, "server", 3),
    ],
)
def test_a_failure_takes_the_place_of_its_reply_only(
    tmp_path: Path, act: Act, kind: str, tries: int
) -> None:
    with Loopback({"question 1": [act]}) as server:
        timeout = 0.5 if act.hang else 30
        replies = model(server, tmp_path, attempts=3, timeout=timeout).ask(questions(3))
        assert [type(reply) for reply in replies] == [Reply, Failure, Reply]
        assert isinstance(replies[1], Failure) and replies[1].kind == kind
        assert sum(seen.text == "question 1" for seen in server.seen) == tries
    with ReplyStore(tmp_path / "replies.db") as store:
        assert len(list(store.replies())) == 2  # errors are never stored


def test_another_model_is_named(tmp_path: Path) -> None:
    with Loopback([OTHER_MODEL]) as server:
        (failure,) = model(server, tmp_path, attempts=1).ask(questions(1))
    assert isinstance(failure, Failure)
    assert "test-model" in failure.error and "somebody-else" in failure.error


@pytest.mark.parametrize("name", ["test-model-2026-01-01", "/models/Test-Model.gguf", "lab/test"])
def test_snapshots_paths_and_aliases_are_the_model(tmp_path: Path, name: str) -> None:
    with Loopback(script=lambda body, n: Act(more={"model": name})) as server:
        (reply,) = model(server, tmp_path, attempts=1).ask(questions(1))
    assert isinstance(reply, Reply) and reply.model == name


def test_a_servers_wish_to_wait_holds_back_all(tmp_path: Path) -> None:
    wait = Act(status=429, headers={"retry-after": "1"})
    with Loopback({"question 0": [wait, WELL]}, latency=0.05) as server:
        replies = model(server, tmp_path, concurrency=2).ask(questions(8))
    assert all(isinstance(reply, Reply) for reply in replies)
    refused_at = server.seen[0].at
    later = [seen.at - refused_at for seen in server.seen[2:]]
    # The two that were sent together apart, nothing came before the second was over.
    assert len(later) == 7 and min(later) > 0.95


@pytest.mark.parametrize(("attempts", "tried"), [(1, 1), (2, 2), (10, 3)])
def test_where_nobody_listens_it_gives_up_soon(
    tmp_path: Path, caplog: pytest.LogCaptureFixture, attempts: int, tried: int
) -> None:
    with Loopback() as server:
        pass
    place = urlsplit(server.url).netloc
    for host in (place, place.replace("127.0.0.1", "localhost")):
        caplog.clear()
        down = model(server, tmp_path, base_url=f"http://{host}/v1", attempts=attempts)
        with pytest.raises(
            GrambenchError,
            match=rf"no connection to {host}: .*attempts: {tried}\).*start the server.*base_url",
        ):
            down.ask(questions(50))
        warned = [record.getMessage() for record in caplog.records if record.levelname == "WARNING"]
        assert len(warned) == (attempts > 1)
        assert all(f"no connection to {host}: " in line for line in warned)
        assert all(f"trying again (attempt 2 of {attempts})" in line for line in warned)
    with ReplyStore(tmp_path / "replies.db") as store:
        assert store.file.read("SELECT count(*) FROM claims") == [(0,)]


def test_a_server_that_goes_away_fails_rows_without_trying_all(tmp_path: Path) -> None:
    with Loopback() as server:
        chat = model(server, tmp_path, attempts=4, concurrency=4)
        (reply,) = chat.ask(questions(1))
    assert isinstance(reply, Reply)
    outcomes = chat.ask(questions(200))[1:]
    assert {outcome.kind for outcome in outcomes if isinstance(outcome, Failure)} == {"server"}
    assert "no connection to 127.0.0.1" in outcomes[0].error  # type: ignore[union-attr]
    assert "(attempts: 4)" in outcomes[0].error  # type: ignore[union-attr]
    assert "not sent" in outcomes[-1].error  # type: ignore[union-attr]


def test_failures_are_told_once_a_kind(tmp_path: Path, caplog: pytest.LogCaptureFixture) -> None:
    slow = refusal(429, "slow down")
    acts = [slow, refusal(500, "out of order"), slow, BROKEN, WELL]
    with Loopback(acts) as server:
        model(server, tmp_path, attempts=9).ask(questions(8))
    warned = [record.getMessage() for record in caplog.records if record.levelname == "WARNING"]
    assert warned == [
        "test: HTTP 429: slow down: trying again (attempt 2 of 9)",
        "test: HTTP 500: out of order: trying again (attempt 3 of 9)",
    ]


@pytest.mark.parametrize("key", ["x", "llama", "SOV"])
def test_a_short_key_changes_no_reply(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, key: str
) -> None:
    monkeypatch.setenv("LOOPBACK_KEY", key)
    text = "An example of llama. Conclusion: SOV"
    with Loopback([Act(text=text)]) as server:
        (reply,) = model(server, tmp_path, model="llama-3", attempts=1).ask(questions(1))
    assert isinstance(reply, Reply) and (reply.text, reply.model) == (text, "llama-3")


def test_a_key_in_the_models_name_makes_it_no_other_model(tmp_path: Path) -> None:
    with Loopback([Act(text=f"Your key is {KEY}.")]) as server:
        (reply,) = model(server, tmp_path, model=f"mine-{KEY}", attempts=1).ask(questions(1))
    assert isinstance(reply, Reply)
    assert (reply.text, reply.model) == ("Your key is [key].", "mine-[key]")


@pytest.mark.parametrize("status", [401, 403])
def test_a_refused_key_stops_the_ask_and_is_not_shown(tmp_path: Path, status: int) -> None:
    echo = refusal(status, f"Incorrect key: {KEY}; it looks like sk-lo*******cdef.")
    with (
        Loopback({"question 3": [echo]}, latency=0.02) as server,
        pytest.raises(GrambenchError) as caught,
    ):
        model(server, tmp_path, concurrency=2).ask(questions(50))
    # What a log or MLflow keeps is the traceback, with all that led to the exception.
    told = "".join(traceback.format_exception(caught.value))
    assert KEY not in told and "cdef" not in told
    assert str(status) in str(caught.value)
    assert len(server.seen) < 10
    with ReplyStore(tmp_path / "replies.db") as store:
        kept = list(store.replies())
        assert len(kept) == sum(server.well.values())  # what was on the wire is kept too
        assert not store.holders([reply.key for reply in kept])


def test_a_key_is_nowhere(tmp_path: Path, caplog: pytest.LogCaptureFixture) -> None:
    caplog.set_level(logging.DEBUG)
    bad = [
        refusal(500, f"key {KEY}"),
        Act(text=f"You sent {KEY}."),
    ]
    with Loopback({"question 0": bad, "question 1": [refusal(400, KEY)]}) as server:
        chat = model(server, tmp_path)
        outcomes = chat.ask(questions(3))
    assert server.seen[0].headers["authorization"] == f"Bearer {KEY}"
    assert isinstance(outcomes[0], Reply) and "You sent" in outcomes[0].text
    written = b"".join(path.read_bytes() for path in tmp_path.iterdir())
    assert KEY not in caplog.text + repr(chat) + repr(outcomes)
    assert KEY.encode() not in written
    with ReplyStore(tmp_path / "replies.db") as store:
        assert KEY not in repr(list(store.replies()))


def test_a_key_in_the_place_of_a_reply_is_not_shown(tmp_path: Path) -> None:
    act = Act(raw=json.dumps({"error": {"code": 401, "message": f"bad key {KEY}"}}))
    with Loopback([act]) as server, pytest.raises(GrambenchError) as caught:
        model(server, tmp_path).ask(questions(1))
    assert KEY not in "".join(traceback.format_exception(caught.value))


def test_a_redirect_is_told_and_not_followed(tmp_path: Path) -> None:
    act = Act(status=307, headers={"location": f"http://elsewhere.example/v1?key={KEY}"})
    with (
        Loopback([act]) as server,
        pytest.raises(GrambenchError, match=r"elsewhere\.example/v1: give llm\.base_url"),
    ):
        model(server, tmp_path).ask(questions(1))
    assert len(server.seen) == 1


def test_a_key_that_no_header_can_hold_is_refused(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    for bad in ("sk-ключ", "sk-a\nb"):
        monkeypatch.setenv("LOOPBACK_KEY", bad)
        with Loopback() as server, pytest.raises(GrambenchError, match="copy it again") as caught:
            model(server, tmp_path).ask(questions(1))
        assert bad not in "".join(traceback.format_exception(caught.value))


def test_what_the_server_refuses_ever_again_is_not_sent_on(tmp_path: Path) -> None:
    with Loopback([refusal(404, "no such model")]) as server:
        outcomes = model(server, tmp_path, concurrency=4).ask(questions(100))
    assert {outcome.kind for outcome in outcomes if isinstance(outcome, Failure)} == {
        "rejected",
        "server",
    }
    assert len(server.seen) < 30
    with ReplyStore(tmp_path / "replies.db") as store:
        assert store.file.read("SELECT count(*) FROM claims") == [(0,)]


def test_large_replies_and_connections_that_close(tmp_path: Path) -> None:
    text = "Fünf. " * 200_000
    acts = [Act(text=text, headers={"connection": "close"})]
    with Loopback(acts) as server:
        replies = model(server, tmp_path, concurrency=2).ask(questions(6))
    assert [reply.text for reply in replies if isinstance(reply, Reply)] == [text] * 6
    assert len(server.seen) == 6


def test_a_proxy_is_not_asked_for_this_machine(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    for name in ("http_proxy", "HTTP_PROXY", "all_proxy", "ALL_PROXY"):
        monkeypatch.setenv(name, "http://127.0.0.1:9")
    with Loopback() as server:
        (reply,) = model(server, tmp_path, attempts=1).ask(questions(1))
    assert isinstance(reply, Reply)


def test_without_a_key_nothing_is_sent(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.delenv("LOOPBACK_KEY")
    with Loopback() as server:
        with pytest.raises(GrambenchError, match="LOOPBACK_KEY"):
            model(server, tmp_path).ask(questions(1))
        with pytest.raises(GrambenchError) as caught:
            model(server, tmp_path, key_env=KEY).ask(questions(1))
        assert KEY not in str(caught.value)
        assert not server.seen
        model(server, tmp_path, key_env=None).ask(questions(1))
        assert server.seen[0].headers["authorization"] == "Bearer none"


def test_a_budget_is_not_exceeded_and_more_money_goes_on(tmp_path: Path) -> None:
    # 10 prompt tokens and 5 of the reply cost 2,000 millionths; at most 100 tokens: 21,000.
    price = {"prompt": 100, "completion": 200}
    card = {"price": price, "tokens": {"characters": 1.0}, "concurrency": 4}
    with Loopback(latency=0.01) as server:
        poor = model(server, tmp_path, budget_usd=0.05, budget_of="run", **card)
        outcomes = poor.ask(questions(40))
        sent = len(server.seen)
        failed = [outcome for outcome in outcomes if isinstance(outcome, Failure)]
        assert {failure.kind for failure in failed} == {"budget"}
        assert "USD are spent, and the next request, which may cost 0.0" in failed[0].error
        assert "exceed llm.budget_usd=0.05." in failed[0].error
        assert 0.05 - 0.03 < poor.usage()["usage/usd"] <= 0.05
        assert sent == 40 - len(failed) == round(poor.usage()["usage/usd"] / 0.002)
        rich = model(server, tmp_path, budget_usd=5.0, budget_of="run", **card)
        assert all(isinstance(outcome, Reply) for outcome in rich.ask(questions(40)))
        assert len(server.seen) == 40
    with ReplyStore(tmp_path / "replies.db") as store:
        assert store.spent("run") == pytest.approx(40 * 0.002)


def test_two_that_ask_the_same_pay_once(tmp_path: Path) -> None:
    with Loopback(latency=0.1) as server:
        answers: list[list[Any]] = [[], []]

        def ask(which: int) -> None:
            answers[which] = model(server, tmp_path, concurrency=4).ask(questions(20))

        threads = [threading.Thread(target=ask, args=(which,)) for which in (0, 1)]
        for thread in threads:
            thread.start()
        for thread in threads:
            thread.join()
    assert set(server.well.values()) == {1} and len(server.well) == 20
    assert all(isinstance(reply, Reply) for some in answers for reply in some)


ASK = """
import os, sys
from src.launch.signals import end_on_signals
from src.llm.chat import ChatModel
from src.records import Message, Question
end_on_signals()
chat = ChatModel(name="t", model="test-model", context=4096, max_tokens=9, base_url=sys.argv[1],
                 key_env=None, store=sys.argv[2], concurrency=16)
asked = [Question(str(i), (Message("user", f"question {i}"),)) for i in range(int(sys.argv[3]))]
print(sum(type(reply).__name__ == "Reply" for reply in chat.ask(asked)))
"""


def start(server: Loopback, store: Path, count: int) -> subprocess.Popen[str]:
    return subprocess.Popen(
        [sys.executable, "-c", ASK, server.url, str(store), str(count)],
        cwd=ROOT,
        env={**os.environ, "PYTHONPATH": str(ROOT)},
        stdout=subprocess.PIPE,
        stderr=subprocess.PIPE,
        text=True,
    )


def wait_for(server: Loopback, count: int) -> None:
    while sum(server.well.values()) < count:
        time.sleep(0.005)


@pytest.mark.parametrize("blow", [signal.SIGKILL, signal.SIGTERM, signal.SIGINT])
def test_killed_in_the_middle_only_what_is_missing_is_sent(tmp_path: Path, blow: int) -> None:
    path = tmp_path / "replies.db"
    count = 500 if blow == signal.SIGKILL else 200
    with Loopback(latency=0.03) as server:
        first = start(server, path, count)
        wait_for(server, count * 2 // 5)
        first.send_signal(blow)
        first.wait()
        sent = [seen.text for seen in server.seen]
        with ReplyStore(path) as store:
            stored = {kept.body["messages"][-1]["content"] for kept in store.replies()}
            asked = store.file.read("SELECT count(*) FROM claims")
        assert count // 4 < len(stored) < count
        assert len(set(sent) - stored) <= 16  # at most what was on the wire
        if blow != signal.SIGKILL:
            assert asked == [(0,)]  # it could tidy up; the claims of the dead are void
            return
        second = start(server, path, count)
        out, err = second.communicate()
        assert out.strip() == str(count), err
        resent = [seen.text for seen in server.seen[len(sent) :]]
    assert not stored & set(resent)
    assert len(resent) == len(set(resent)) == count - len(stored)


def test_a_log_has_one_line_for_all(tmp_path: Path, caplog: pytest.LogCaptureFixture) -> None:
    caplog.set_level(logging.INFO)
    with Loopback({"question 1": [refusal(400, "no")]}) as server:
        model(server, tmp_path, price={"prompt": 100, "completion": 200}).ask(questions(5))
    (line,) = [said.message for said in caplog.records if said.name.startswith("src.")]
    assert line.startswith("test: 4 replies in ")
    assert line.endswith(" s, 60 tokens, 0.0080 USD, 1 failed.")


def test_it_can_be_called_where_a_loop_runs(tmp_path: Path) -> None:
    async def notebook() -> list[Any]:
        return model(server, tmp_path).ask(questions(2))

    with Loopback() as server:
        assert [type(reply) for reply in asyncio.run(notebook())] == [Reply, Reply]


def test_the_whole_response_is_stored(tmp_path: Path) -> None:
    more = Act(more={"system_fingerprint": "fp_1", "timings": {"own": [1.5]}})
    with Loopback([more]) as server:
        model(server, tmp_path, revision="r1").ask(questions(1, repeat=2))
    with ReplyStore(tmp_path / "replies.db") as store:
        (kept,) = store.replies()
    assert kept.raw["timings"] == {"own": [1.5]}
    assert kept.raw["system_fingerprint"] == "fp_1"
    assert (kept.repeat, kept.revision, kept.model) == (2, "r1", "test-model")
    assert kept.body == json.loads(json.dumps(server.seen[0].body))
