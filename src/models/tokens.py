"""How many tokens texts have, by the tokenizer.json of a model."""

from __future__ import annotations

import hashlib
from collections.abc import Callable, Sequence
from functools import lru_cache
from pathlib import Path
from typing import Any

from src.errors import GrambenchError
from src.models.finding import find_folder, on_hub
from src.models.hub import hub_file, warn_if_it_moves

FILE = "tokenizer.json"

CountTokens = Callable[[Sequence[str]], list[int]]


def token_counter(model: str, revision: str) -> CountTokens:
    """Return a function that counts the tokens of texts, without special ones, however long.

    ``model`` is ``package:NAME/FOLDER``, a folder or a hub id, of which only the tokenizer.json is
    read; one of the hub is fetched unless it is on this machine.

    Raises:
        GrambenchError: there is no such tokenizer, or it cannot be read.
    """
    folder = _folder(model, revision)
    tokenizer = _load(hub_file(on_hub(model, revision), FILE) if folder is None else folder / FILE)

    def count(texts: Sequence[str]) -> list[int]:
        encoded = tokenizer.encode_batch_fast(list(texts), add_special_tokens=False)
        return [len(encoding.ids) for encoding in encoded]

    return count


def tokenizer_identity(model: str, revision: str) -> str:
    """Return what tells tokenizers apart: the content of a file that is here, else hub and commit.

    Raises:
        GrambenchError: there is no such package, or no folder with a tokenizer.json.
    """
    folder = _folder(model, revision)
    if folder is None:
        found = on_hub(model, revision)
        warn_if_it_moves("The tokenizer", found)
        return found.identity
    with (folder / FILE).open("rb") as file:
        return hashlib.file_digest(file, "sha256").hexdigest()


def _folder(model: str, revision: str) -> Path | None:
    try:
        return find_folder(model, revision, [FILE])
    except GrambenchError as error:
        raise GrambenchError(f"No tokens can be counted. {error}") from error


def _load(path: Path) -> Any:
    return _loaded(path, path.stat().st_mtime_ns)


@lru_cache(maxsize=4)
def _loaded(path: Path, changed: int) -> Any:
    from tokenizers import Tokenizer

    try:
        tokenizer = Tokenizer.from_file(str(path))
    except Exception as error:  # the library has no other
        raise GrambenchError(f"{path} is no tokenizer that can be read ({error}).") from error
    # As a model's own it would cut long texts, and fill short ones up.
    tokenizer.no_truncation()
    tokenizer.no_padding()
    return tokenizer
