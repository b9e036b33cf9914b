"""What is read from a batch's result files."""

from __future__ import annotations

import json
from typing import Any

import pytest

from src.llm.batch_results import read_results, unanswered_of
from tests.llm.batch_server import completion, error_line, line


def rows(*given: dict[str, Any] | bytes) -> bytes:
    return b"".join(
        (row if isinstance(row, bytes) else json.dumps(row, ensure_ascii=False).encode()) + b"\n"
        for row in given
    )


def test_replies_and_errors_come_from_two_files() -> None:
    output = rows(line("a", 200, completion("1")))
    errors = rows(error_line("b", "batch_expired", "Late."), error_line("c", "", ""))
    results = read_results([output, errors], ["a", "b", "c", "d"])
    assert results.replies == {"a": completion("1")}
    assert {key: found.failure.error for key, found in results.unanswered.items()} == {
        "b": "batch_expired: Late.",
        "c": "an error without a message",
    }
    assert (results.remarks, results.strangers, results.broken) == ([], [], False)


def test_the_first_reply_counts_and_a_reply_more_than_an_error() -> None:
    again = [line("a", 200, completion("2")), error_line("b", "x", "y")]
    output = rows(line("a", 200, completion("1")), *again, line("b", 200, completion("3")))
    results = read_results([output], ["a", "b"])
    assert results.replies == {"a": completion("1"), "b": completion("3")}
    assert results.unanswered == {}
    assert results.remarks == ["request a is answered twice; the first answer counts"]


@pytest.mark.parametrize(
    "broken", [b'{"custom_id": "b", "resp', b"\xff\xfe", b"[1]", b"null", b"[" * 100_000]
)
def test_a_line_that_cannot_be_read_costs_no_other(broken: bytes) -> None:
    output = rows(line("a", 200, completion("1")), broken, line("c", 200, completion("2")))
    results = read_results([output], ["a", "b", "c"])
    assert set(results.replies) == {"a", "c"}
    assert results.broken
    assert results.remarks == ["line 2 of a result file cannot be read"]


@pytest.mark.parametrize(
    "odd",
    [
        {"custom_id": "a", "response": {"status_code": 200, "body": "text"}},
        {"custom_id": "a", "response": {"status_code": 200, "body": {"choices": []}}},
        {"custom_id": "a", "response": {"status_code": "x", "body": None}},
        {"custom_id": "a", "response": None, "error": "gone"},
        {"custom_id": "a"},
    ],
)
def test_a_response_that_is_no_reply_is_asked_again(odd: dict[str, Any]) -> None:
    results = read_results([rows(odd)], ["a"])
    assert results.replies == {}
    assert results.unanswered["a"].again


def test_names_that_are_no_requests_are_strangers() -> None:
    given = [line(name, 200, completion("1")) for name in ("a", "z")]
    results = read_results([rows(*given, {"custom_id": ["a"]}, {"id": "x"})], ["a"])
    assert set(results.replies) == {"a"}
    assert results.strangers == ["z", "['a']", "None"]


def test_a_separator_within_a_line_ends_no_line() -> None:
    results = read_results([rows(line("a", 200, completion("1\u2028\x852")))], ["a"])
    assert results.replies["a"]["choices"][0]["message"]["content"] == "1\u2028\x852"


@pytest.mark.parametrize(
    ("code", "status", "kind", "again"),
    [
        ("batch_expired", None, "server", True),
        ("server_error", None, "server", True),
        ("", 500, "server", True),
        ("rate_limit_exceeded", 429, "server", True),
        ("insufficient_quota", 429, "rejected", False),
        ("insufficient_quota", None, "rejected", False),
        ("", 401, "rejected", False),
        ("invalid_value", 400, "rejected", False),
        ("invalid_request", None, "rejected", False),
        ("context_length_exceeded", 400, "too_long", False),
    ],
)
def test_errors_tell_whether_to_ask_again(
    code: str, status: int | None, kind: str, again: bool
) -> None:
    found = unanswered_of(code, "Why.", status)
    assert (found.failure.kind, found.again) == (kind, again)
    assert "Why." in found.failure.error
