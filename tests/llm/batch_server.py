"""A loopback implementation of OpenAI's files and batches endpoints, with faults to order."""

from __future__ import annotations

import itertools
import json
import threading
import time
from collections import Counter
from collections.abc import Callable, Mapping
from contextlib import suppress
from dataclasses import dataclass, field
from email.message import Message
from email.parser import BytesParser
from http.server import BaseHTTPRequestHandler, ThreadingHTTPServer
from typing import Any
from urllib.parse import parse_qs, urlsplit

ENDED = ("completed", "failed", "expired", "cancelled")
LIMIT_MESSAGE = "Enqueued token limit reached for model in organization org-x. Limit: 10 tokens."

Answer = Callable[[str, Mapping[str, Any]], "dict[str, Any] | None"]


def completion(content: str, prompt: int = 100, written: int = 10) -> dict[str, Any]:
    """A chat completion's JSON."""
    return {
        "id": "chatcmpl-1",
        "object": "chat.completion",
        "model": "tiny-2024-01-01",
        "choices": [
            {
                "index": 0,
                "message": {"role": "assistant", "content": content},
                "finish_reason": "stop",
            }
        ],
        "usage": {"prompt_tokens": prompt, "completion_tokens": written},
    }


def echo(custom_id: str, body: Mapping[str, Any]) -> dict[str, Any]:
    """Reply with the last message."""
    reply = completion(f"Conclusion: {body['messages'][-1]['content']}")
    return line(custom_id, 200, reply)


def line(custom_id: str, status: int, body: Mapping[str, Any]) -> dict[str, Any]:
    """A line of an output file: a response."""
    response = {"status_code": status, "request_id": "req-1", "body": body}
    return {"id": "batch_req_1", "custom_id": custom_id, "response": response, "error": None}


def error_line(custom_id: str, code: str, message: str) -> dict[str, Any]:
    """A line of an error file: no response at all."""
    error = {"code": code, "message": message}
    return {"id": "batch_req_1", "custom_id": custom_id, "response": None, "error": error}


@dataclass
class Plan:
    """What becomes of one batch.

    ``answer`` gives the line for a request, or None for none at all; those without a response of
    status 200 go to the error file. ``mangle`` may do anything to the output file's bytes.
    ``validating`` and ``polls`` are how often it is looked at before it moves on.
    """

    end: str = "completed"
    answer: Answer = echo
    validating: int = 0
    polls: int = 1
    errors: list[dict[str, Any]] = field(default_factory=list)
    mangle: Callable[[bytes], bytes] | None = None
    output: bool = True


class BatchServer:
    """The endpoint, in a thread of this process; ``plans`` are for the batches to come, in order.

    ``hooks`` are called with the server when a step (``uploaded``, ``created``, ``polled``) is
    done and before it is answered. ``faults`` maps a step to responses that are given in its place:
    a status, or (status, error). ``enqueued`` is how many requests may wait; more are refused as
    ``refuse`` says.
    """

    def __init__(self, key: str = "key-of-the-loopback", *, enqueued: int | None = None) -> None:
        self.key = key
        self.enqueued = enqueued
        self.refuse = "429"
        self.plans: list[Plan] = []
        self.default = Plan()
        self.hooks: dict[str, Callable[[BatchServer], None]] = {}
        self.faults: dict[str, list[tuple[int, dict[str, Any]] | str]] = {}
        self.files: dict[str, bytes] = {}
        self.batches: dict[str, dict[str, Any]] = {}
        self.calls: Counter[str] = Counter()
        self.submitted: Counter[str] = Counter()
        self.sizes: list[int] = []
        self.uploads: list[tuple[str, str]] = []
        self.most_enqueued = 0
        self.page = 100
        self._plan_of: dict[str, Plan] = {}
        self._seen: Counter[str] = Counter()
        self._numbers = itertools.count(1)
        self.lock = threading.RLock()
        handler = type("Handler", (_Handler,), {"endpoint": self})
        self._http = ThreadingHTTPServer(("127.0.0.1", 0), handler)
        self._http.daemon_threads = True
        self.url = f"http://127.0.0.1:{self._http.server_port}/v1"

    def __enter__(self) -> BatchServer:
        serve = {"poll_interval": 0.02}
        threading.Thread(target=self._http.serve_forever, kwargs=serve, daemon=True).start()
        return self

    def __exit__(self, *_: object) -> None:
        self._http.shutdown()
        self._http.server_close()

    def upload(self, name: str, purpose: str, content: bytes) -> tuple[int, dict[str, Any]]:
        """POST /files."""
        with self.lock:
            number = self._add(content)
            self.uploads.append((name, purpose))
        return 200, {"id": number, "object": "file", "bytes": len(content), "created_at": 1,
                     "filename": name, "purpose": purpose, "status": "processed"}  # fmt: skip

    def create(self, asked: Mapping[str, Any]) -> tuple[int, dict[str, Any]]:
        """POST /batches."""
        with self.lock:
            requests = self.requests_of(asked["input_file_id"])
            if self.refuse == "429" and self._is_full(len(requests)):
                return 429, {"error": {"message": LIMIT_MESSAGE, "code": "token_limit_exceeded"}}
            batch = self._batch(asked, len(requests))
            if self._is_full(len(requests), counted=batch["id"]):
                self._refuse_later(batch)
                return 200, batch
            plan = self.plans.pop(0) if self.plans else self.default
            self._plan_of[batch["id"]] = plan
            self.sizes.append(len(requests))
            self.submitted.update(request["custom_id"] for request in requests)
            self.most_enqueued = max(self.most_enqueued, self._waiting())
            return 200, batch

    def retrieve(self, number: str) -> tuple[int, dict[str, Any]]:
        """GET /batches/{id}."""
        with self.lock:
            batch = self.batches.get(number)
            if batch is None:
                return 404, {"error": {"message": f"No batch found with id '{number}'."}}
            if batch["status"] not in ENDED:
                self._advance(batch)
            return 200, batch

    def cancel(self, number: str) -> None:
        """End a batch, as somebody would on the web page."""
        with self.lock:
            self._end(self.batches[number], Plan(end="cancelled", answer=lambda *_: None))

    def listed(self, query: Mapping[str, list[str]]) -> tuple[int, dict[str, Any]]:
        """GET /batches: the newest first."""
        with self.lock:
            newest = list(reversed(self.batches.values()))
            after = query.get("after", [""])[0]
            if after:
                newest = newest[[batch["id"] for batch in newest].index(after) + 1 :]
            limit = min(self.page, int(query.get("limit", ["20"])[0]))
            page = newest[:limit]
            return 200, {"object": "list", "data": page, "has_more": len(newest) > limit}

    def requests_of(self, file: str) -> list[dict[str, Any]]:
        """The requests in an uploaded file."""
        return [json.loads(row) for row in self.files[file].split(b"\n") if row]

    def _add(self, content: bytes) -> str:
        number = f"file-{next(self._numbers)}"
        self.files[number] = content
        return number

    def _batch(self, asked: Mapping[str, Any], total: int) -> dict[str, Any]:
        number = f"batch_{next(self._numbers)}"
        counts = {"total": total, "completed": 0, "failed": 0}
        self.batches[number] = {
            "id": number, "object": "batch", "endpoint": asked["endpoint"], "errors": None,
            "input_file_id": asked["input_file_id"], "status": "validating",
            "completion_window": asked["completion_window"], "created_at": int(time.time()),
            "metadata": asked.get("metadata"), "request_counts": counts,
            "output_file_id": None, "error_file_id": None,
        }  # fmt: skip
        return self.batches[number]

    def _waiting(self, but: str = "") -> int:
        running = (b for b in self.batches.values() if b["status"] not in ENDED and b["id"] != but)
        return sum(batch["request_counts"]["total"] for batch in running)

    def _is_full(self, more: int, counted: str = "") -> bool:
        return self.enqueued is not None and self._waiting(counted) + more > self.enqueued

    def _refuse_later(self, batch: dict[str, Any]) -> None:
        error = {"code": "token_limit_exceeded", "message": LIMIT_MESSAGE, "line": None}
        self._plan_of[batch["id"]] = Plan(end="failed", errors=[error], polls=0)

    def _advance(self, batch: dict[str, Any]) -> None:
        plan, number = self._plan_of[batch["id"]], batch["id"]
        self._seen[number] += 1
        if self._seen[number] <= plan.validating:
            return
        if self._seen[number] <= plan.validating + plan.polls:
            batch["status"] = "in_progress"
            return
        self._end(batch, plan)

    def _end(self, batch: dict[str, Any], plan: Plan) -> None:
        batch["status"] = plan.end
        if plan.end == "failed":
            batch["errors"] = {"object": "list", "data": plan.errors}
            return
        requests = self.requests_of(batch["input_file_id"])
        lines = [plan.answer(request["custom_id"], request["body"]) for request in requests]
        given = [given for given in reversed(lines) if given is not None]
        good = [line for line in given if (line["response"] or {}).get("status_code") == 200]
        bad = [line for line in given if line not in good]
        batch["request_counts"] |= {"completed": len(good), "failed": len(bad)}
        content = _lines(good)
        if plan.mangle is not None:
            content = plan.mangle(content)
        if content and plan.output:
            batch["output_file_id"] = self._add(content)
        if bad:
            batch["error_file_id"] = self._add(_lines(bad))


def _lines(rows: list[dict[str, Any]]) -> bytes:
    return "".join(json.dumps(row, ensure_ascii=False) + "\n" for row in rows).encode()


class _Handler(BaseHTTPRequestHandler):
    endpoint: BatchServer
    protocol_version = "HTTP/1.1"
    disable_nagle_algorithm = True

    def log_message(self, *_: object) -> None:
        pass

    def handle(self) -> None:
        with suppress(ConnectionError):  # who asked was killed
            super().handle()

    def do_GET(self) -> None:
        url = urlsplit(self.path)
        parts = url.path.removeprefix("/v1/").split("/")
        if parts == ["batches"]:
            query = parse_qs(url.query)
            self._answer("listed", lambda: self.endpoint.listed(query))
        elif parts[0] == "batches":
            self._answer("polled", lambda: self.endpoint.retrieve(parts[1]))
        else:
            self._answer("content", lambda: self._content(parts[1]))

    def do_POST(self) -> None:
        content = self.rfile.read(int(self.headers["Content-Length"]))
        if self.path == "/v1/files":
            fields = _fields(self.headers, content)
            name, given = fields["file"]
            purpose = fields["purpose"][1].decode()
            self._answer("uploaded", lambda: self.endpoint.upload(name, purpose, given))
        else:
            self._answer("created", lambda: self.endpoint.create(json.loads(content)))

    def _content(self, number: str) -> tuple[int, Any]:
        if number not in self.endpoint.files:
            return 404, {"error": {"message": f"No such File object: {number}"}}
        return 200, self.endpoint.files[number]

    def _answer(self, step: str, act: Callable[[], tuple[int, Any]]) -> None:
        self.endpoint.calls[step] += 1
        if self.headers.get("Authorization") != f"Bearer {self.endpoint.key}":
            said = f"Incorrect API key provided: {self.headers.get('Authorization')}."
            return self._send(401, {"error": {"message": said, "code": "invalid_api_key"}})
        faults = self.endpoint.faults.get(step, [])
        fault = faults.pop(0) if faults else None
        if isinstance(fault, tuple):
            return self._send(*fault)
        status, given = act()
        if step in self.endpoint.hooks:
            self.endpoint.hooks[step](self.endpoint)
        if fault == "done, then gone":
            self.close_connection = True
            return None
        return self._send(status, given)

    def _send(self, status: int, given: Any) -> None:
        content = given if isinstance(given, bytes) else json.dumps(given).encode()
        self.send_response(status)
        self.send_header("Content-Type", "application/json")
        self.send_header("Content-Length", str(len(content)))
        self.end_headers()
        self.wfile.write(content)


def _fields(headers: Message, content: bytes) -> dict[str, tuple[str, bytes]]:
    """The fields of a form: file name and content."""
    head = f"Content-Type: {headers['Content-Type']}\r\n\r\n".encode()
    fields = {}
    for part in BytesParser().parsebytes(head + content).get_payload():
        assert isinstance(part, Message)
        name = str(part.get_param("name", header="content-disposition"))
        payload = part.get_payload(decode=True)
        assert isinstance(payload, bytes)
        fields[name] = (part.get_filename() or "", payload)
    return fields
