"""How many tokens texts have, by a tokenizer that stands for that of the model to read them."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from functools import lru_cache
from pathlib import Path
from typing import Any

from src.corpus.digest import file_digest
from src.errors import GrambenchError
from src.retrieval.models import FoundModel, find_model, require_on_hub
from src.retrieval.standing import warn_if_it_moves

FILE = "tokenizer.json"

CountTokens = Callable[[Sequence[str]], list[int]]


def token_counter(model: str, revision: str) -> CountTokens:
    """Return a function that counts the tokens of texts, without special ones, however long.

    ``model`` is ``package:NAME/FOLDER``, a folder or a hub id, of which only the tokenizer.json is
    read.

    Raises:
        GrambenchError: there is no such model, or no tokenizer.json in it.
    """
    tokenizer = _load(_file(find_model(model, revision)))

    def count(texts: Sequence[str]) -> list[int]:
        encoded = tokenizer.encode_batch_fast(list(texts), add_special_tokens=False)
        return [len(encoding.ids) for encoding in encoded]

    return count


def tokenizer_identity(model: str, revision: str) -> str:
    """Return what tells tokenizers apart: the content of a file that is here, else hub and commit.

    Raises:
        GrambenchError: there is no such model, or no tokenizer.json in its folder.
    """
    found = find_model(model, revision)
    if found.folder is None:
        warn_if_it_moves("The tokenizer", found)
        return found.identity
    return file_digest(_file(found))


def _file(found: FoundModel) -> Path:
    if found.folder is not None:
        path = found.folder / FILE
        if not path.is_file():
            raise GrambenchError(f"{found.folder} holds no {FILE}: set task.tokenizer.model.")
        return path
    require_on_hub(found)
    from huggingface_hub import hf_hub_download

    try:
        return Path(hf_hub_download(found.source, FILE, revision=found.revision))
    except Exception as error:
        raise GrambenchError(
            f"The {FILE} of {found.source} is neither on this machine nor to be had"
            f" ({type(error).__name__}): set task.tokenizer.model and .revision."
        ) from error


@lru_cache(maxsize=4)
def _load(path: Path) -> Any:
    from tokenizers import Tokenizer

    try:
        tokenizer = Tokenizer.from_file(str(path))
    except Exception as error:  # the library has no other
        raise GrambenchError(
            f"{path} is no tokenizer that can be read ({error}): set task.tokenizer.model."
        ) from error
    # As a model's own it would cut long texts, and fill short ones up.
    tokenizer.no_truncation()
    tokenizer.no_padding()
    return tokenizer
