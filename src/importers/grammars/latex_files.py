"""LaTeX projects on disk: their main file, their size, and a digest of all that may be read."""

from __future__ import annotations

import hashlib
import os
from collections.abc import Iterator
from pathlib import Path

from src.corpus.digest import file_digest

# What a project's text does not depend on: pictures, and what LaTeX writes each time it runs.
_NOT_READ = (
    ".pdf", ".ps", ".eps", ".png", ".jpg", ".jpeg", ".gif", ".svg", ".tif", ".tiff", ".zip", ".gz",
    ".ttf", ".otf", ".mp3", ".wav", ".aux", ".log", ".toc", ".lof", ".lot", ".out", ".idx", ".ilg",
    ".ind", ".blg", ".bcf", ".xml", ".fls", ".fdb_latexmk", ".xdv", ".dvi",
)  # fmt: skip
_HEAD = 64 * 1024


def main_files(folder: Path) -> list[Path]:
    """Return the file that a project begins with: main.tex, else those with a document class.

    One file means that the folder is a project; several, that it cannot be told which.
    """
    main = folder / "main.tex"
    if main.is_file():
        return [main]
    return [path for path in sorted(folder.glob("*.tex")) if _has_class(path)]


def project_size(folder: Path) -> int:
    """Return the bytes of the .tex files in a project."""
    return sum(path.stat().st_size for path in _files(folder) if path.suffix == ".tex")


def project_digest(main: Path, folder: Path) -> str:
    """Return the SHA-256 (hex) of a project: of its main file's name and all that it may read."""
    total = hashlib.sha256(f"{main.name}\n".encode())
    for path in _files(folder):
        name = path.relative_to(folder).as_posix()
        total.update(f"{name}\0{file_digest(path)}\n".encode())
    return total.hexdigest()


def _files(folder: Path) -> Iterator[Path]:
    """Yield the files that LaTeX may read, in a fixed order; hidden folders are left out."""
    for root, folders, names in os.walk(folder):
        folders[:] = sorted(name for name in folders if not name.startswith("."))
        for name in sorted(names):
            path = Path(root, name)
            read = path.suffix.lower() not in _NOT_READ
            if read and not name.startswith(".") and path.is_file():
                yield path


def _has_class(path: Path) -> bool:
    try:
        with path.open("rb") as file:
            head = file.read(_HEAD)
    except OSError:
        return False
    lines = (line.lstrip() for line in head.split(b"\n"))
    return any(line.startswith((b"\\documentclass", b"\\documentstyle")) for line in lines)
