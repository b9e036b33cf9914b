"""A chat endpoint that takes next to no time itself, so that it is the client that is measured.

``python -m benchmarks.chat_server --latency 0.2 --too-many 0.05 --broken 0.02`` serves until its
standard input closes; its first line of output is the URL, its last the counts as JSON. Prompts
contain ``question N.``, by which they are told apart; errors are sent without latency.
"""

from __future__ import annotations

import argparse
import asyncio
import json
import random
import sys
import time
from collections import Counter
from dataclasses import dataclass, field

_ID = b"question "


def _message(status: str, body: object) -> bytes:
    content = json.dumps(body).encode()
    head = f"HTTP/1.1 {status}\r\nContent-Type: application/json\r\nContent-Length: {len(content)}"
    return head.encode() + b"\r\n\r\n" + content


_REPLY = _message(
    "200 OK",
    {
        **{"id": "chatcmpl-1", "object": "chat.completion", "created": 1_760_000_000},
        "model": "loopback",
        "choices": [
            {
                "index": 0,
                "finish_reason": "stop",
                "message": {"role": "assistant", "content": "Conclusion: SOV"},
            }
        ],
        "usage": {"prompt_tokens": 310, "completion_tokens": 5, "total_tokens": 315},
    },
)
_TOO_MANY = _message("429 Too Many Requests", {"error": {"message": "too many requests"}})
_BROKEN = _message("500 Internal Server Error", {"error": {"message": "internal error"}})


@dataclass
class Counts:
    """What came, and what was answered well."""

    latency: float
    too_many: float
    broken: float
    arrived: int = 0
    in_flight: int = 0
    most_in_flight: int = 0
    first: float = 0.0
    last: float = 0.0
    well: Counter[bytes] = field(default_factory=Counter)
    chance: random.Random = field(default_factory=lambda: random.Random(0))


class Connection(asyncio.Protocol):
    """One connection: a request at a time, its response written in one piece."""

    def __init__(self, counts: Counts) -> None:
        self._counts = counts
        self._buffer = b""
        self._size = 0

    def connection_made(self, transport: asyncio.BaseTransport) -> None:
        assert isinstance(transport, asyncio.WriteTransport)
        self._transport = transport

    def data_received(self, data: bytes) -> None:
        self._buffer += data
        if not self._size:
            head, end, _ = self._buffer.partition(b"\r\n\r\n")
            if not end:
                return
            length = head.lower().partition(b"content-length:")[2].partition(b"\r\n")[0]
            self._size = len(head) + len(end) + int(length)
        if len(self._buffer) >= self._size:
            request, self._buffer, self._size = self._buffer, b"", 0
            self._receive(request)

    def _receive(self, request: bytes) -> None:
        counts = self._counts
        counts.first = counts.first or time.monotonic()
        counts.arrived += 1
        counts.in_flight += 1
        counts.most_in_flight = max(counts.most_in_flight, counts.in_flight)
        drawn = counts.chance.random()
        if drawn < counts.too_many + counts.broken:
            self._send(_TOO_MANY if drawn < counts.too_many else _BROKEN)
            return
        number = request.partition(_ID)[2].partition(b".")[0]
        asyncio.get_running_loop().call_later(counts.latency, self._reply, number)

    def _reply(self, number: bytes) -> None:
        if not self._transport.is_closing():
            self._counts.well[number] += 1
            self._counts.last = time.monotonic()
        self._send(_REPLY)

    def _send(self, message: bytes) -> None:
        self._counts.in_flight -= 1
        self._transport.write(message)


async def serve(counts: Counts) -> None:
    loop = asyncio.get_running_loop()
    server = await loop.create_server(lambda: Connection(counts), "127.0.0.1", 0, backlog=1024)
    print(f"http://127.0.0.1:{server.sockets[0].getsockname()[1]}/v1", flush=True)
    closed = asyncio.Event()
    loop.add_reader(sys.stdin, closed.set)
    await closed.wait()


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--latency", type=float, default=0.2)
    parser.add_argument("--too-many", type=float, default=0.0)
    parser.add_argument("--broken", type=float, default=0.0)
    counts = Counts(**vars(parser.parse_args()))
    began = time.process_time()
    asyncio.run(serve(counts))
    told = {
        "arrived": counts.arrived,
        "span": counts.last - counts.first,
        "well": sum(counts.well.values()),
        "twice": sum(count - 1 for count in counts.well.values()),
        "most_in_flight": counts.most_in_flight,
        "server_cpu_ms": 1000 * (time.process_time() - began) / max(counts.arrived, 1),
    }
    print(json.dumps(told))


if __name__ == "__main__":
    main()
