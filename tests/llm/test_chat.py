from __future__ import annotations

from pathlib import Path
from typing import Any

import pytest
from omegaconf import OmegaConf

from src.errors import GrambenchError
from src.launch.job import check_values
from src.llm.budget import in_usd
from src.llm.chat import ChatModel
from src.llm.request import make_request, request_key
from src.llm.store import ReplyStore
from src.records import Message, Question, Reply
from tests.llm.loopback import OTHER_MODEL, Act, Loopback

CARD = {"name": "test", "model": "test-model", "context": 4096, "max_tokens": 100}
PRICE = {"prompt": 1.0, "completion": 10.0, "date": "2026-11-01"}


def questions(count: int, **more: Any) -> list[Question]:
    return [Question(f"g{i}", (Message("user", f"question {i}"),), **more) for i in range(count)]


def chat(folder: Path, **more: Any) -> ChatModel:
    store = str(folder / "replies.db")
    return ChatModel(**{**CARD, "key_env": None, "store": store, **more})


class Server:
    """Stands for a server of this process: starts once, when it is first asked for."""

    def __init__(self, url: str, weights: str = "one") -> None:
        self.url, self.weights, self.starts = url, weights, 0

    def start(self) -> str:
        self.starts += 1
        return self.url

    def count(self, messages: Any) -> int:
        return 7 * len(messages)

    def identity(self) -> str:
        return f"weights of {self.weights}"


def test_a_prompt_has_what_the_reply_leaves() -> None:
    assert ChatModel(**CARD).room() == 3996


def test_tokens_are_counted_as_the_card_says(tmp_path: Path) -> None:
    by_characters = chat(tmp_path, tokens={"characters": 2.0})
    messages = (Message("user", "x" * 100),)
    assert by_characters.count(messages) >= 50
    assert "characters" in by_characters.counted_by
    assert chat(tmp_path, server=Server("http://127.0.0.1:9/v1")).count(messages) == 7


def test_an_estimate_of_what_was_never_asked(tmp_path: Path) -> None:
    model = chat(tmp_path, price=PRICE, tokens={"characters": 1.0})
    found = model.estimate(questions(3) + questions(2))
    counted = sum(model.count(question.messages) for question in questions(3))
    assert (found.requests, found.stored, found.prompt_tokens) == (3, 0, counted)
    assert found.completion_tokens == 300
    assert found.usd == found.most_usd == pytest.approx((counted + 3000) / 1e6)
    assert found.seconds is None
    assert any("max_tokens=100" in note for note in found.notes)
    assert any("2026-11-01" in note for note in found.notes)


def test_an_estimate_knows_what_is_stored(tmp_path: Path) -> None:
    with Loopback(latency=0.05) as server:
        model = chat(tmp_path, base_url=server.url, price=PRICE, concurrency=2)
        model.ask(questions(2))
        sent = len(server.seen)
        found = model.estimate(questions(6))
        nothing = model.estimate(questions(2))
        assert len(server.seen) == sent
    assert (found.requests, found.stored) == (6, 2)
    assert found.completion_tokens == 4 * 5  # the stored ones have 5 each
    assert found.usd is not None and found.most_usd is not None and found.usd < found.most_usd
    assert found.seconds is not None and 4 * 0.05 / 2 <= found.seconds < 10
    assert (nothing.stored, nothing.prompt_tokens, nothing.usd, nothing.seconds) == (2, 0, 0, 0)
    assert not nothing.notes


def test_a_batch_claims_what_a_batch_costs(tmp_path: Path) -> None:
    card = {"price": {**PRICE, "batch": 0.5}, "tokens": {"characters": 1.0}}
    worst = []
    for mode in ("online", "batch"):
        model = chat(tmp_path, mode=mode, **card)
        worst.append(model._worst(make_request(questions(1)[0], model)))
    assert worst[1] is not None and worst[1] == pytest.approx(worst[0] / 2)


def test_what_is_stored_costs_nothing_whatever_the_price(tmp_path: Path) -> None:
    with Loopback() as server:
        model = chat(tmp_path, base_url=server.url)
        model.ask(questions(2))
    assert (model.estimate(questions(2)).usd, model.estimate(questions(2)).most_usd) == (0, 0)
    assert model.estimate(questions(3)).usd is None


def test_small_amounts_are_told_apart() -> None:
    assert [in_usd(usd) for usd in (0, 0.000153, 0.05, 12)] == [
        *("0 USD", "0.000153 USD", "0.05 USD", "12 USD")
    ]


@pytest.mark.parametrize("timeout", [0, -1])
def test_a_timeout_is_some_time(timeout: float) -> None:
    check_values(OmegaConf.create({"on_error": "stop", "llm": {"timeout": timeout}}))
    with pytest.raises(GrambenchError, match=f"timeout={timeout} must be more than 0 seconds"):
        ChatModel(**{**CARD, "timeout": timeout})


def test_without_prices_no_cost_is_known(tmp_path: Path) -> None:
    found = chat(tmp_path).estimate(questions(1))
    assert found.usd is None and found.most_usd is None


def test_a_server_of_this_process_needs_no_key_and_has_names_of_its_own(tmp_path: Path) -> None:
    with Loopback([OTHER_MODEL]) as loopback:
        server = Server(loopback.url)
        model = chat(tmp_path, server=server, key_env="NO_SUCH_VARIABLE", base_url="ignored")
        assert server.starts == 0
        (reply,) = model.ask(questions(1))
        assert isinstance(reply, Reply) and reply.model == "somebody-else"
        model.ask(questions(1))
        assert server.starts == 1  # what is stored needs no server
    assert loopback.seen[0].headers["authorization"] == "Bearer none"


def test_models_of_this_process_share_no_replies_unless_they_are_the_same(tmp_path: Path) -> None:
    with Loopback() as loopback:
        for weights in ("one", "another", "one"):
            chat(tmp_path, server=Server(loopback.url, weights), revision="1").ask(questions(1))
    assert len(loopback.seen) == 2
    with ReplyStore(tmp_path / "replies.db") as store:
        kept = list(store.replies())
    assert len({reply.revision for reply in kept}) == 2
    # What is kept leads to the key again, so that it can be exported and imported.
    assert all(request_key(one.body, one.revision, one.repeat) == one.key for one in kept)


def test_stored_replies_need_no_key(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("LOOPBACK_KEY", "sk-0123456789")
    with Loopback() as server:
        model = chat(tmp_path, base_url=server.url, key_env="LOOPBACK_KEY")
        model.ask(questions(1))
        monkeypatch.delenv("LOOPBACK_KEY")
        (reply,) = model.ask(questions(1))
        assert isinstance(reply, Reply) and reply.stored
        with pytest.raises(GrambenchError, match="LOOPBACK_KEY"):
            model.ask(questions(2))


def test_the_schema_and_parameters_of_a_question_are_sent(tmp_path: Path) -> None:
    with Loopback() as server:
        model = chat(tmp_path, base_url=server.url, temperature=0.5)
        model.ask(questions(1, schema={"type": "object"}, params={"temperature": None, "n": 1}))
    body = server.seen[0].body
    assert body["response_format"]["json_schema"]["strict"] is True
    assert "temperature" not in body and body["n"] == 1


def test_without_a_store_nothing_is_asked_twice_in_a_run() -> None:
    with Loopback() as server:
        model = ChatModel(**CARD, base_url=server.url, key_env=None, store=None)
        model.ask(questions(2))
        model.ask(questions(3))
    assert len(server.seen) == 3


def test_usage_is_what_was_sent(tmp_path: Path) -> None:
    with Loopback({"question 1": [Act(status=404)]}) as server:
        model = chat(tmp_path, base_url=server.url, price=PRICE)
        assert model.usage() == {"usage/requests": 0}
        model.ask(questions(3))
        model.ask(questions(1))
    usage = model.usage()
    assert usage.pop("usage/usd") == pytest.approx(2 * (10 * 1 + 5 * 10) / 1e6)
    assert usage == {
        "usage/requests": 4,
        "usage/stored": 1,
        "usage/prompt_tokens": 20,
        "usage/completion_tokens": 10,
    }


def test_an_address_that_is_none(tmp_path: Path) -> None:
    for url in ("localhost:8000", "http://", "http://[::1/v1", "http://h:port/v1"):
        with pytest.raises(GrambenchError, match="base_url"):
            chat(tmp_path, base_url=url).ask(questions(1))
