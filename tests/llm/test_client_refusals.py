from __future__ import annotations

import errno
import json
import socket
import time
from email.utils import formatdate

import pytest

from src.errors import GrambenchError
from src.llm.endpoint import is_here, is_nobody, is_same_model
from src.llm.keys import Key
from src.llm.outcomes import Again, Never
from src.llm.refusals import refused, retry_after


def test_retry_after_in_seconds_milliseconds_and_as_a_date() -> None:
    assert retry_after({}) is None
    assert retry_after({"retry-after": "2"}) == 2
    assert retry_after({"retry-after": "1.5"}) == 1.5
    assert retry_after({"retry-after": "9", "retry-after-ms": "250"}) == 0.25
    assert retry_after({"retry-after": "-3"}) == 0
    assert retry_after({"retry-after": "soon"}) is None
    assert retry_after({"retry-after": "inf"}) is None
    date = formatdate(time.time() + 30, usegmt=True)
    assert retry_after({"retry-after": date}) == pytest.approx(30, abs=1.5)


def test_too_many_requests_are_told_from_other_failures() -> None:
    many = refused(429, {"retry-after": "3"}, "slow down")
    assert isinstance(many, Again) and many.too_many and many.wait == 3
    broken = refused(502, {}, "<html>bad gateway</html>")
    assert isinstance(broken, Again) and not broken.too_many and broken.wait is None
    assert "502" in broken.why and "bad gateway" in broken.why


def test_what_is_no_use_to_wait_for_stops_all() -> None:
    quota = json.dumps({"error": {"message": "No money.", "code": "insufficient_quota"}})
    for status, headers, text, said in (
        (429, {}, quota, "quota"),
        (429, {"retry-after": "3600"}, "", "60 minutes"),
        (401, {}, "", "llm.key_env"),
    ):
        meant = refused(status, headers, text)
        assert isinstance(meant, GrambenchError) and said in str(meant)


def test_a_refusal_of_one_request() -> None:
    never = refused(400, {}, json.dumps({"error": {"message": "top_k is unknown"}}))
    assert isinstance(never, Never) and never.kind == "rejected"
    assert never.why == "HTTP 400: top_k is unknown"


@pytest.mark.parametrize(
    ("asked", "named", "same"),
    [
        ("gpt-4o", "gpt-4o-2024-05-13", True),
        ("gpt-4o-2024-05-13", "gpt-4o-2024-05-13", True),
        ("Qwen/Qwen2.5-7B-Instruct", "qwen2.5-7b-instruct", True),
        ("qwen2.5-7b", "/models/Qwen2.5-7B.gguf", True),
        ("llama3:8b", "", True),
        ("gpt-4o-2024-05-13", "gpt-4o-mini", False),
        ("o4-mini", "gpt-4o", False),
    ],
)
def test_names_of_one_model(asked: str, named: str, same: bool) -> None:
    assert is_same_model(asked, named) is same


def test_a_key_does_not_print() -> None:
    key = Key("sk-0123456789")
    assert "0123456789" not in f"{key} {key!r}"
    assert key.scrub("Bearer sk-0123456789 is bad") == "Bearer [key] is bad"
    assert key.scrub("key sk-0****89. *bold* and ** too") == "key [key]. *bold* and ** too"
    assert Key("none", is_dummy=True).scrub("there is none") == "there is none"


def test_a_key_is_removed_however_it_is_written() -> None:
    whole = "sk/a+b=01234"
    key = Key(whole)
    quoted = "quoted: sk%2Fa%2Bb%3D01234"
    said = {whole: [r"as JSON: sk\/a+b=01234", quoted, 1, None, "*** stays ***"]}
    found = {"[key]": ["as JSON: [key]", "quoted: [key]", 1, None, "*** stays ***"]}
    assert key.remove_within(said) == found
    assert all(key.is_in(text) for text in said[whole][:2])


@pytest.mark.parametrize("short", ["x", "llama", "SOV", "elevenchars"])
def test_a_key_that_may_be_a_word_is_taken_from_errors_only(short: str) -> None:
    key = Key(short)
    said = {"content": f"Conclusion: {short}", short: [f"ex{short}ct {short}-3"]}
    assert key.remove_within(said) == said and not key.is_in(short)
    told = f"wrong key '{short}' for {short}-3, ex{short}ct"
    assert key.scrub(told) == f"wrong key '[key]' for {short}-3, ex{short}ct"


def test_a_key_of_twelve_characters_is_taken_from_replies() -> None:
    assert Key("twelve-chars").remove_within(["a twelve-chars b"]) == ["a [key] b"]


def test_where_nobody_listens_is_told_from_other_lost_connections() -> None:
    wrapped = RuntimeError("no connection")
    for cause, nobody in (
        (ConnectionRefusedError(errno.ECONNREFUSED, "refused"), True),
        (socket.gaierror(socket.EAI_NONAME, "no such name"), True),
        (socket.gaierror(socket.EAI_AGAIN, "not now"), False),
        (ConnectionResetError(errno.ECONNRESET, "reset"), False),
        (None, False),
    ):
        wrapped.__cause__ = cause
        assert is_nobody(wrapped) is nobody


@pytest.mark.parametrize(
    ("url", "here"),
    [
        ("http://localhost:11434/v1", True),
        ("http://127.0.0.2/v1", True),
        ("http://[::1]:80/v1", True),
        ("http://0.0.0.0:1/v1", True),
        ("http://10.0.0.1/v1", False),
        ("https://localhost.example.org/v1", False),
    ],
)
def test_what_no_proxy_stands_before(url: str, here: bool) -> None:
    assert is_here(url) is here
