"""A key is nowhere in what runs write, whatever an endpoint makes of it."""

from __future__ import annotations

import json

import pytest

from tests.launch.classifying import CLASSIFY, make_classifiable
from tests.llm.loopback import Act, Loopback

KEY = "sk-Loopback/0123456789+abcdef="


def echo(status: int, code: int | None = None) -> Act:
    error = {"message": f"wrong key {KEY}, that is sk-Lo******cdef=", "code": code}
    headers = {"www-authenticate": f"Bearer {KEY}", "x-key": KEY}
    return Act(status=status, headers=headers, raw=json.dumps({"error": error}))


@pytest.mark.parametrize(
    ("act", "status", "told"),
    [
        (echo(401), 1, "refuses to answer"),
        (echo(400), 1, "have no reply"),
        (echo(500), 1, "have no reply"),
        (echo(200, 401), 1, "refuses to answer"),
        (Act(text=f"{KEY} \ud800 \0 Conclusion: SOV", headers={"x-key": KEY}), 0, ""),
    ],
)
def test_a_key_is_in_no_file_and_on_no_screen(workplace, launch, monkeypatch, act, status, told):
    monkeypatch.setenv("LOOPBACK_KEY", KEY)
    make_classifiable(workplace.pack)
    with Loopback([act]) as server:
        ended = launch(
            *(*CLASSIFY, "llm=endpoint", "llm.model=parrot", f"llm.base_url={server.url}"),
            *("llm.context=9000", "llm.max_tokens=10", "llm.key_env=LOOPBACK_KEY"),
            *("llm.attempts=1", f"paths.replies={workplace.folder}/replies.db"),
        )
        assert server.seen[0].headers["authorization"] == f"Bearer {KEY}"
    assert ended.status == status and told in ended.err
    written = [path.read_bytes() for path in workplace.folder.rglob("*") if path.is_file()]
    assert any(b"LOOPBACK_KEY" in content for content in written)
    everything = b"".join(written) + (ended.out + ended.err).encode()
    assert KEY.encode() not in everything and b"cdef=" not in everything
