"""Which of the files and folders that were given are grammars."""

from __future__ import annotations

import re
from collections.abc import Collection, Iterable, Sequence
from dataclasses import dataclass
from pathlib import Path

from src.corpus.text import readable
from src.errors import GrambenchError
from src.importers.grammars.folders import SUFFIXES, books_in
from src.importers.grammars.latex_files import main_files, project_size
from src.importers.grammars.near import near_name
from src.importers.report import Report

_FEW = 5


@dataclass(frozen=True, slots=True)
class Found:
    """A grammar's file; ``file`` is how reports name it."""

    id: str
    path: Path
    file: str
    size: int


def find_grammars(
    given: Sequence[Path], report: Report, known: Collection[Path] = ()
) -> list[Found]:
    """Find the grammars among files and folders, in the order given, in folders by name.

    A folder gives the PDFs, texts, Markdown files and LaTeX projects in it, at any depth, or
    itself where it is a project; what else lies there is noted in the report, except for the
    ``known`` files.

    Raises:
        GrambenchError: a file is not there, two would have the same id, or nothing was found.
    """
    there = {path.resolve() for path in known}
    found: dict[Path, Found] = {}
    for path in given:
        for one in _found_in(path, report, there):
            first = found.setdefault(one.path.resolve(), one)
            if first.file != one.file:
                report.skipped(one.file, "the same file under another name", first.file)
    _refuse_doubles(found.values())
    if not found:
        names = ", ".join(map(str, given))
        raise GrambenchError(
            f"There are no grammars in {names}: at no depth is there a file that ends in "
            f"{', '.join(SUFFIXES)}, or a folder with a main.tex. Hidden folders and links to "
            "folders are not entered: give them by name."
        )
    return list(found.values())


def safe_id(name: str) -> str:
    """Make a grammar's id of a file's or folder's name."""
    cleaned = re.sub(r"\s+", "_", readable(name).strip())
    return re.sub(r"[/\\\x00-\x1f\x7f]", "", cleaned) or "grammar"


def _found_in(path: Path, report: Report, known: Collection[Path]) -> Iterable[Found]:
    if path.is_dir():
        return map(_found, books_in(path, report, known))
    if path.is_file():
        return [_found(path)]
    if path.exists():
        raise GrambenchError(f"{path} is neither a file nor a folder.")
    beside = path.parent.iterdir() if path.parent.is_dir() else ()
    hint = near_name(path.name, [one.name for one in beside])
    raise GrambenchError(f"There is no file or folder {path}.{hint}")


def _found(path: Path) -> Found:
    if path.is_dir():
        return _project(path, main_files(path)[0])
    return _tex_file(path) if path.suffix.lower() == ".tex" else _file(path)


def _file(path: Path) -> Found:
    return Found(safe_id(path.stem), path, readable(path.name), path.stat().st_size)


def _tex_file(path: Path) -> Found:
    folder = path.absolute().parent
    if path.name == "main.tex":
        return _project(folder, path)
    return Found(safe_id(path.stem), path, readable(path.name), project_size(folder))


def _project(folder: Path, main: Path) -> Found:
    folder = folder.absolute()
    # Of "." and "..", the name is that of what they stand for.
    name = folder.name if folder.name not in ("", "..") else folder.resolve().name
    return Found(safe_id(name), main, readable(f"{name}/{main.name}"), project_size(folder))


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
