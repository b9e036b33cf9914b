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
# What is larger is no text of a book, but lies beside one, in a folder of downloads for instance.
_LARGEST = 64 * 1024 * 1024


def main_files(folder: Path) -> list[Path]:
    """Return the file that a project begins with: main.tex, else those with a document class.

    One file means that the folder is a project; several, that it cannot be told which.
    """
    main = folder / "main.tex"
    if main.is_file():
        return [main]
    # Opening what is no file, such as a pipe, may take for ever.
    return [path for path in sorted(folder.glob("*.tex")) if path.is_file() and _has_class(path)]


def project_size(folder: Path) -> int:
    """Return the bytes of the .tex files in a project."""
    return sum(path.stat().st_size for path in _files(folder) if path.suffix == ".tex")


def project_digest(main: Path) -> str:
    """Return the SHA-256 (hex) of a project: of its main file's name and all that it may read."""
    # Of a link it is the folder that it leads to that is read from.
    main = main.resolve()
    total = hashlib.sha256(f"{main.name}\n".encode())
    for path in _files(main.parent):
        name = os.fsencode(path.relative_to(main.parent).as_posix())
        content = path.readlink() if path.is_dir() else file_digest(path)
        total.update(name + os.fsencode(f"\0{content}\n"))
    return total.hexdigest()


def _files(folder: Path) -> Iterator[Path]:
    """Yield the files that LaTeX may read, and links to folders, in a fixed order; none hidden."""
    for root, folders, names in os.walk(folder):
        folders[:] = sorted(name for name in folders if not name.startswith("."))
        yield from (path for name in folders if (path := Path(root, name)).is_symlink())
        for name in sorted(names):
            path = Path(root, name)
            if path.suffix.lower() in _NOT_READ or name.startswith("."):
                continue
            if path.is_file() and path.stat().st_size <= _LARGEST:
                yield path


def _has_class(path: Path) -> bool:
    try:
        with path.open("rb") as file:
            head = file.read(_HEAD)
    except OSError:
        return False
    lines = (line.lstrip() for line in head.split(b"\n"))
    return any(line.startswith((b"\\documentclass", b"\\documentstyle")) for line in lines)
