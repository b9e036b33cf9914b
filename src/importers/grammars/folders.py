"""Which files and LaTeX projects in a folder, at any depth, are grammars."""

from __future__ import annotations

import re
from collections.abc import Collection, Iterator, Sequence
from pathlib import Path

from src.corpus.text import readable
from src.importers.grammars.latex_files import main_files
from src.importers.report import Report

SUFFIXES = (".pdf", ".txt", ".md", ".markdown")
_NOTES = re.compile(r"(readme|licen[cs]e|changelog|contributing)\b.*", re.I)
_FEW = 5
_NOT_TAKEN = "not taken for a grammar"


def books_in(folder: Path, report: Report, known: Collection[Path]) -> Iterator[Path]:
    """Yield files, and folders that are LaTeX projects, by name; the folder itself may be one.

    Folders are entered, except hidden ones, projects, and links, which may lead anywhere. What is
    not taken is noted in the report, except for the ``known`` files (resolved).
    """
    entries, own = _entries(folder), main_files(folder)
    if len(own) == 1 and not _other_books(own[0], entries):
        yield _project(folder, folder, own[0], entries, report)
        return
    # A stack, since folders may be nested deeper than Python's calls.
    waiting = entries[::-1]
    while waiting:
        entry = waiting.pop()
        if not entry.is_dir():
            if [entry] == own or not (why := _why_not(entry)):
                yield entry
            elif not entry.exists() or entry.resolve() not in known:
                report.skipped(_named(entry, folder), _NOT_TAKEN, why)
            continue
        why, within, mains = _look_into(entry)
        if why:
            report.skipped(_named(entry, folder), "folder not entered", why)
        elif mains:
            yield _project(entry, folder, mains[0], within, report)
        else:
            waiting += within[::-1]


def _entries(folder: Path) -> list[Path]:
    return sorted(folder.iterdir(), key=lambda entry: entry.name)


def _named(entry: Path, folder: Path) -> str:
    return readable(entry.relative_to(folder).as_posix())


def _project(
    project: Path, folder: Path, main: Path, entries: Sequence[Path], report: Report
) -> Path:
    """Return a project's folder; PDFs in it that are not its own are noted, pictures perhaps."""
    own = {project.absolute().name.casefold(), main.stem.casefold()}
    for entry in entries:
        is_pdf = entry.suffix.lower() == ".pdf" and not _why_not(entry)
        if is_pdf and entry.stem.casefold() not in own:
            why = f"beside the LaTeX file {main.name}: give it by name if it is a grammar"
            report.skipped(_named(entry, folder), _NOT_TAKEN, why)
    return project


def _other_books(main: Path, entries: Sequence[Path]) -> bool:
    """Tell whether books lie beside a LaTeX file that is not called main.tex."""
    books = [e for e in entries if e.suffix.lower() in SUFFIXES and not _why_not(e)]
    return main.name != "main.tex" and any(book.stem != main.stem for book in books)


def _why_not(file: Path) -> str:
    if not file.exists():
        return "a link that leads nowhere"
    if not file.is_file():
        return "neither a file nor a folder"
    if file.name.startswith("."):
        return "hidden"
    if file.suffix.lower() == ".tex":
        return "LaTeX: give it by name if it is a whole grammar"
    if file.suffix.lower() not in SUFFIXES:
        return f"does not end in {', '.join(SUFFIXES)}"
    if _NOTES.fullmatch(file.stem):
        return "named like a note on the folder: give it by name if it is a grammar"
    return ""


def _look_into(folder: Path) -> tuple[str, list[Path], list[Path]]:
    """Return why a folder is not entered, or ``""``, what lies in it, and a project's main file."""
    if folder.name.startswith("."):
        return "hidden", [], []
    if folder.is_symlink():
        return "a link to a folder: give it by name to read what is in it", [], []
    try:
        entries, mains = _entries(folder), main_files(folder)
    except OSError as error:
        return error.strerror or str(error), [], []
    if len(mains) > 1:
        names = ", ".join(path.name for path in mains[:_FEW])
        return f"several LaTeX documents: give one by name ({names})", [], []
    return "", entries, mains
