"""The tables of a pack, read into records and checked row by row."""

from __future__ import annotations

import dataclasses
from pathlib import Path
from typing import Any

from src.corpus import cells
from src.corpus.cells import Known
from src.corpus.digest import table_files
from src.corpus.problems import Problems
from src.corpus.tables import read_table
from src.corpus.text import nfc
from src.corpus.yaml_files import read_mapping
from src.records import Grammar

ScoreSet = tuple[str, str, str, str]
Grades = dict[str, dict[str, int]]
Queries = dict[str, dict[str, str]]
ScoreTable = dict[ScoreSet, dict[str, float]]

GRAMMAR_COLUMNS = [field.name for field in dataclasses.fields(Grammar)]
GRADE_COLUMNS = ["feature", "paragraph", "grade"]
SCORE_COLUMNS = ["model", "instruct", "query", "feature", "paragraph", "score"]
GRADES = range(6)

_SOURCE = "SOURCE.yaml"
_NO_SOURCE = """missing file. Write into it where the data come from, such as
      origin: my own annotations
      url: https://example.org/my-data
      licence: CC BY 4.0"""


def read_source(folder: Path, problems: Problems) -> dict[str, Any]:
    """Read SOURCE.yaml, which every pack must have."""
    path = folder / _SOURCE
    if not path.exists() and not path.is_symlink():
        problems.add(_SOURCE, _NO_SOURCE)
        return {}
    return _mapping(folder, _SOURCE, problems)


def read_grammars(folder: Path, problems: Problems) -> dict[str, Grammar] | None:
    """Read the grammars by id, in the table's order; ``None`` where there is no such table."""
    table = read_table(folder, "grammars", ["id", "language"], problems)
    if table is None:
        if not table_files(folder, "grammars"):
            problems.add("grammars.csv", "missing file")
        return None
    cells.misspelt(table, GRAMMAR_COLUMNS, problems)
    found: dict[str, Grammar] = {}
    columns = [name for name in GRAMMAR_COLUMNS if name in table.columns]
    for index, row in cells.rows(table, columns):
        values = dict(zip(columns, map(cells.string, row), strict=True))
        cells.new_id(table, index, values["id"], found, problems)
        found[values["id"]] = Grammar(**values)
    if not found:
        problems.add(table.file, "no grammars")
    return found


def read_grades(folder: Path, paragraphs: Known, problems: Problems) -> Grades:
    """Read the grades: feature -> paragraph -> grade, in candidate order."""
    table = read_table(folder, "grades", GRADE_COLUMNS, problems)
    found: Grades = {}
    if table is None:
        return found
    for index, row in cells.rows(table, GRADE_COLUMNS):
        feature, key = (cells.string(cell) for cell in row[:2])
        grade = _grade(row[2])
        if grade is None:
            problems.add(
                table.where(index), f"grade '{row[2]}' is not a whole number from 0 to 5 ('{key}')"
            )
            continue
        if not feature:
            problems.add(table.where(index), "no feature")
        cells.known(table, index, "paragraph", key, paragraphs, problems)
        graded = found.setdefault(feature, {})
        if key in graded:
            problems.add(table.where(index), f"paragraph '{key}' is graded twice for {feature}")
        graded[key] = grade
    return found


def read_queries(folder: Path, problems: Problems) -> Queries:
    """Read the queries: feature -> name -> text."""
    found: Queries = {}
    if not table_files(folder, "queries"):
        return found
    for feature, texts in _mapping(folder, "queries.yaml", problems).items():
        where = f"queries.yaml, key '{feature}'"
        if not isinstance(texts, dict):
            problems.add(where, "not a mapping of query names to texts")
            continue
        for name, text in texts.items():
            if not isinstance(text, str) or not text.strip():
                problems.add(f"{where}, '{name}'", "not a text")
            else:
                found.setdefault(nfc(str(feature)), {})[nfc(str(name))] = nfc(text)
    return found


def read_scores(folder: Path, paragraphs: Known, problems: Problems) -> ScoreTable:
    """Read recorded scores: (model, instruct, query, feature) -> paragraph -> score."""
    table = read_table(folder, "scores", SCORE_COLUMNS, problems)
    found: ScoreTable = {}
    if table is None:
        return found
    for index, row in cells.rows(table, SCORE_COLUMNS):
        model, instruct, query, feature, key = (cells.string(cell) for cell in row[:5])
        score = cells.finite(row[5])
        if score is None:
            problems.add(table.where(index), f"score '{row[5]}' is not a finite number ('{key}')")
            continue
        cells.known(table, index, "paragraph", key, paragraphs, problems)
        scores = found.setdefault((model, instruct, query, feature), {})
        if key in scores:
            problems.add(table.where(index), f"paragraph '{key}' has two scores of {model}")
        scores[key] = score
    return found


def _mapping(folder: Path, name: str, problems: Problems) -> dict[str, Any]:
    path = folder / name
    if not path.resolve().is_relative_to(folder.resolve()):
        problems.add(name, "leads out of the pack's folder")
        return {}
    try:
        return read_mapping(path)
    except FileNotFoundError:
        problems.add(name, "missing file")
    except (OSError, ValueError) as error:
        problems.add(name, str(error))
    return {}


def _grade(cell: Any) -> int | None:
    if isinstance(cell, str):
        return int(cell) if len(cell) == 1 and cell in "012345" else None
    return cell if type(cell) is int and cell in GRADES else None
