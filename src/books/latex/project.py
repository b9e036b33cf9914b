"""The files of a LaTeX book: found within its folder only, decoded, each read once at a time."""

from __future__ import annotations

from bisect import bisect_right
from dataclasses import dataclass, field
from pathlib import Path

from src.books.book import Remark
from src.errors import GrambenchError

MOST_REMARKS = 500


@dataclass
class Source:
    """A file of the book: its name within the project, its text, and the starts of its lines."""

    name: str
    text: str
    starts: list[int]

    def line(self, at: int) -> int:
        """Return the 1-based line of an offset."""
        return max(1, bisect_right(self.starts, at))


def source(name: str, text: str) -> Source:
    """Return a file with the starts of its lines."""
    starts = [0]
    at = text.find("\n")
    while at >= 0:
        starts.append(at + 1)
        at = text.find("\n", at + 1)
    return Source(name, text, starts)


@dataclass
class Project:
    """A book's folder. ``pieces`` are the files that were read, in the book's order."""

    main: Path
    pieces: list[str] = field(default_factory=list)
    remarks: list[Remark] = field(default_factory=list)
    unsaid: int = 0
    missing: set[tuple[str, str]] = field(default_factory=set)

    @property
    def root(self) -> Path:
        """The folder that no file may lie outside of."""
        return self.main.resolve().parent

    def remark(self, where: str, what: str, why: str = "") -> None:
        """Keep a remark; beyond a bound they are only counted."""
        if len(self.remarks) < MOST_REMARKS:
            self.remarks.append(Remark(where, what, why))
        else:
            self.unsaid += 1

    def find(self, name: str, folder: str, where: str) -> Path | None:
        """Return the file that an include names, or None with a remark.

        ``folder`` is the folder of the including file within the project: sub-files name theirs
        relative to it, all others to the main file's folder.
        """
        name = name.strip().strip('"')
        if (name, folder) in self.missing:
            self.remark(where, f"{name} is missing", "the rest is read without it")
            return None
        try:
            for base in (self.root, self.root / folder):
                for ending in (".tex", ""):
                    path = Path(f"{base / name}{ending}").resolve()
                    if not path.is_relative_to(self.root):
                        self.remark(where, f"{name} is not read", "it leads outside the folder")
                        return None
                    if path.is_file():
                        return path
        except (OSError, ValueError, RuntimeError) as error:
            self.remark(where, f"{name[:80]!r} is not read", f"it names no file ({error})")
            return None
        self.missing.add((name, folder))
        return self.find(name, folder, where)

    def read(self, path: Path) -> Source:
        """Return a file of the project; what is not UTF-8 is taken as Latin-1, with a remark."""
        name = path.name
        resolved = path.resolve()
        if resolved.is_relative_to(self.root):
            name = resolved.relative_to(self.root).as_posix()
        try:
            data = path.read_bytes()
        except OSError as error:
            raise GrambenchError(f"Cannot read {path}: {error.strerror}.") from error
        try:
            text = data.decode("utf-8-sig")
        except UnicodeDecodeError as error:
            text = data.decode("latin-1")
            line = data[: error.start].count(b"\n") + 1
            self.remark(f"{name}:{line}", "not UTF-8", "the file is read as Latin-1")
        self.pieces.append(name)
        return source(name, text.replace("\r\n", "\n").replace("\r", "\n").translate(_UNWANTED))


# What stands for labels while a book is read must not come from the book.
_UNWANTED = dict.fromkeys([*range(0xFDD0, 0xFDF0), 0], None)
