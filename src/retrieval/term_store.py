"""Terms on disk: each grammar is split into terms once, which is most of the cost of an index.

A folder holds a file for each list of paragraphs and way of making terms. Its name says which
grammar it is of, how the terms were made and of which texts, so that equal input makes equal files
and changed texts are never taken for those before.
"""

from __future__ import annotations

import hashlib
import json
import logging
import re
from collections.abc import Sequence
from contextlib import suppress
from functools import cache
from importlib import metadata
from pathlib import Path
from typing import TYPE_CHECKING

import numpy as np
import numpy.typing as npt

from src.errors import GrambenchError
from src.records import Paragraph
from src.retrieval.cache_folder import CacheFolder, Damaged
from src.retrieval.documents import Counted, Documents
from src.retrieval.terms import get_terms, terms_version

if TYPE_CHECKING:
    from src.corpus.pack import Pack

TERMS_VERSION = 1
"""Raised when a change to our code changes terms: those kept before it are then not used."""

# Below so many characters, writing a file takes longer than making the terms a few times.
WORTH_KEEPING = 200_000

_HEADER = "grambench"
_UNSAFE = re.compile(r"[^\w.-]")
_ARRAYS = ("frequencies", "places", "counts", "lengths")

_log = logging.getLogger(__name__)


class TermStore:
    """The terms of paragraphs, made in one way (``terms``) and kept in a folder, if there is one.

    Damaged files are reported, made anew and never trusted.
    """

    def __init__(self, folder: Path | None, terms: str, lemmas_model: str) -> None:
        self._folder = None if folder is None else CacheFolder(folder, "terms", "paths.indexes")
        self._make = get_terms(terms, lemmas_model)
        self._way = (terms, lemmas_model)

    def get(self, paragraphs: Sequence[Paragraph]) -> Documents:
        """Return the terms of paragraphs; those of long lists are kept.

        Where the folder cannot be written to, that is reported once, and nothing is kept.
        """
        long = sum(len(paragraph.text) for paragraph in paragraphs) >= WORTH_KEEPING
        if self._folder is None or not (long or self._folder.path.is_dir()):
            return self._made(paragraphs)
        name, key = self._name(paragraphs)
        kept = self._read(self._folder, name, key)
        if kept is not None:
            return kept
        made = self._made(paragraphs)
        if long:
            try:
                self._folder.write(name, _packed(made.counted, key))
            except GrambenchError as error:
                _warn_that_nothing_is_kept(str(error))
        return made

    def keep(self, paragraphs: Sequence[Paragraph]) -> tuple[str, bool]:
        """Keep the terms of paragraphs, however few; return the file's name and if it is new.

        Raises:
            GrambenchError: the folder cannot be written to.
        """
        assert self._folder is not None
        name, key = self._name(paragraphs)
        if self._read(self._folder, name, key) is not None:
            return name, False
        self._folder.write(name, _packed(self._made(paragraphs).counted, key))
        return name, True

    def keep_only(self, names: set[str]) -> None:
        """Remove the files of this way of making terms that are not among ``names``."""
        assert self._folder is not None
        with self._folder.alone():
            for path in self._folder.path.glob(f"*-{_short(_way_key(*self._way))}-*.safetensors"):
                if path.name not in names:
                    path.unlink(missing_ok=True)

    def _made(self, paragraphs: Sequence[Paragraph]) -> Documents:
        return Documents(self._make([paragraph.text for paragraph in paragraphs]))

    def _name(self, paragraphs: Sequence[Paragraph]) -> tuple[str, str]:
        """Return the file's name, and the digest of all that its content depends on."""
        way = _way_key(*self._way)
        digest = hashlib.sha256(way.encode())
        texts = [paragraph.text for paragraph in paragraphs]
        digest.update(json.dumps([len(text) for text in texts]).encode())
        digest.update("".join(texts).encode())
        key = digest.hexdigest()
        grammar = _UNSAFE.sub("_", paragraphs[0].grammar)[:80] if paragraphs else ""
        return f"{grammar}-{_short(way)}-{key[:16]}.safetensors", key

    def _read(self, folder: CacheFolder, name: str, key: str) -> Documents | None:
        path = folder.path / name
        if not path.exists():
            return None
        try:
            return Documents(counted=_unpacked(path, key))
        except FileNotFoundError:
            return None
        except Damaged as damage:
            _log.warning("%s is damaged (%s): it is removed and made anew.", path, damage)
            with suppress(OSError):
                path.unlink()
            return None


def fill(pack: Pack, terms: str, lemmas_model: str, folder: Path) -> int:
    """Keep the terms of a pack's whole grammars; return for how many they had to be made.

    What the folder holds of earlier texts is removed.

    Raises:
        GrambenchError: the folder cannot be written to, or lemmas cannot be made.
    """
    from tqdm import tqdm

    texts: dict[str, list[Paragraph]] = {g.id: [] for g in pack.grammars if pack.is_whole(g.id)}
    for paragraph in pack.paragraphs.values():
        if paragraph.grammar in texts:
            texts[paragraph.grammar].append(paragraph)
    store = TermStore(folder, terms, lemmas_model)
    bar = tqdm(texts.values(), unit=" grammars", delay=3, disable=None, leave=False)
    kept = [store.keep(paragraphs) for paragraphs in bar if paragraphs]
    store.keep_only({name for name, _ in kept})
    return sum(new for _, new in kept)


@cache
def _way_key(terms: str, lemmas_model: str) -> str:
    """Tell all that terms depend on besides the texts."""
    # The regular expressions' notion of a letter is that of the Unicode that regex knows.
    made_by = terms_version(terms, lemmas_model) or metadata.version("regex")
    return json.dumps([TERMS_VERSION, terms, made_by], ensure_ascii=False)


def _short(text: str) -> str:
    return hashlib.sha256(text.encode()).hexdigest()[:8]


@cache
def _warn_that_nothing_is_kept(why: str) -> None:
    _log.warning("%s Until then terms are made anew in every run.", why)


def _packed(counted: Counted, key: str) -> bytes:
    from safetensors.numpy import save

    # Terms hold no line breaks, whichever way they are made.
    vocabulary = np.frombuffer("\n".join(counted.vocabulary).encode(), dtype=np.uint8)
    arrays = {name: getattr(counted, name).astype(np.int32) for name in _ARRAYS}
    arrays["vocabulary"] = vocabulary
    header = {"key": key, "sha256": _digest(arrays)}
    content: bytes = save(arrays, {_HEADER: json.dumps(header)})
    return content


def _unpacked(path: Path, key: str) -> Counted:
    """Read and check a file; raise Damaged, or FileNotFoundError if it was just removed."""
    from safetensors import SafetensorError, safe_open

    try:
        with safe_open(path, framework="numpy") as file:
            header = json.loads((file.metadata() or {})[_HEADER])
            arrays = {name: file.get_tensor(name) for name in (*_ARRAYS, "vocabulary")}
        wanted, made_for = header["sha256"], header["key"]
    except FileNotFoundError:
        raise
    except (SafetensorError, OSError, KeyError, TypeError, ValueError) as error:
        raise Damaged(f"unreadable: {error}") from error
    if made_for != key:
        raise Damaged("it was made of other texts")
    if _digest(arrays) != wanted:
        raise Damaged("its checksum is wrong")
    spelt = arrays.pop("vocabulary").tobytes().decode()
    vocabulary = spelt.split("\n") if spelt else []
    return Counted(vocabulary, **{name: rows.astype(np.int64) for name, rows in arrays.items()})


def _digest(arrays: dict[str, npt.NDArray[np.int32]]) -> str:
    digest = hashlib.sha256()
    for name in sorted(arrays):
        digest.update(f"{name} {arrays[name].dtype} {arrays[name].shape}".encode())
        digest.update(np.ascontiguousarray(arrays[name]).data)
    return digest.hexdigest()
