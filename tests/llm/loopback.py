"""A chat endpoint on loopback that does as it is told."""

from __future__ import annotations

import asyncio
import json
import threading
from collections import Counter
from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass, field
from typing import Any, Self


@dataclass(frozen=True)
class Act:
    """What is done with one request; as it stands it is answered well, with ``text``.

    ``raw`` takes the place of the body, ``more`` is merged into it. ``hang`` never answers, ``cut``
    sends half of the body, ``drop`` closes the connection without a word.
    """

    text: str = "Conclusion: SOV"
    status: int = 200
    headers: Mapping[str, str] = field(default_factory=dict)
    raw: str | None = None
    more: Mapping[str, Any] = field(default_factory=dict)
    delay: float = 0.0
    hang: bool = False
    cut: bool = False
    drop: bool = False

    @property
    def is_well(self) -> bool:
        """Whether the request gets a reply that somebody pays for."""
        plain = self.raw is None and not self.more and self.status == 200
        return plain and not (self.hang or self.cut or self.drop)


WELL = Act()
TOO_MANY = Act(status=429)
BROKEN = Act(status=500, raw="Internal Server Error")
HANG = Act(hang=True)
HALF = Act(cut=True)
DROP = Act(drop=True)
NO_CHOICES = Act(more={"choices": []})
NO_MESSAGE = Act(more={"choices": [{"index": 0, "finish_reason": "stop"}]})
OTHER_MODEL = Act(more={"model": "somebody-else"})


def refusal(status: int, message: str, **entries: Any) -> Act:
    """An error as OpenAI writes it."""
    return Act(status=status, raw=json.dumps({"error": {"message": message, **entries}}))


@dataclass
class Seen:
    """A request that arrived: its body, headers, the act, and whether the answer was sent whole."""

    body: dict[str, Any]
    headers: dict[str, str]
    act: Act
    path: str
    at: float
    answered_at: float = 0.0

    @property
    def answered(self) -> bool:
        return self.answered_at > 0

    @property
    def text(self) -> str:
        """The last message, which tells requests apart."""
        return str(self.body["messages"][-1]["content"])


Script = Callable[[dict[str, Any], int], Act]


class Loopback:
    """The server, in a thread of its own; ``with Loopback(...) as server: server.url``.

    ``script`` is called with each body and with how often that last message came before; or give
    ``acts``, a list of acts for each message (the last goes on), by its text or for all.
    """

    def __init__(
        self,
        acts: Mapping[str, Sequence[Act]] | Sequence[Act] = (WELL,),
        *,
        script: Script | None = None,
        latency: float = 0.0,
    ) -> None:
        self.script = script or _by_turns(acts)
        self.latency = latency
        self.seen: list[Seen] = []
        self.in_flight = 0
        self.most_in_flight = 0
        self.url = ""
        self._tries: Counter[str] = Counter()
        self._ready = threading.Event()
        self._loop = asyncio.new_event_loop()
        self._thread = threading.Thread(target=self._run, daemon=True)

    def __enter__(self) -> Self:
        self._thread.start()
        self._ready.wait()
        return self

    def __exit__(self, *_: object) -> None:
        self._loop.call_soon_threadsafe(self._loop.stop)
        self._thread.join()

    @property
    def well(self) -> Counter[str]:
        """How often each last message was answered well, and the whole answer sent."""
        return Counter(seen.text for seen in self.seen if seen.act.is_well and seen.answered)

    def _run(self) -> None:
        asyncio.set_event_loop(self._loop)
        server = self._loop.run_until_complete(
            asyncio.start_server(self._connection, "127.0.0.1", 0, backlog=1024, limit=2**24)
        )
        self.url = f"http://127.0.0.1:{server.sockets[0].getsockname()[1]}/v1"
        self._ready.set()
        self._loop.run_forever()
        for task in asyncio.all_tasks(self._loop):
            task.cancel()
        server.close()
        self._loop.run_until_complete(asyncio.sleep(0.01))
        self._loop.close()

    async def _connection(self, reader: asyncio.StreamReader, writer: asyncio.StreamWriter) -> None:
        try:
            while await self._one(reader, writer):
                pass
        except (asyncio.IncompleteReadError, ConnectionError, asyncio.CancelledError):
            pass
        finally:
            writer.close()

    async def _one(self, reader: asyncio.StreamReader, writer: asyncio.StreamWriter) -> bool:
        head = (await reader.readuntil(b"\r\n\r\n")).decode("latin-1").split("\r\n")
        headers = {k.lower(): v.strip() for k, _, v in (line.partition(":") for line in head[1:])}
        body = json.loads(await reader.readexactly(int(headers.get("content-length", 0))))
        text = str(body["messages"][-1]["content"])
        act = self.script(body, self._tries[text])
        self._tries[text] += 1
        seen = Seen(body, headers, act, head[0].split()[1], self._loop.time())
        self.seen.append(seen)
        self.in_flight += 1
        self.most_in_flight = max(self.most_in_flight, self.in_flight)
        try:
            if act.hang:
                await reader.read()  # until the client goes away
                return False
            if act.status == 200:
                await asyncio.sleep(self.latency + act.delay)
        finally:
            self.in_flight -= 1
        return await self._answer(seen, writer)

    async def _answer(self, seen: Seen, writer: asyncio.StreamWriter) -> bool:
        act = seen.act
        if act.drop:
            return False
        payload = (
            act.raw if act.raw is not None else json.dumps(response(seen.body, act))
        ).encode()
        payload = payload[: len(payload) // 2] if act.cut else payload
        headers = {"content-type": "application/json", "content-length": len(payload)}
        lines = [f"HTTP/1.1 {act.status} X"]
        lines += [f"{name}: {value}" for name, value in (headers | {**act.headers}).items()]
        if writer.is_closing():
            return False
        writer.write(("\r\n".join(lines) + "\r\n\r\n").encode() + payload)
        await writer.drain()
        seen.answered_at = self._loop.time()
        return not act.cut


def response(body: Mapping[str, Any], act: Act = WELL) -> dict[str, Any]:
    """A chat completion: ten prompt tokens a message, five of the reply."""
    prompt = 10 * len(body["messages"])
    choice = {
        "index": 0,
        "finish_reason": "stop",
        "message": {"role": "assistant", "content": act.text},
    }
    usage = {"prompt_tokens": prompt, "completion_tokens": 5, "total_tokens": prompt + 5}
    common = {"id": "chatcmpl-1", "object": "chat.completion", "created": 1_760_000_000}
    return {
        **common,
        "model": body["model"],
        "choices": [choice],
        "usage": usage,
        **act.more,
    }


def _by_turns(acts: Mapping[str, Sequence[Act]] | Sequence[Act]) -> Script:
    def script(body: dict[str, Any], tries: int) -> Act:
        text = str(body["messages"][-1]["content"])
        turns = acts.get(text, (WELL,)) if isinstance(acts, Mapping) else acts
        return turns[min(tries, len(turns) - 1)]

    return script
