"""Small LaTeX projects for tests."""

from __future__ import annotations

from pathlib import Path

from src.books.book import Book
from src.books.latex import read_latex

BOOK = "\\documentclass{langscibook}\n\\begin{document}\n%s\n\\end{document}\n"


def project(folder: Path, main: str, **files: str) -> Path:
    """Write a project; a file's name has __ for a slash and gets .tex."""
    folder.mkdir(parents=True, exist_ok=True)
    for name, text in files.items():
        path = folder / (name.replace("__", "/") + ".tex")
        path.parent.mkdir(parents=True, exist_ok=True)
        path.write_text(text, encoding="utf-8", newline="")
    path = folder / "main.tex"
    path.write_text(main, encoding="utf-8", newline="")
    return path


def read(folder: Path, text: str, **files: str) -> Book:
    """Read ``text`` as a fragment: a file without a class."""
    return read_latex(project(folder, text, **files))


def book(folder: Path, text: str, **files: str) -> Book:
    """Read ``text`` as the document of a langsci book."""
    return read_latex(project(folder, BOOK % text, **files))


def blocks(made: Book) -> list[tuple[str, str]]:
    """Return kinds and texts."""
    return [(block.kind, block.text) for block in made.blocks]


def remarks(made: Book) -> list[tuple[str, str]]:
    """Return where and what was remarked."""
    return [(remark.where, remark.what) for remark in made.remarks]
