"""The reranker's scores of what was retrieved: Reranker Similarity Scores/<feature>/scores.csv."""

from __future__ import annotations

from collections import Counter
from collections.abc import Mapping, Sequence
from pathlib import PurePosixPath

from src.corpus.cells import finite
from src.corpus.reading import ScoreSet, ScoreTable
from src.corpus.text import nfc
from src.importers.foreign import Sheet, Source
from src.importers.mtob.features import feature_id, rank
from src.importers.mtob.retrieved import Retrieved
from src.importers.report import Report

FOLDER = "Reranker Similarity Scores"

# The reranker that the paper chose for its pipeline (section 4): model, instruct, query.
RERANKER = ("SFR-Embedding-Mistral", "specific", "summary")


def read_similarity(source: Source, retrieved: Retrieved, report: Report) -> ScoreTable:
    """Read the scores of all candidates; a file with a fault is left out."""
    table: ScoreTable = {}
    files = list(source.files(f"{FOLDER}/*/scores.csv"))
    number = Counter(map(_feature, files))
    for file in sorted(files, key=lambda file: rank(_feature(file))):
        sheet = source.sheet(file)
        scores: dict[str, float] = {}
        if sheet is not None:
            scores = _scores(sheet, retrieved.candidates.get(_feature(file), {}), report)
        if number[_feature(file)] > 1:
            report.error(
                file, "scores of the same feature twice", "the folders differ in case only"
            )
        if report.is_bad(file):
            report.skipped(file, "score file left out", "it has errors")
        elif scores:
            table[*RERANKER, _feature(file)] = scores
    for feature in retrieved.candidates:
        if feature not in number:
            report.warning(f"{FOLDER}/", "no recorded scores", f"no file for {feature}")
    return table


def add_scores(
    table: Mapping[ScoreSet, Mapping[str, float]],
    more: Mapping[ScoreSet, Mapping[str, float]],
    report: Report,
) -> ScoreTable:
    """Return the scores of both tables; where they differ the first is right, and it is noted."""
    merged = {key: dict(scores) for key, scores in table.items()}
    for key, scores in more.items():
        there = merged.setdefault(key, {})
        for paragraph, score in scores.items():
            if there.setdefault(paragraph, score) != score:
                why = f"{score} for {paragraph}, but {there[paragraph]} in rerankers_metrics"
                report.warning(f"{FOLDER}/", "another score than of the benchmark", why)
    return merged


def _feature(file: str) -> str:
    return feature_id(PurePosixPath(file).parent.name)


def _scores(
    sheet: Sheet, candidates: Mapping[str, Sequence[str]], report: Report
) -> dict[str, float]:
    columns: dict[str, str] = {}
    for name in sheet.header:
        key = nfc(name).strip().casefold()
        if key in columns:
            why = f"the names differ from '{columns[key]}' in case only"
            report.error(sheet.file, "scores of the same grammar twice", why, column=name)
        columns.setdefault(key, name)
    found: dict[str, float] = {}
    for grammar, ids in candidates.items():
        column = columns.pop(grammar.casefold(), None)
        if column is None:
            report.warning(sheet.file, "no such scores", f"no column for {grammar}")
        else:
            found |= zip(ids, _numbers(sheet, column, len(ids), report), strict=False)
    if columns:
        why = f"{len(columns)} are of grammars without candidates in the clone"
        report.info(sheet.file, "columns not used", why)
    return found


def _numbers(sheet: Sheet, column: str, number: int, report: Report) -> list[float]:
    """Return a column's first numbers, one for each candidate; zeros may follow."""
    fields = sheet.column(column)
    if len(fields) < number:
        why = f"{len(fields)} rows for {number} candidates"
        report.error(sheet.file, "too few scores", why, column=column)
    found = []
    for position, cell in enumerate(fields):
        row = sheet.rows[position][0]
        score = finite(cell)
        if score is None:
            report.error(sheet.file, "no finite score", f"'{cell}'", row, column)
        elif position < number:
            found.append(score)
        elif score != 0:
            why = f"{cell}, but there are only {number} candidates"
            report.error(sheet.file, "a score of no candidate", why, row, column)
    return found
