"""Packs written whole: in a temporary folder, which takes the pack's place when it is ready."""

from __future__ import annotations

import shutil
from collections.abc import Iterator, Mapping, Sequence
from contextlib import contextmanager
from dataclasses import dataclass, field
from pathlib import Path

from src.corpus.pages import format_pages
from src.corpus.reading import (
    GRADE_COLUMNS,
    GRAMMAR_COLUMNS,
    PARAGRAPH_COLUMNS,
    SCORE_COLUMNS,
    ScoreSet,
)
from src.corpus.swapping import exchange, leftover_name, tidy
from src.corpus.tables import Column, write_csv, write_parquet
from src.corpus.yaml_files import write_mapping
from src.errors import GrambenchError
from src.records import Grade, Grammar, Paragraph


@dataclass(frozen=True)
class PackTables:
    """What a new pack holds; a table without rows is not written."""

    grammars: Sequence[Grammar]
    paragraphs: Sequence[Paragraph] = ()
    grades: Sequence[Grade] = ()
    queries: Mapping[str, Mapping[str, str]] = field(default_factory=dict)
    scores: Mapping[ScoreSet, Mapping[str, float]] = field(default_factory=dict)


def write_tables(folder: Path, tables: PackTables, text_form: str = "parquet") -> None:
    """Write the tables of a pack; the same records give the same bytes.

    ``text_form`` is the form of the paragraphs: ``parquet``, or ``csv`` for packs whose text
    people edit by hand.
    """
    write_csv(folder / "grammars.csv", _columns(tables.grammars, GRAMMAR_COLUMNS))
    if tables.paragraphs:
        columns = dict(_columns(tables.paragraphs, PARAGRAPH_COLUMNS))
        if text_form == "csv":
            columns["pages"] = [format_pages(p.pages) for p in tables.paragraphs]
            write_csv(folder / "paragraphs.csv", columns)
        else:
            write_parquet(folder / "paragraphs.parquet", columns)
    if tables.grades:
        write_csv(folder / "grades.csv", _columns(tables.grades, GRADE_COLUMNS))
    if tables.queries:
        write_mapping(
            folder / "queries.yaml", {key: dict(texts) for key, texts in tables.queries.items()}
        )
    if tables.scores:
        write_parquet(folder / "scores.parquet", _score_columns(tables.scores))


@contextmanager
def temporary_pack(folder: Path) -> Iterator[Path]:
    """Yield an empty folder beside ``folder``, and remove it at the end, come what may.

    Leftovers of imports that were killed are removed first. What is wrong with the disk is
    raised as GrambenchError.
    """
    target = folder.resolve()
    if target.exists() and not target.is_dir():
        raise GrambenchError(f"{folder} is a file; a pack needs a folder of that name.")
    try:
        target.parent.mkdir(parents=True, exist_ok=True)
        tidy(target.parent)
        temporary = target.parent / leftover_name("new", target.name)
        temporary.mkdir()
        try:
            yield temporary
        finally:
            shutil.rmtree(temporary, ignore_errors=True)
    except OSError as error:
        reason = error.strerror or str(error)
        raise GrambenchError(f"Cannot write the pack {folder}: {reason}.") from error


def put_in_place(temporary: Path, folder: Path) -> None:
    """Give a finished folder the pack's name; what had that name before is removed.

    At every moment the name belongs to the old pack or to the new one, whole.
    """
    target = folder.resolve()
    if target.exists():
        exchange(temporary, target)
    else:
        temporary.rename(target)


def _columns(records: Sequence[object], names: Sequence[str]) -> dict[str, Column]:
    return {name: [getattr(record, name) for record in records] for name in names}


def _score_columns(scores: Mapping[ScoreSet, Mapping[str, float]]) -> dict[str, Column]:
    rows = [
        (*key, paragraph, score) for key, of in scores.items() for paragraph, score in of.items()
    ]
    return dict(zip(SCORE_COLUMNS, zip(*rows, strict=True), strict=True))
