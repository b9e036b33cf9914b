"""Packs written whole: in a temporary folder, which takes the pack's place when it is ready."""

from __future__ import annotations

import shutil
from collections.abc import Iterator, Mapping, Sequence
from contextlib import contextmanager
from dataclasses import dataclass, field
from pathlib import Path

from src.corpus.pages import format_pages, unique
from src.corpus.reading import (
    GRADE_COLUMNS,
    GRAMMAR_COLUMNS,
    SCORE_COLUMNS,
    ScoreSet,
)
from src.corpus.reading_books import CANDIDATE_COLUMNS, DOCUMENT_COLUMNS, GOLD_COLUMNS
from src.corpus.reading_paragraphs import PARAGRAPH_COLUMNS, PLACE_COLUMNS
from src.corpus.reading_replies import PROMPT_COLUMNS, REPLY_COLUMNS
from src.corpus.reading_values import VALUE_COLUMNS
from src.corpus.swapping import exchange, leftover_name, tidy
from src.corpus.tables import Column, write_csv, write_parquet
from src.corpus.yaml_files import write_mapping
from src.errors import GrambenchError
from src.records import Document, Grade, Grammar, Message, Paragraph, RecordedReply


@dataclass(frozen=True)
class PackTables:
    """What a new pack holds; a table without rows is not written.

    ``gold_pages`` are by feature and grammar (no pages: looked for, nothing there);
    ``candidates``, by feature and grammar, the ids of paragraphs, best first; ``values``, by
    feature and grammar, annotations as they stand.
    """

    grammars: Sequence[Grammar]
    paragraphs: Sequence[Paragraph] = ()
    grades: Sequence[Grade] = ()
    queries: Mapping[str, Mapping[str, str]] = field(default_factory=dict)
    scores: Mapping[ScoreSet, Mapping[str, float]] = field(default_factory=dict)
    documents: Sequence[Document] = ()
    gold_pages: Mapping[str, Mapping[str, Sequence[int]]] = field(default_factory=dict)
    candidates: Mapping[str, Mapping[str, Sequence[str]]] = field(default_factory=dict)
    values: Mapping[str, Mapping[str, str]] = field(default_factory=dict)
    replies: Sequence[RecordedReply] = ()
    prompts: Mapping[str, Mapping[str, Sequence[Message]]] = field(default_factory=dict)


def write_tables(folder: Path, tables: PackTables, text_form: str = "parquet") -> None:
    """Write the tables of a pack; the same records give the same bytes.

    ``text_form`` is the form of the paragraphs: ``parquet``, or ``csv`` for packs whose text
    people edit by hand.
    """
    write_csv(folder / "grammars.csv", _columns(tables.grammars, GRAMMAR_COLUMNS))
    if tables.paragraphs:
        _write_paragraphs(folder, tables.paragraphs, text_form)
    if tables.grades:
        write_csv(folder / "grades.csv", _columns(tables.grades, GRADE_COLUMNS))
    if tables.queries:
        write_mapping(
            folder / "queries.yaml", {key: dict(texts) for key, texts in tables.queries.items()}
        )
    if tables.scores:
        write_parquet(folder / "scores.parquet", _score_columns(tables.scores))
    if tables.documents:
        write_csv(folder / "documents.csv", _columns(tables.documents, DOCUMENT_COLUMNS))
    if gold := _gold_rows(tables.gold_pages):
        write_csv(folder / "gold_pages.csv", _transposed(gold, GOLD_COLUMNS))
    if candidates := _candidate_rows(tables.candidates):
        write_parquet(folder / "candidates.parquet", _transposed(candidates, CANDIDATE_COLUMNS))
    _write_answers(folder, tables)


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


def _write_answers(folder: Path, tables: PackTables) -> None:
    if values := _value_rows(tables.values):
        write_csv(folder / "values.csv", _transposed(values, VALUE_COLUMNS))
    if tables.replies:
        write_parquet(folder / "replies.parquet", _columns(tables.replies, REPLY_COLUMNS))
    if prompts := _prompt_rows(tables.prompts):
        write_parquet(folder / "prompts.parquet", _transposed(prompts, PROMPT_COLUMNS))


def _write_paragraphs(folder: Path, paragraphs: Sequence[Paragraph], form: str) -> None:
    places = [name for name in PLACE_COLUMNS if any(getattr(p, name) for p in paragraphs)]
    columns = _columns(paragraphs, [*PARAGRAPH_COLUMNS, *places])
    if form == "csv":
        columns["pages"] = [format_pages(p.pages) for p in paragraphs]
        write_csv(folder / "paragraphs.csv", columns)
    else:
        write_parquet(folder / "paragraphs.parquet", columns)


def _columns(records: Sequence[object], names: Sequence[str]) -> dict[str, Column]:
    return {name: [getattr(record, name) for record in records] for name in names}


def _score_columns(scores: Mapping[ScoreSet, Mapping[str, float]]) -> dict[str, Column]:
    rows = [
        (*key, paragraph, score) for key, of in scores.items() for paragraph, score in of.items()
    ]
    return _transposed(rows, SCORE_COLUMNS)


def _gold_rows(gold: Mapping[str, Mapping[str, Sequence[int]]]) -> list[tuple[str, str, str]]:
    return [
        (feature, grammar, format_pages(unique(pages)))
        for feature, of in gold.items()
        for grammar, pages in of.items()
    ]


def _candidate_rows(
    candidates: Mapping[str, Mapping[str, Sequence[str]]],
) -> list[tuple[str, str]]:
    return [
        (feature, paragraph)
        for feature, of in candidates.items()
        for ranked in of.values()
        for paragraph in ranked
    ]


def _value_rows(values: Mapping[str, Mapping[str, str]]) -> list[tuple[str, str, str]]:
    return [
        (feature, grammar, value) for feature, of in values.items() for grammar, value in of.items()
    ]


def _prompt_rows(
    prompts: Mapping[str, Mapping[str, Sequence[Message]]],
) -> list[tuple[str, str, str, str]]:
    return [
        (feature, grammar, message.role, message.content)
        for feature, of in prompts.items()
        for grammar, messages in of.items()
        for message in messages
    ]


def _transposed(rows: Sequence[tuple[object, ...]], names: Sequence[str]) -> dict[str, Column]:
    return dict(zip(names, zip(*rows, strict=True), strict=True))
