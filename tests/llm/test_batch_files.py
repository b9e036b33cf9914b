"""The files that batches are made of."""

from __future__ import annotations

import json
from collections import deque
from pathlib import Path

import pytest
from hypothesis import given
from hypothesis import strategies as st

from src.llm.batch_files import MEGABYTE, digest_of, line_of, take_part
from src.llm.request import Request, make_request
from src.records import Message, Question
from tests.llm.batch_jobs import card_of, requests_of, texts_of

CARD = card_of("http://127.0.0.1:1/v1")


def test_a_line_has_the_key_the_method_the_url_and_the_body() -> None:
    (request,) = requests_of(CARD, ["ŋa\u2028b"])
    line = line_of(request)
    assert line.isascii()
    assert line.count(b"\n") == 1
    assert len(line.decode().splitlines()) == 1
    row = json.loads(line)
    assert list(row) == ["custom_id", "method", "url", "body"]
    assert (row["method"], row["url"]) == ("POST", "/v1/chat/completions")
    assert row["custom_id"] == request.key
    assert len(row["custom_id"]) == 64
    assert row["body"] == request.body
    assert row["body"]["messages"][1] == {"role": "user", "content": "ŋa\u2028b"}


@given(st.lists(st.integers(1, 400), max_size=30), st.integers(1, 5), st.integers(300, 2000))
def test_parts_keep_order_and_limits_and_lose_nothing(
    lengths: list[int], most: int, size: int
) -> None:
    texts = [f"{number}" + "x" * length for number, length in enumerate(lengths)]
    requests = requests_of(CARD, texts)
    waiting = deque(requests)
    taken: list[Request] = []
    while waiting:
        part = take_part(waiting, requests=most, megabytes=size / MEGABYTE)
        assert 1 <= len(part.requests) <= most
        assert len(part.content) <= size or len(part.requests) == 1
        assert part.content == b"".join(map(line_of, part.requests))
        taken.extend(part.requests)
    assert taken == requests


def test_a_file_asks_one_model_only() -> None:
    messages = (Message("user", "a"),)
    models = ["m", "m", "n", "m"]
    questions = [
        Question(id=f"{number}", messages=messages, params={"model": model, "seed": number})
        for number, model in enumerate(models)
    ]
    waiting = deque(make_request(question, CARD) for question in questions)
    sizes = []
    while waiting:
        sizes.append(len(take_part(waiting, requests=10, megabytes=1.0).requests))
    assert sizes == [2, 1, 1]


def test_a_digest_tells_sets_apart_and_not_orders() -> None:
    keys = [request.key for request in requests_of(CARD, texts_of(3))]
    assert digest_of(keys) == digest_of(reversed(keys))
    assert digest_of(keys) != digest_of(keys[:2])


@pytest.mark.realdata
def test_lines_have_the_shape_of_the_released_batch_files(real_data: Path) -> None:
    card = card_of("http://127.0.0.1:1/v1", model="gpt-4o-2024-05-13", temperature=0.2)
    files = sorted((real_data / "mtob" / "RAG Prompts").glob("*/baseline.jsonl"))
    assert len(files) == 4
    for file in files:
        with file.open(encoding="utf-8", newline="") as lines:
            released = json.loads(next(iter(lines)))
        sent = released["body"]["messages"]
        messages = tuple(Message(message["role"], message["content"]) for message in sent)
        ours = json.loads(line_of(make_request(Question("g", messages), card)))
        assert set(ours) == set(released)
        assert {name: ours[name] for name in ("method", "url")} == {
            name: released[name] for name in ("method", "url")
        }
        assert {k: v for k, v in ours["body"].items() if k != "max_tokens"} == released["body"]
