"""How many tokens prompts have: exactly where the tokenizer is here, else by their characters."""

from __future__ import annotations

import math
import string
from collections.abc import Mapping, Sequence
from typing import Any, Protocol

from src.errors import GrambenchError
from src.models.tokens import token_counter
from src.records import Message

# What chat templates put around a message, and around the whole; no common one has more.
_AROUND_MESSAGE, _AROUND_ALL = 8, 40

_RUNNING = string.ascii_lowercase + " "


class Counter(Protocol):
    """Counts the tokens of a prompt; ``name`` says by what."""

    name: str

    def __call__(self, messages: Sequence[Message]) -> int:
        """Return the number of tokens, with those of the chat template."""


class _ByServer:
    def __init__(self, server: Any) -> None:
        self.name, self._server = "the model's own tokenizer", server

    def __call__(self, messages: Sequence[Message]) -> int:
        return int(self._server.count(messages))


class _ByTokenizer:
    def __init__(self, model: str, revision: str) -> None:
        self.name = f"the tokenizer of {model}, and an allowance for the chat template"
        self._count = token_counter(model, revision)

    def __call__(self, messages: Sequence[Message]) -> int:
        texts = [message.content for message in messages]
        return _with_template(sum(self._count(texts)), len(texts))


class _ByCharacters:
    def __init__(self, per_token: float) -> None:
        if not per_token > 0:
            raise GrambenchError(f"llm.tokens.characters={per_token} must be more than 0.")
        self._per_token = per_token
        self.name = f"characters ({per_token:g} a token in running text), which errs upwards"

    def __call__(self, messages: Sequence[Message]) -> int:
        tokens = sum(_estimated(message.content, self._per_token) for message in messages)
        return _with_template(math.ceil(tokens), len(messages))


def counter(tokens: Mapping[str, Any], server: Any = None) -> Counter:
    """Return what counts the tokens of prompts.

    ``server`` is a model of this process, which counts exactly. Else ``tokens`` has ``model``
    (``package:NAME/FOLDER``, a folder or a hub id, whose tokenizer.json is read, of ``revision``)
    or, where that is null, ``characters`` per token.

    Raises:
        GrambenchError: there is no such tokenizer.
    """
    if server is not None:
        return _ByServer(server)
    if tokens.get("model") is not None:
        return _ByTokenizer(tokens["model"], str(tokens.get("revision") or ""))
    return _ByCharacters(float(tokens.get("characters") or 3.0))


def _with_template(tokens: int, messages: int) -> int:
    return tokens + messages * _AROUND_MESSAGE + _AROUND_ALL


def _estimated(text: str, per_token: float) -> float:
    # Running text has several characters a token. All else (IPA, glosses in capitals, other
    # scripts, digits) comes to a token a byte at worst, with tokenizers that work on bytes.
    running = sum(map(text.count, _RUNNING))
    return running / per_token + len(text.encode()) - running
