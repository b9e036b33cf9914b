"""Which of the files and folders that were given are grammars."""

from __future__ import annotations

import re
from collections.abc import Collection, Iterable, Sequence
from dataclasses import dataclass
from pathlib import Path

from src.corpus.text import nfc
from src.errors import GrambenchError, suggest
from src.importers.grammars.latex_files import main_files, project_size
from src.importers.report import Report

SUFFIXES = (".pdf", ".txt", ".md", ".markdown")
_NOTES = re.compile(r"(readme|licen[cs]e|changelog|contributing)\b.*", re.I)
_FEW = 5


@dataclass(frozen=True, slots=True)
class Found:
    """A grammar's file; ``file`` is how reports name it, ``project`` the folder of LaTeX files."""

    id: str
    path: Path
    file: str
    size: int
    project: Path | None = None


def find_grammars(
    given: Sequence[Path], report: Report, known: Collection[Path] = ()
) -> list[Found]:
    """Find the grammars among files and folders, in the order given, in folders by name.

    A folder gives its PDFs, texts and Markdown files, and the LaTeX projects one level down, or
    itself where it is one; what else lies there is noted in the report, except for the
    ``known`` files.

    Raises:
        GrambenchError: a file is not there, two would have the same id, or nothing was found.
    """
    there = {path.resolve() for path in known}
    found: dict[Path, Found] = {}
    for path in given:
        for one in _found_in(path, report, there):
            found.setdefault(one.path.resolve(), one)
    _refuse_doubles(found.values())
    if not found:
        names = ", ".join(map(str, given))
        raise GrambenchError(
            f"There are no grammars in {names}: no file that ends in {', '.join(SUFFIXES)}, and "
            "no folder with a main.tex."
        )
    return list(found.values())


def safe_id(name: str) -> str:
    """Make a grammar's id of a file's or folder's name."""
    cleaned = re.sub(r"\s+", "_", nfc(name).strip())
    return re.sub(r"[/\\\x00-\x1f\x7f]", "", cleaned) or "grammar"


def _found_in(path: Path, report: Report, known: Collection[Path]) -> Iterable[Found]:
    if path.is_dir():
        return _in_folder(path, report, known)
    if path.is_file():
        return [_tex_file(path) if path.suffix.lower() == ".tex" else _file(path)]
    beside = path.parent.iterdir() if path.parent.is_dir() else ()
    raise GrambenchError(
        f"There is no file or folder {path}.{suggest(path.name, [one.name for one in beside])}"
    )


def _in_folder(folder: Path, report: Report, known: Collection[Path]) -> Iterable[Found]:
    entries = sorted(folder.iterdir(), key=lambda entry: entry.name)
    own = main_files(folder)
    if len(own) == 1 and not _other_books(own[0], entries):
        return [_project(folder, own[0])]
    found = []
    for entry in entries:
        if entry.is_file() and [entry] == own:
            found.append(_tex_file(entry))
        elif entry.is_file() and not _why_not(entry):
            found.append(_file(entry))
        elif entry.is_dir() and not _why_no_project(entry):
            found.append(_project(entry, main_files(entry)[0]))
        elif entry.resolve() not in known:
            why = _why_no_project(entry) if entry.is_dir() else _why_not(entry)
            report.skipped(entry.name, "not taken for a grammar", why)
    return found


def _other_books(main: Path, entries: Sequence[Path]) -> bool:
    """Tell whether books lie beside a LaTeX file that is not called main.tex."""
    books = [e for e in entries if e.suffix.lower() in SUFFIXES and not _why_not(e)]
    return main.name != "main.tex" and any(book.stem != main.stem for book in books)


def _why_not(file: Path) -> str:
    if not file.exists():
        return "a link that leads nowhere"
    if file.name.startswith("."):
        return "hidden"
    if file.suffix.lower() == ".tex":
        return "LaTeX: give it by name if it is a whole grammar"
    if file.suffix.lower() not in SUFFIXES:
        return f"does not end in {', '.join(SUFFIXES)}"
    if _NOTES.fullmatch(file.stem):
        return "named like a note on the folder: give it by name if it is a grammar"
    return ""


def _why_no_project(folder: Path) -> str:
    if folder.name.startswith("."):
        return "hidden"
    mains = main_files(folder)
    if len(mains) == 1:
        return ""
    if mains:
        names = ", ".join(path.name for path in mains[:_FEW])
        return f"a folder with several LaTeX documents: give one by name ({names})"
    return "a folder without main.tex; give it by name to read the files in it"


def _file(path: Path) -> Found:
    return Found(safe_id(path.stem), path, nfc(path.name), path.stat().st_size)


def _tex_file(path: Path) -> Found:
    folder = path.absolute().parent
    if path.name == "main.tex":
        return _project(folder, path)
    return Found(safe_id(path.stem), path, nfc(path.name), project_size(folder), folder)


def _project(folder: Path, main: Path) -> Found:
    folder = folder.absolute()
    # Of "." and "..", the name is that of what they stand for.
    name = folder.name if folder.name not in ("", "..") else folder.resolve().name
    return Found(safe_id(name), main, nfc(f"{name}/{main.name}"), project_size(folder), folder)


def _refuse_doubles(found: Iterable[Found]) -> None:
    by_id: dict[str, list[Found]] = {}
    for one in found:
        by_id.setdefault(one.id, []).append(one)
    doubles = {key: same for key, same in by_id.items() if len(same) > 1}
    if not doubles:
        return
    lines = [
        f"  {key}: {' and '.join(str(one.path) for one in same)}"
        for key, same in list(doubles.items())[:_FEW]
    ]
    if len(doubles) > _FEW:
        lines.append(f"  ... and {len(doubles) - _FEW} more")
    first = next(iter(doubles.values()))[0]
    raise GrambenchError(
        "Grammars are called after their files, and some files would have the same name:\n"
        + "\n".join(lines)
        + f"\nName those that you want instead of their folder, e.g. {first.path}, or rename some."
    )
