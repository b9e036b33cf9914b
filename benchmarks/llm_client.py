"""Our client against a loopback server with a latency, beside a bare loop over the openai SDK.

``python -m benchmarks.llm_client [--requests 2000] [--concurrency 64] [--latency 0.2]``. The server
is a process of its own, and so is each client. Shown are the share of the ideal (the time that the
latency alone takes) from the first request to the last answer, the whole process with its start,
client CPU a request, and peak memory; the same with refusals; and what a start after SIGKILL sends
again.
"""

from __future__ import annotations

import argparse
import asyncio
import json
import math
import os
import resource
import subprocess
import sys
import tempfile
import time
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path
from typing import Any

MODEL, WORDS = "loopback", 300


def prompts(count: int) -> list[str]:
    return [f"question {i}. " + "word " * WORDS for i in range(count)]


def ours(url: str, count: int, concurrency: int, store: str) -> int:
    from src.llm.chat import ChatModel
    from src.records import Message, Question, Reply

    chat = ChatModel(
        **{"name": "loopback", "model": MODEL, "context": 4096, "max_tokens": 100},
        **{"base_url": url, "key_env": None, "concurrency": concurrency, "store": store},
    )
    asked = [Question(str(i), (Message("user", text),)) for i, text in enumerate(prompts(count))]
    return sum(isinstance(reply, Reply) for reply in chat.ask(asked))


def bare(url: str, count: int, concurrency: int, store: str) -> int:
    """The loop that one would write: replies are in memory, and gone with the process."""
    import openai

    async def loop() -> int:
        client = openai.AsyncOpenAI(base_url=url, api_key="none", max_retries=8)
        places = asyncio.Semaphore(concurrency)

        async def one(text: str) -> bool:
            async with places:
                reply = await client.chat.completions.create(
                    model=MODEL, messages=[{"role": "user", "content": text}], max_tokens=100
                )
            return bool(reply.choices[0].message.content)

        return sum(await asyncio.gather(*map(one, prompts(count))))

    return asyncio.run(loop())


def client(which: str, url: str, count: int, concurrency: int, store: str) -> None:
    """Be one client, and print what it took."""
    import openai  # noqa: F401  (its import is in the whole time, not in the CPU a request)

    began = time.process_time()
    answered = {"ours": ours, "bare": bare}[which](url, count, concurrency, store)
    cpu = time.process_time() - began
    peak = resource.getrusage(resource.RUSAGE_SELF).ru_maxrss / 1024
    print(json.dumps({"answered": answered, "cpu_ms": 1000 * cpu / count, "peak_mib": peak}))


@contextmanager
def serving(*options: str) -> Iterator[tuple[str, dict[str, Any]]]:
    """Run the server; its counts are in the dict when the block ends."""
    counts: dict[str, Any] = {}
    with subprocess.Popen(
        [sys.executable, "-m", "benchmarks.chat_server", *options],
        stdin=subprocess.PIPE,
        stdout=subprocess.PIPE,
        text=True,
    ) as server:
        assert server.stdout is not None
        yield server.stdout.readline().strip(), counts
        counts |= json.loads(server.communicate()[0])


def start(which: str, url: str, chosen: argparse.Namespace, store: Path) -> subprocess.Popen[str]:
    values = [which, url, str(chosen.requests), str(chosen.concurrency), str(store)]
    command = [sys.executable, "-m", "benchmarks.llm_client", "--client", *values]
    return subprocess.Popen(command, stdout=subprocess.PIPE, text=True, env=dict(os.environ))


def measure(which: str, chosen: argparse.Namespace, *options: str) -> dict[str, Any]:
    with (
        tempfile.TemporaryDirectory() as place,
        serving("--latency", str(chosen.latency), *options) as (url, counts),
    ):
        began = time.perf_counter()
        told = json.loads(start(which, url, chosen, Path(place) / "r.db").communicate()[0])
        whole = time.perf_counter() - began
    return {**told, **counts, "whole": whole}


def show(label: str, ideal: float, found: dict[str, Any]) -> None:
    print(
        f"{label:<24} {found['span']:6.2f} s, {100 * ideal / found['span']:5.1f} % of the ideal; "
        f"whole {found['whole']:5.2f} s; CPU {found['cpu_ms']:.2f} ms a request; "
        f"peak {found['peak_mib']:.0f} MiB; answered {found['answered']}, "
        f"arrived {found['arrived']}, paid twice {found['twice']}"
    )


def kill_and_resume(chosen: argparse.Namespace) -> None:
    with (
        tempfile.TemporaryDirectory() as place,
        serving("--latency", str(chosen.latency)) as (url, counts),
    ):
        store = Path(place) / "r.db"
        first = start("ours", url, chosen, store)
        while stored(store) < chosen.requests // 2:
            time.sleep(0.01)
        first.kill()
        first.wait()
        kept = stored(store)
        told = json.loads(start("ours", url, chosen, store).communicate()[0])
    again = counts["arrived"] - chosen.requests
    print(
        f"killed at {kept} stored: {again} requests were sent again (in flight: up to "
        f"{chosen.concurrency}); answered {told['answered']}"
    )


def stored(path: Path) -> int:
    import sqlite3

    try:
        with sqlite3.connect(f"file:{path}?mode=ro", uri=True) as connection:
            return int(connection.execute("SELECT count(*) FROM replies").fetchone()[0])
    except sqlite3.OperationalError:
        return 0


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--requests", type=int, default=2000)
    parser.add_argument("--concurrency", type=int, default=64)
    parser.add_argument("--latency", type=float, default=0.2)
    parser.add_argument("--repeats", type=int, default=3)
    parser.add_argument("--client", nargs=5, help=argparse.SUPPRESS)
    chosen = parser.parse_args()
    if chosen.client:
        which, url, count, concurrency, store = chosen.client
        client(which, url, int(count), int(concurrency), store)
        return
    rounds = math.ceil(chosen.requests / chosen.concurrency)
    ideal = chosen.requests / chosen.concurrency * chosen.latency
    print(f"ideal {ideal:.2f} s ({rounds} rounds: {rounds * chosen.latency:.2f} s)")
    for label, options in {
        "": (),
        ", 5 % 429, 2 % 500": ("--too-many", "0.05", "--broken", "0.02"),
    }.items():
        for _ in range(chosen.repeats):
            for which in ("bare", "ours"):
                show(which + label, ideal, measure(which, chosen, *options))
    kill_and_resume(chosen)


if __name__ == "__main__":
    main()
