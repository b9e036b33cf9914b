"""Replies to put into stores, and Python programs that use a store in processes of their own."""

from __future__ import annotations

import subprocess
import sys
from pathlib import Path
from typing import Any

from src.llm.request import request_key
from src.llm.store import ReplyStore

ROOT = Path(__file__).parents[2]
AT = "2026-03-05T12:00:00+00:00"


def body_of(text: str, *, model: str = "small", **sampling: Any) -> dict[str, Any]:
    return {
        "model": model,
        "messages": [{"role": "user", "content": text}],
        "max_tokens": 64,
        **sampling,
    }


def raw_of(text: str, *, prompt: int = 10, completion: int = 4) -> dict[str, Any]:
    message = {"role": "assistant", "content": text}
    return {
        "model": "small-0301",
        "choices": [{"index": 0, "message": message, "finish_reason": "stop"}],
        "usage": {"prompt_tokens": prompt, "completion_tokens": completion},
    }


def put(store: ReplyStore, body: dict[str, Any], text: str = "SOV.", **facts: Any) -> str:
    """Put a reply to a request; return the key."""
    key = request_key(body, facts.get("revision", ""), facts.get("repeat", 0))
    given: dict[str, Any] = {
        "raw": raw_of(text),
        "seconds": 0.5,
        "at": AT,
        "usd": None,
        "scope": "",
    } | facts
    store.put(key, request=body, **given)
    return key


def start(code: str, *arguments: object) -> subprocess.Popen[str]:
    """Start a Python program in a process of its own."""
    return subprocess.Popen(
        [sys.executable, "-c", code, *map(str, arguments)],
        cwd=ROOT,
        stdin=subprocess.PIPE,
        stdout=subprocess.PIPE,
        text=True,
    )
