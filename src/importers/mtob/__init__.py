"""Imports the benchmarks of From MTEB to MTOB from a clone of its repository."""

from __future__ import annotations

from collections.abc import Mapping
from pathlib import Path
from typing import TypeVar

from src.corpus.git import git_revision
from src.corpus.writing import PackTables
from src.errors import GrambenchError
from src.importers.foreign import Source
from src.importers.landing import Landed, land
from src.importers.mtob.benchmark import FOLDER, Benchmark, read_benchmark
from src.importers.mtob.ground_truth import TABLES, GroundTruth, read_ground_truth
from src.importers.mtob.metadata import describe
from src.importers.mtob.prompts import read_prompts
from src.importers.mtob.queries import read_queries
from src.importers.mtob.replies import read_replies
from src.importers.mtob.retrieved import Retrieved, read_retrieved
from src.importers.mtob.scores import read_scores
from src.importers.mtob.similarity import add_scores, read_similarity
from src.importers.report import Report
from src.records import Grade, Paragraph

VERSION = 3
FEATURE = "wals_81a"  # the one feature that the benchmark grades paragraphs for

Cell = TypeVar("Cell")

_URL = "https://github.com/al-the-eigenvalue/from-MTEB-to-MTOB"
_LICENCE = (
    "MIT for annotations, scores and prompts, and for the replies, output of OpenAI's models that "
    "the authors released under it; CC BY-SA for the queries, summaries of Wikipedia articles, "
    "and where the prompts have them; the grammars' paragraphs stay under their own copyright: do "
    "not redistribute"
)


def import_mtob(
    source: Path, folder: Path, *, skip_invalid: bool = False, replace: bool = False
) -> Landed:
    """Read a clone and make the pack ``folder`` of it.

    Raises GrambenchError that lists what is wrong, with nothing written; with
    ``skip_invalid`` a grammar, or a file of candidates, scores, replies or prompts, with a fault
    is left out whole instead.
    """
    report = Report()
    clone = Source(_checked(source), report)
    benchmark = read_benchmark(clone, report)
    tables = _read(clone, benchmark, report)
    if not skip_invalid:
        report.problems().raise_any(
            f"Nothing was imported from {source}",
            "Put these files right, or leave out what they spoil with --skip-invalid.",
        )
    if not benchmark.grammars:
        report.problems().raise_any(
            f"{source} has no grammar without a fault", "Nothing was imported."
        )
    about = {
        "origin": "from-MTEB-to-MTOB",
        "url": _URL,
        "licence": _LICENCE,
        "redistribute": False,
        "revision": git_revision(source),
        "digest": clone.digest(),
        "importer": "mtob",
        "importer_version": VERSION,
    }
    return land(folder, tables, about, report, replace)


def _checked(source: Path) -> Path:
    if not source.is_dir():
        raise GrambenchError(f"{source} is not a folder. Clone {_URL} and give its folder.")
    if not any((source / FOLDER).glob("*.csv")):
        above = source.resolve().parent
        hint = f" Do you mean {above}?" if source.resolve().name == FOLDER else ""
        raise GrambenchError(f"{source} is no clone of {_URL}: it has no {FOLDER}/*.csv.{hint}")
    return source


def _read(clone: Source, benchmark: Benchmark, report: Report) -> PackTables:
    scores = read_scores(clone, benchmark, FEATURE, report)
    queries = read_queries(clone, report)
    truth = read_ground_truth(clone, report).without(benchmark.left_out)
    names = truth.names | {grammar.casefold(): grammar for grammar in benchmark.grammars}
    retrieved = read_retrieved(clone, benchmark, names, report)
    scores = add_scores(scores, read_similarity(clone, retrieved, report), report)
    grammars = describe(_files(benchmark, truth, retrieved, names), truth, report)
    gold = _by_grammar(truth.gold, names)
    known = {key: names[key] for key in truth.names}
    graded, grades = _paragraphs(benchmark)
    return PackTables(
        grammars,
        [*graded, *retrieved.paragraphs],
        grades,
        queries,
        scores,
        gold_pages=gold,
        candidates=retrieved.candidates,
        values=_by_grammar(truth.values, names),
        replies=read_replies(clone, truth, known, report),
        prompts=read_prompts(clone, truth, known, report),
    )


def _by_grammar(
    table: Mapping[str, Mapping[str, Cell]], names: Mapping[str, str]
) -> dict[str, dict[str, Cell]]:
    return {
        feature: {names[key]: cell for key, cell in of.items()} for feature, of in table.items()
    }


def _files(
    benchmark: Benchmark, truth: GroundTruth, retrieved: Retrieved, names: Mapping[str, str]
) -> dict[str, str]:
    """Return all grammars, the graded ones first, each with a file that it is in."""
    files = {grammar: f"{FOLDER}/{grammar}.csv" for grammar in benchmark.grammars}
    for key in truth.names:
        files.setdefault(names[key], TABLES[0])
    return files | {name: file for name, file in retrieved.files.items() if name not in files}


def _paragraphs(benchmark: Benchmark) -> tuple[list[Paragraph], list[Grade]]:
    paragraphs: list[Paragraph] = []
    grades: list[Grade] = []
    for grammar, candidates in benchmark.grammars.items():
        for candidate in candidates:
            paragraphs.append(Paragraph(candidate.id, grammar, candidate.text, candidate.pages))
            grades.append(Grade(FEATURE, candidate.id, candidate.grade))
    return paragraphs, grades
