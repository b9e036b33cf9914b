"""The recorded scores: rerankers_metrics/<grammar>.csv, each model's paragraphs best first."""

from __future__ import annotations

import math
import re
from collections import Counter, defaultdict
from collections.abc import Sequence
from dataclasses import dataclass

from src.corpus.reading import ScoreSet, ScoreTable
from src.corpus.text import excerpt, nfc
from src.importers.foreign import Sheet, Source
from src.importers.mtob.benchmark import Benchmark, Candidate, csv_files, stem
from src.importers.report import Report

FOLDER = "rerankers_metrics"

_COLUMN = re.compile(
    r"(?P<model>.+) (?P<instruct>Default|Specific) Instruct(?P<term>: Term Only)? "
    r"(?P<kind>Paragraphs|Cosine Similarity|Relevance Score|NDCG@K)"
)
_NEEDED = ("Paragraphs", "Cosine Similarity", "Relevance Score")
_OWN_ORDER = ("BM25 Paragraphs", "BM25 Relevance Score", "BM25 NDCG@K")


@dataclass(frozen=True)
class Scored:
    """The columns of one score set in one file: texts, scores and grades, best first."""

    key: ScoreSet
    name: str
    texts: Sequence[str]
    scores: Sequence[float]
    grades: Sequence[str]


def read_scores(source: Source, benchmark: Benchmark, feature: str, report: Report) -> ScoreTable:
    """Read the scores of every model, instruct and query; a file with a fault is left out."""
    table: ScoreTable = defaultdict(dict)
    by_name = {grammar.casefold(): grammar for grammar in benchmark.grammars}
    left_out = {grammar.casefold() for grammar in benchmark.left_out}
    files = csv_files(source, FOLDER, report)
    number = Counter(stem(file).casefold() for file in files)
    for file in files:
        name = stem(file).casefold()
        if number[name] > 1:
            report.error(file, "scores of the same grammar twice", "the names differ in case only")
        elif name in left_out:
            report.skipped(file, "score file left out", "its grammar is left out")
        elif name not in by_name:
            report.error(file, "scores of an unknown grammar", "rerankers_benchmark lacks it")
        else:
            found = _read_file(source, file, benchmark.grammars[by_name[name]], feature, report)
            for key, scores in found.items():
                table[key].update(scores)
        if report.is_bad(file):
            report.skipped(file, "score file left out", "it has errors")
    _report_missing(files, benchmark, report)
    _report_gaps(table, benchmark, report)
    return dict(table)


def _read_file(
    source: Source, file: str, candidates: Sequence[Candidate], feature: str, report: Report
) -> ScoreTable:
    sheet = source.sheet(file)
    if sheet is None:
        return {}
    _compare_own_order(sheet, candidates, report)
    sets = _score_sets(sheet, feature, report)
    found = {scored.key: _match(file, scored, candidates, report) for scored in sets}
    if not found and not report.is_bad(file):
        report.error(file, "no scores", "no columns like '<model> Default Instruct Paragraphs'")
    return {} if report.is_bad(file) else found


def _score_sets(sheet: Sheet, feature: str, report: Report) -> list[Scored]:
    columns: dict[tuple[str, str, str], dict[str, str]] = defaultdict(dict)
    for column in sheet.header:
        match = _COLUMN.fullmatch(column)
        if match:
            query = "term" if match["term"] else "summary"
            key = (nfc(match["model"]), match["instruct"].lower(), query)
            columns[key][match["kind"]] = column
        elif column not in _OWN_ORDER:
            report.warning(sheet.file, "unexpected column", "not used", column=column)
    found = []
    for key, names in columns.items():
        missing = [kind for kind in _NEEDED if kind not in names]
        for kind in missing:
            report.error(sheet.file, f"no column '{kind}'", f"for {' / '.join(key)}")
        if missing:
            continue
        texts, numbers, grades = (sheet.column(names[kind]) for kind in _NEEDED)
        scores = _numbers(sheet, names["Cosine Similarity"], numbers, report)
        name = names["Paragraphs"].removesuffix(" Paragraphs")
        found.append(Scored((*key, feature), name, [nfc(t) for t in texts], scores, grades))
    return found


def _numbers(sheet: Sheet, column: str, fields: Sequence[str], report: Report) -> list[float]:
    numbers = []
    for (row, _), field in zip(sheet.rows, fields, strict=True):
        try:
            number = float(field)
        except ValueError:
            number = math.nan
        if not math.isfinite(number):
            report.error(sheet.file, "no finite score", f"'{field}'", row, column)
        numbers.append(number)
    for position in range(1, len(numbers)):
        if numbers[position] > numbers[position - 1]:
            row = sheet.rows[position][0]
            why = "higher than the row before; the scores are used, not the order"
            report.warning(sheet.file, "scores out of order", why, row, column)
    return numbers


def _match(
    file: str, scored: Scored, candidates: Sequence[Candidate], report: Report
) -> dict[str, float]:
    """Give each candidate its score: the k-th row with a text and grade goes to the k-th
    candidate with them.
    """
    waiting: dict[tuple[str, str], list[Candidate]] = defaultdict(list)
    for candidate in candidates:
        waiting[candidate.text, str(candidate.grade)].append(candidate)
    found: dict[str, float] = {}
    strangers = []
    for text, score, grade in zip(scored.texts, scored.scores, scored.grades, strict=True):
        matches = waiting[text, grade.strip().removesuffix(".0")]
        if matches:
            found[matches.pop(0).id] = score
        else:
            strangers.append((text, grade))
    if strangers:
        why = _stranger(strangers, candidates)
        report.error(file, "paragraphs do not match the benchmark's", why, column=scored.name)
    elif len(found) < len(candidates):
        why = f"{len(candidates) - len(found)} of {len(candidates)} candidates have no score"
        report.error(file, "paragraphs do not match the benchmark's", why, column=scored.name)
    return {c.id: found[c.id] for c in candidates if c.id in found}


def _stranger(strangers: Sequence[tuple[str, str]], candidates: Sequence[Candidate]) -> str:
    """Say what is wrong with the first row that matches no candidate."""
    text, grade = strangers[0]
    grades = sorted({candidate.grade for candidate in candidates if candidate.text == text})
    first = f"{len(strangers)} rows match no candidate; the first is {excerpt(text)}"
    if not grades:
        return f"{first}, whose text is not there"
    return f"{first}, graded {grade} here and {', '.join(map(str, grades))} there"


def _compare_own_order(sheet: Sheet, candidates: Sequence[Candidate], report: Report) -> None:
    column = _OWN_ORDER[0]
    if column not in sheet.header:
        return
    texts = [nfc(text) for text in sheet.column(column)]
    if texts != [candidate.text for candidate in candidates]:
        why = "another order than in rerankers_benchmark, whose order is used"
        report.warning(sheet.file, "candidates differ", why, column=column)


def _report_missing(files: Sequence[str], benchmark: Benchmark, report: Report) -> None:
    if not files:
        report.warning(f"{FOLDER}/", "no recorded scores", "no such files in the clone")
        return
    there = {stem(file).casefold() for file in files}
    for grammar in benchmark.grammars:
        if grammar.casefold() not in there:
            report.warning(f"{FOLDER}/{grammar}.csv", "no score file", "the grammar has no scores")


def _report_gaps(table: ScoreTable, benchmark: Benchmark, report: Report) -> None:
    """Note score sets that lack grammars which other sets have."""
    scored = {
        key: {paragraph.rpartition("/")[0] for paragraph in scores} for key, scores in table.items()
    }
    everywhere = Counter(grammar for grammars in scored.values() for grammar in grammars)
    for key, grammars in scored.items():
        for grammar in benchmark.grammars:
            if grammar in everywhere and grammar not in grammars:
                why = f"{' / '.join(key[:3])}, which other grammars have"
                report.warning(f"{FOLDER}/{grammar}.csv", "no such scores", why)
