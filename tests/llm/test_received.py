from __future__ import annotations

import math
from typing import Any

import pytest

from src.llm.received import cost, fault_of, reply_of

PRICE = {"prompt": 2.5, "cached": 1.25, "completion": 10.0, "batch": 0.5, "date": "2026-01-01"}


def raw(message: dict[str, Any] | None = None, **entries: Any) -> dict[str, Any]:
    choice = {"index": 0, "finish_reason": "stop", "message": message or {"content": "SOV"}}
    return {"model": "m-1", "choices": [choice], **entries}


def reply(found: dict[str, Any], **more: Any) -> Any:
    return reply_of(found, **{"price": None, "seconds": 1.5, "at": "2026-01-01T00:00:00", **more})


def test_all_that_a_response_says() -> None:
    usage = {
        "prompt_tokens": 1000,
        "completion_tokens": 50,
        "prompt_tokens_details": {"cached_tokens": 600},
    }
    logprobs = {"content": [{"token": "S", "logprob": -0.1}]}
    found = raw({"content": "Conclusion: SOV", "reasoning_content": "Hm."}, usage=usage)
    found["choices"][0] |= {"finish_reason": "length", "logprobs": logprobs}
    said = reply(found, price=PRICE, stored=True)
    assert (said.text, said.reasoning, said.finish, said.model) == (
        "Conclusion: SOV",
        "Hm.",
        "length",
        "m-1",
    )
    assert (said.prompt_tokens, said.cached_tokens, said.completion_tokens) == (1000, 600, 50)
    # 400 * 2.5 + 600 * 1.25 + 50 * 10 = 1000 + 750 + 500 = 2250 millionths
    assert said.usd == pytest.approx(0.00225)
    assert (said.seconds, said.at, said.stored) == (1.5, "2026-01-01T00:00:00", True)
    assert said.logprobs == logprobs["content"]


@pytest.mark.parametrize(
    ("message", "text", "reasoning", "finish"),
    [
        ({"content": None}, "", "", "stop"),
        ({"content": "", "reasoning": "So."}, "", "So.", "stop"),
        ({"content": None, "refusal": "I cannot."}, "I cannot.", "", "refusal"),
        ({"content": [{"type": "text", "text": "S"}, {"text": "OV"}]}, "SOV", "", "stop"),
        ({}, "", "", "stop"),
        ({"content": "e\u0301 \ud800 \ud83d\ude00"}, "\u00e9 \ufffd \U0001f600", "", "stop"),
    ],
)
def test_messages_of_many_servers(
    message: dict[str, Any], text: str, reasoning: str, finish: str
) -> None:
    found = raw()
    found["choices"][0]["message"] = message
    assert fault_of(found) is None
    said = reply(found)
    assert (said.text, said.reasoning, said.finish) == (text, reasoning, finish)


def test_without_usage_or_price_nothing_is_known() -> None:
    said = reply(raw(), price=PRICE)
    assert (said.prompt_tokens, said.cached_tokens, said.completion_tokens) == (None, None, None)
    assert said.usd is None
    assert reply(raw(usage={"prompt_tokens": 5, "completion_tokens": 5})).usd is None


@pytest.mark.parametrize("count", [math.inf, math.nan, -1, 2.0**60, 10**400, True, "5"])
def test_counts_that_cannot_be_are_not_known(count: Any) -> None:
    said = reply(raw(usage={"prompt_tokens": count, "completion_tokens": 5}), price=PRICE)
    assert (said.prompt_tokens, said.completion_tokens, said.usd) == (None, 5, None)


def test_cost_in_batch_mode_and_without_a_price_for_cached_tokens() -> None:
    assert cost(1_000_000, 0, PRICE) == 2.5
    assert cost(1_000_000, 0, PRICE, batch=True) == 1.25
    assert cost(1_000_000, 0, {"prompt": 2.5, "completion": 0.0}, cached=400_000) == 2.5
    assert cost(10, 10, {"prompt": None, "completion": None}) is None


@pytest.mark.parametrize(
    ("found", "why"),
    [
        ([], "no JSON object"),
        ({}, "no choices"),
        ({"choices": []}, "no choices"),
        ({"choices": None}, "no choices"),
        ({"choices": [{}]}, "no message"),
        ({"choices": [{"message": None}]}, "no message"),
        ({"choices": [None]}, "no message"),
        ({"error": {"message": "overloaded"}}, "error: overloaded"),
        ({"error": "overloaded"}, "error: overloaded"),
        (raw() | {"choices": [{"message": {}, "finish_reason": "error"}]}, "broke off"),
    ],
)
def test_what_is_no_reply(found: object, why: str) -> None:
    assert why in str(fault_of(found))
