"""Vectors on disk: each text is encoded once, whoever asks again.

A folder holds shards, files of at most 512 vectors. A shard's name says under which key (the model
and all else that determines a vector) and for which texts it was made, so that equal input makes
equal files. A lock file beside the folder, not in it, lets one process at a time add vectors.
"""

from __future__ import annotations

import hashlib
import json
import logging
import os
from collections.abc import Iterable, Iterator, Mapping, Sequence
from contextlib import ExitStack, contextmanager, suppress
from functools import cached_property
from pathlib import Path
from typing import TYPE_CHECKING

import numpy as np
import numpy.typing as npt

from src.errors import GrambenchError

if TYPE_CHECKING:
    from filelock import BaseFileLock

Vector = npt.NDArray[np.float32]

SHARD_TEXTS = 512

_HEADER = "grambench"

_log = logging.getLogger(__name__)


def text_hash(text: str) -> str:
    """Return the SHA-256 of a text, as it is sent to the model."""
    return hashlib.sha256(text.encode()).hexdigest()


class VectorStore:
    """The vectors of one key: in memory and, where there is a ``folder``, on disk.

    Damaged shards are reported, removed and never trusted.
    """

    def __init__(self, folder: Path | None, key: Mapping[str, object]) -> None:
        self._folder = folder
        self._key = json.dumps(key, sort_keys=True, ensure_ascii=False)
        self._name = text_hash(self._key)[:16]
        self._vectors: dict[str, Vector] = {}
        self._seen: set[str] = set()

    def missing(self, hashes: Iterable[str]) -> set[str]:
        """Return those of ``hashes`` that there is no vector for."""
        absent = {text for text in hashes if text not in self._vectors}
        if absent and self._folder is not None:
            self._read_new_shards(self._folder)
            absent = {text for text in absent if text not in self._vectors}
        return absent

    def get(self, hashes: Iterable[str]) -> npt.NDArray[np.float32]:
        """Return the vectors of ``hashes``, which must be there, as rows."""
        return np.stack([self._vectors[text] for text in hashes])

    @contextmanager
    def alone(self) -> Iterator[None]:
        """Wait until no other process adds vectors to the folder, and let none while this lasts.

        May be entered again by the thread that is in it. Raises GrambenchError where the folder
        cannot be written to.
        """
        with ExitStack() as stack:
            if self._folder is not None and not self._lock.is_locked:
                try:
                    self._folder.mkdir(parents=True, exist_ok=True)
                    self._take_lock()
                    stack.callback(self._lock.release)
                    _remove_leftovers(self._folder)
                except OSError as error:
                    raise _cannot_keep(self._folder, error) from error
            yield

    def add(self, hashes: Sequence[str], vectors: npt.NDArray[np.float32]) -> None:
        """Keep the vectors of texts that were missing; raise GrambenchError if it cannot."""
        order = sorted(range(len(hashes)), key=hashes.__getitem__)
        texts, rows = [hashes[i] for i in order], np.ascontiguousarray(vectors[order])
        self._vectors.update(zip(texts, rows, strict=True))
        if self._folder is not None and texts:
            with self.alone():
                self._write(self._folder, texts, rows)

    @cached_property
    def _lock(self) -> BaseFileLock:
        from filelock import FileLock

        assert self._folder is not None
        return FileLock(self._folder.with_name(f".{self._folder.name}.lock"))

    def _take_lock(self) -> None:
        from filelock import Timeout

        try:
            self._lock.acquire(timeout=0)
        except Timeout:
            _log.info("Waiting for another process that adds vectors to %s.", self._folder)
            self._lock.acquire()

    def _read_new_shards(self, folder: Path) -> None:
        for path in sorted(folder.glob(f"{self._name}-*.safetensors")):
            if path.name in self._seen:
                continue
            try:
                texts, rows = _read_shard(path, self._key)
            except FileNotFoundError:
                continue
            except _Damaged as damage:
                _log.warning(
                    "%s is damaged (%s): it is removed, and its texts are encoded again.",
                    path,
                    damage,
                )
                with suppress(OSError):
                    path.unlink()
                continue
            self._seen.add(path.name)
            for text, row in zip(texts, rows, strict=True):
                self._vectors.setdefault(text, row)

    def _write(self, folder: Path, texts: Sequence[str], rows: npt.NDArray[np.float32]) -> None:
        from safetensors.numpy import save

        # One entry only: safetensors writes several in an order that changes from run to run.
        header = {"key": self._key, "texts": texts, "sha256": _digest(texts, rows)}
        content = save({"vectors": rows}, {_HEADER: json.dumps(header, ensure_ascii=False)})
        path = folder / f"{self._name}-{text_hash(' '.join(texts))[:16]}.safetensors"
        temporary = path.with_name(f".{path.name}.{os.getpid()}")
        try:
            try:
                temporary.write_bytes(content)
                temporary.replace(path)
            finally:
                temporary.unlink(missing_ok=True)
        except OSError as error:
            raise _cannot_keep(folder, error) from error
        self._seen.add(path.name)


def _remove_leftovers(folder: Path) -> None:
    """Remove what writers that were killed left; who calls holds the lock, so nobody writes."""
    for path in folder.glob(".*.safetensors.*"):
        path.unlink(missing_ok=True)


def _cannot_keep(folder: Path, error: OSError) -> GrambenchError:
    return GrambenchError(
        f"The vectors cannot be kept in {folder}: {error.strerror or error}. Set paths.vectors to "
        "a folder that you may write to."
    )


class _Damaged(Exception):
    """Why a shard is not to be trusted."""


def _read_shard(path: Path, key: str) -> tuple[list[str], npt.NDArray[np.float32]]:
    """Read and check a shard; raise _Damaged, or FileNotFoundError if it was just removed."""
    from safetensors import SafetensorError, safe_open

    try:
        with safe_open(path, framework="numpy") as shard:
            header = json.loads((shard.metadata() or {})[_HEADER])
            rows = shard.get_tensor("vectors")
        texts, wanted, made_for = header["texts"], header["sha256"], header["key"]
    except FileNotFoundError:
        raise
    except (SafetensorError, OSError, KeyError, TypeError, ValueError) as error:
        raise _Damaged(f"unreadable: {error}") from error
    if made_for != key:
        raise _Damaged("it was made for another key")
    if rows.dtype != np.float32 or rows.ndim != 2 or len(rows) != len(texts):
        raise _Damaged("its vectors and texts do not match")
    if _digest(texts, rows) != wanted:
        raise _Damaged("its checksum is wrong")
    return texts, rows


def _digest(texts: Sequence[str], rows: npt.NDArray[np.float32]) -> str:
    digest = hashlib.sha256(" ".join(texts).encode())
    digest.update(np.ascontiguousarray(rows).data)
    return digest.hexdigest()
