"""Vectors on disk: each text is encoded once, whoever asks again.

A folder holds shards, files of at most 512 vectors. A shard's name says under which key (the model
and all else that determines a vector) and for which texts it was made, so that equal input makes
equal files.
"""

from __future__ import annotations

import hashlib
import json
import logging
from collections.abc import Iterable, Iterator, Mapping, Sequence
from contextlib import contextmanager, suppress
from pathlib import Path

import numpy as np
import numpy.typing as npt

from src.retrieval.cache_folder import CacheFolder, Damaged

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
        self._folder = None if folder is None else CacheFolder(folder, "vectors", "paths.vectors")
        self._key = json.dumps(key, sort_keys=True, ensure_ascii=False)
        self._name = text_hash(self._key)[:16]
        self._vectors: dict[str, Vector] = {}
        self._seen: set[str] = set()

    def missing(self, hashes: Iterable[str]) -> set[str]:
        """Return those of ``hashes`` that there is no vector for."""
        absent = {text for text in hashes if text not in self._vectors}
        if absent and self._folder is not None:
            self._read_new_shards(self._folder.path)
            absent = {text for text in absent if text not in self._vectors}
        return absent

    def get(self, hashes: Iterable[str]) -> npt.NDArray[np.float32]:
        """Return the vectors of ``hashes``, which must be there, as rows."""
        rows = [self._vectors[text] for text in hashes]
        return np.concatenate(rows).reshape(len(rows), -1)

    @contextmanager
    def alone(self) -> Iterator[None]:
        """Wait until no other process adds vectors to the folder, and let none while this lasts.

        May be entered again by the thread that is in it. Raises GrambenchError where the folder
        cannot be written to.
        """
        if self._folder is None:
            yield
        else:
            with self._folder.alone():
                yield

    def add(self, hashes: Sequence[str], vectors: npt.NDArray[np.float32]) -> None:
        """Keep the vectors of texts that were missing; raise GrambenchError if it cannot."""
        order = sorted(range(len(hashes)), key=hashes.__getitem__)
        texts, rows = [hashes[i] for i in order], np.ascontiguousarray(vectors[order])
        self._vectors.update(zip(texts, rows, strict=True))
        if self._folder is not None and texts:
            self._write(self._folder, texts, rows)

    def _read_new_shards(self, folder: Path) -> None:
        for path in sorted(folder.glob(f"{self._name}-*.safetensors")):
            if path.name in self._seen:
                continue
            try:
                texts, rows = _read_shard(path, self._key)
            except FileNotFoundError:
                continue
            except Damaged as damage:
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

    def _write(
        self, folder: CacheFolder, texts: Sequence[str], rows: npt.NDArray[np.float32]
    ) -> None:
        from safetensors.numpy import save

        # One entry only: safetensors writes several in an order that changes from run to run.
        header = {"key": self._key, "texts": texts, "sha256": _digest(texts, rows)}
        content = save({"vectors": rows}, {_HEADER: json.dumps(header, ensure_ascii=False)})
        name = f"{self._name}-{text_hash(' '.join(texts))[:16]}.safetensors"
        folder.write(name, content)
        self._seen.add(name)


def _read_shard(path: Path, key: str) -> tuple[list[str], npt.NDArray[np.float32]]:
    """Read and check a shard; raise Damaged, or FileNotFoundError if it was just removed."""
    from safetensors import SafetensorError, safe_open

    try:
        with safe_open(path, framework="numpy") as shard:
            header = json.loads((shard.metadata() or {})[_HEADER])
            rows = shard.get_tensor("vectors")
        texts, wanted, made_for = header["texts"], header["sha256"], header["key"]
    except FileNotFoundError:
        raise
    except (SafetensorError, OSError, KeyError, TypeError, ValueError) as error:
        raise Damaged(f"unreadable: {error}") from error
    if made_for != key:
        raise Damaged("it was made for another key")
    if rows.dtype != np.float32 or rows.ndim != 2 or len(rows) != len(texts):
        raise Damaged("its vectors and texts do not match")
    if _digest(texts, rows) != wanted:
        raise Damaged("its checksum is wrong")
    return texts, rows


def _digest(texts: Sequence[str], rows: npt.NDArray[np.float32]) -> str:
    digest = hashlib.sha256(" ".join(texts).encode())
    digest.update(np.ascontiguousarray(rows).data)
    return digest.hexdigest()
