"""What tells models apart that lie in files: digests of their content, quick to compute."""

from __future__ import annotations

import hashlib
from collections.abc import Iterator
from functools import lru_cache
from pathlib import Path

# What makes a model what it is; a folder may hold much else (readmes, other formats).
_SMALL = {".json", ".jinja", ".model", ".py", ".txt"}
_WEIGHTS = {".bin", ".safetensors"}
_BLOCK, _BLOCKS = 65_536, 64


def fingerprint(model: Path) -> str:
    """Return a digest of a model's file, or of those in its folder.

    Small files are read whole, of weights 64 blocks spread evenly. Names of a file and of parent
    folders, and times of change, do not count, so that a cache travels with a copy. What was read
    is read again only where a file's size or time of change is another.
    """
    files = []
    for path in [model] if model.is_file() else _files(model):
        status = path.stat()
        name = path.relative_to(model).as_posix()
        files.append((name, status.st_size, status.st_mtime_ns))
    return _digest(model.absolute(), tuple(files))


def _files(folder: Path) -> Iterator[Path]:
    for path in sorted(folder.rglob("*")):
        if path.suffix not in _SMALL | _WEIGHTS or not path.is_file():
            continue
        if not any(part.startswith(".") for part in path.relative_to(folder).parts):
            yield path


@lru_cache(maxsize=64)
def _digest(model: Path, files: tuple[tuple[str, int, int], ...]) -> str:
    digest = hashlib.sha256()
    for name, size, _ in files:
        digest.update(f"{name}\0{size}\0".encode())
        path = model / name
        with path.open("rb") as file:
            step = _BLOCK if path.suffix in _SMALL else max(size // _BLOCKS, _BLOCK)
            for start in range(0, size, step):
                file.seek(start)
                digest.update(file.read(_BLOCK))
    return digest.hexdigest()
