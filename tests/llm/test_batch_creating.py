"""Batches are made: within limits, as many as the endpoint holds, and none twice."""

from __future__ import annotations

import logging
from pathlib import Path
from typing import Any

import pytest

from src.errors import GrambenchError
from tests.llm.batch_jobs import SERVER_ERROR, run, say, texts_of, well
from tests.llm.batch_server import LIMIT_MESSAGE, BatchServer


@pytest.mark.parametrize("refuse", ["429", "failed"])
def test_fewer_are_sent_where_the_endpoint_holds_no_more(
    server: BatchServer, path: Path, refuse: str
) -> None:
    server.enqueued, server.refuse = 4, refuse
    assert well(run(server, path, texts_of(11)))
    assert server.submitted.total() == 11
    assert server.most_enqueued <= 4
    assert max(server.sizes) == 3  # 11 is refused, 6 is, 3 are taken


def test_one_request_that_is_too_much_for_the_endpoint_fails(
    server: BatchServer, path: Path
) -> None:
    server.enqueued = 0
    outcomes = run(server, path, ["a", "b"])
    assert [LIMIT_MESSAGE in say(outcome) for outcome in outcomes.values()] == [True, True]
    assert server.submitted.total() == 0


def test_a_batch_of_others_that_fills_the_endpoint_is_waited_for(
    server: BatchServer, path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    server.enqueued = 4
    file = server.upload("other.jsonl", "batch", b'{"custom_id": "x", "body": {}}\n' * 3)[1]["id"]
    other = server.create(
        {"input_file_id": file, "endpoint": "/v1/embeddings", "completion_window": "24h"}
    )[1]

    create = server.create

    def create_later(asked: Any) -> tuple[int, dict[str, Any]]:
        if server.calls["created"] == 4:
            server.cancel(other["id"])
        return create(asked)

    monkeypatch.setattr(server, "create", create_later)
    assert well(run(server, path, texts_of(4)))
    assert server.sizes == [3, 4]


def test_a_creation_whose_answer_is_lost_is_not_repeated(
    server: BatchServer, path: Path, caplog: pytest.LogCaptureFixture
) -> None:
    caplog.set_level(logging.INFO)
    server.faults = {"created": ["done, then gone"]}
    assert well(run(server, path, texts_of(3)))
    assert server.sizes == [3]
    assert "found batch" in caplog.text


def test_a_creation_that_failed_is_repeated(server: BatchServer, path: Path) -> None:
    server.faults = {"created": [SERVER_ERROR]}
    assert well(run(server, path, texts_of(3)))
    assert server.sizes == [3]


def test_a_batch_is_found_again_on_later_pages_of_the_list(server: BatchServer, path: Path) -> None:
    def more(endpoint: BatchServer) -> None:
        endpoint.hooks.clear()
        for _ in range(5):
            file = endpoint.upload("o", "batch", b"")[1]["id"]
            about = {"endpoint": "/v1/embeddings", "completion_window": "24h"}
            endpoint.create({"input_file_id": file, **about})

    server.page = 2
    server.hooks["created"] = more
    server.faults = {"created": ["done, then gone"]}
    assert well(run(server, path, ["a"]))
    assert server.submitted.total() == 1


def test_a_file_that_is_not_there_yet_is_sent_again(server: BatchServer, path: Path) -> None:
    server.faults = {"created": [(400, {"error": {"message": "Cannot find file file-1."}})]}
    assert well(run(server, path, ["a"]))
    assert server.sizes == [1]


def test_an_endpoint_without_batches_says_so(server: BatchServer, path: Path) -> None:
    server.faults = {"uploaded": [(404, {"detail": "Not Found"})]}
    with pytest.raises(GrambenchError, match=r"has no Batch API \(HTTP 404.*llm.mode=online"):
        run(server, path, ["a"])


def test_a_refused_creation_fails_its_requests(server: BatchServer, path: Path) -> None:
    server.faults = {"created": [(400, {"error": {"message": "Bad window.", "code": "x"}})]}
    outcomes = run(server, path, ["a"])
    assert say(outcomes["a"]) == ("rejected: the endpoint refused the batch: HTTP 400: Bad window.")
    assert well(run(server, path, ["a"]))


def test_batches_are_split_by_requests_and_by_size(server: BatchServer, path: Path) -> None:
    assert well(run(server, path, texts_of(7), batch={"requests": 3}))
    assert server.sizes == [3, 3, 1]
    long = [f"{number}" * 400 for number in range(4)]  # each line has 400 characters and some
    assert well(run(server, path, long, batch={"megabytes": 0.0015}))
    assert server.sizes[3:] == [2, 2]
    assert all(len(content) < 1500 for name, content in server.files.items() if "9" * 400 in name)


def test_a_request_that_no_file_can_hold_fails_alone(server: BatchServer, path: Path) -> None:
    outcomes = run(server, path, ["a", "x" * 2000], batch={"megabytes": 0.001})
    assert say(outcomes["a"]) == "Conclusion: a"
    assert "llm.batch.megabytes" in say(outcomes["x" * 2000])
    assert server.submitted.total() == 1


def test_the_batch_tells_whose_it_is(server: BatchServer, path: Path) -> None:
    run(server, path, ["a"], scope="s" * 600)
    (batch,) = server.batches.values()
    assert batch["completion_window"] == "24h"
    assert batch["endpoint"] == "/v1/chat/completions"
    assert batch["metadata"]["scope"] == "s" * 512
    assert len(batch["metadata"]["keys"]) == 64
