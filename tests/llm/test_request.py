from __future__ import annotations

import json
import math
from typing import Any
from unicodedata import normalize

import pytest

from src.errors import GrambenchError
from src.llm.card import ChatCard
from src.llm.request import make_request
from src.records import Message, Question


def card(**entries: Any) -> ChatCard:
    return ChatCard(**{"name": "t", "model": "m", "context": 4096, "max_tokens": 100, **entries})


def question(text: str = "Which order?", **entries: Any) -> Question:
    return Question("g", (Message("system", "You are."), Message("user", text)), **entries)


def test_the_body_is_what_the_card_and_the_question_say() -> None:
    chat = card(
        temperature=0.2,
        top_p=0.9,
        seed=7,
        stop=["END"],
        max_tokens_name="max_completion_tokens",
        extra={"repetition_penalty": 1.1, "left_out": None},
    )
    schema = {"type": "object"}
    body = make_request(question(schema=schema, params={"top_p": None, "n": 1}), chat).body
    assert body == {
        "model": "m",
        "messages": [
            {"role": "system", "content": "You are."},
            {"role": "user", "content": "Which order?"},
        ],
        "max_completion_tokens": 100,
        "temperature": 0.2,
        "seed": 7,
        "stop": ["END"],
        "response_format": {
            "type": "json_schema",
            "json_schema": {"name": "answer", "strict": True, "schema": schema},
        },
        "repetition_penalty": 1.1,
        "n": 1,
    }


def test_what_is_null_is_not_sent() -> None:
    assert set(make_request(question(), card()).body) == {"model", "messages", "max_tokens"}


def test_the_key_is_that_of_canonical_json() -> None:
    # sha256 of this text, worked out with coreutils:
    # {"body":{"max_tokens":1,"messages":[{"content":"x","role":"user"}],"model":"m"},
    #  "repeat":0,"revision":""}   (on one line, without spaces)
    chat = ChatCard(name="t", model="m", context=9, max_tokens=1)
    request = make_request(Question("g", (Message("user", "x"),)), chat)
    assert request.key == "64df5caa98669bc4fbcfd2a89e648a2a3b964611da7d2cd443a090941f21017e"


@pytest.mark.parametrize(
    "entries",
    [
        {"model": "n"},
        {"revision": "r"},
        {"max_tokens": 99},
        {"temperature": 0.0},
        {"top_p": 0.9},
        {"seed": 0},
        {"stop": ["x"]},
        {"extra": {"min_p": 0.1}},
    ],
)
def test_what_determines_a_reply_is_in_the_key(entries: dict[str, Any]) -> None:
    assert make_request(question(), card(**entries)).key != make_request(question(), card()).key


@pytest.mark.parametrize(
    "entries",
    [
        {"name": "other"},
        {"base_url": "http://127.0.0.1:1/v1"},
        {"key_env": None},
        {"concurrency": 3},
        {"mode": "batch"},
        {"timeout": 1.0},
        {"attempts": 2},
        {"price": {"prompt": 1.0, "completion": 1.0}},
        {"context": 8192},
        {"store": "elsewhere.db"},
    ],
)
def test_what_does_not_determine_a_reply_is_not_in_the_key(entries: dict[str, Any]) -> None:
    assert make_request(question(), card(**entries)).key == make_request(question(), card()).key


def test_repeats_have_keys_and_seeds_of_their_own() -> None:
    plain = [make_request(question(repeat=repeat), card()) for repeat in range(3)]
    assert len({request.key for request in plain}) == 3
    assert all("seed" not in request.body for request in plain)
    seeded = [make_request(question(repeat=repeat), card(seed=5)) for repeat in range(3)]
    assert [request.body["seed"] for request in seeded] == [5, 6, 7]


def test_all_that_is_sent_is_nfc() -> None:
    decomposed = normalize("NFD", "café Ngũgĩ")
    request = make_request(question(decomposed), card(extra={"note": decomposed}))
    assert request.body["messages"][1]["content"] == request.body["note"] == "café Ngũgĩ"
    assert (
        request.key == make_request(question("café Ngũgĩ"), card(extra={"note": "café Ngũgĩ"})).key
    )


def test_a_seed_is_a_number() -> None:
    with pytest.raises(GrambenchError, match="seed=seven"):
        make_request(question(repeat=1), card(extra={"seed": "seven"}))


@pytest.mark.parametrize("value", [math.nan, object()])
def test_what_json_cannot_hold_is_refused(value: object) -> None:
    with pytest.raises(GrambenchError, match=r"llm\.extra"):
        make_request(question(), card(extra={"x": value}))


def test_text_that_is_no_unicode_has_a_key() -> None:
    request = make_request(question("a \ud800 b"), card())
    assert len(request.key) == 64 and json.dumps(request.body)


@pytest.mark.parametrize(
    ("entries", "said"),
    [
        ({"mode": "bach"}, "Did you mean 'batch'"),
        ({"concurrency": 0}, "concurrency=0"),
        ({"attempts": 0}, "attempts=0"),
        ({"timeout": 0}, "timeout=0"),
        ({"context": 100}, "no room"),
        ({"budget_usd": 1.0}, r"llm\.price\.prompt"),
        ({"budget_usd": -1.0}, "budget_usd=-1"),
        ({"model": "???"}, r"set llm\.model"),
        ({"model": ""}, r"set llm\.model"),
        ({"context": "???"}, r"set llm\.context"),
        ({"context": "many"}, "context=many"),
        ({"base_url": "???"}, r"set llm\.base_url"),
        ({"extra": {"messages": []}}, r"extra\.messages"),
        ({"extra": {"model": None}}, r"extra\.model"),
        ({"extra": {"stream": True}}, r"extra\.stream"),
        ({"server": object(), "mode": "batch"}, "mode=online"),
    ],
)
def test_cards_that_nobody_can_be_asked_with(entries: dict[str, Any], said: str) -> None:
    with pytest.raises(GrambenchError, match=said):
        card(**entries)
