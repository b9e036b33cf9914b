"""Imports the reranking benchmark of From MTEB to MTOB from a clone of its repository."""

from __future__ import annotations

from pathlib import Path

from src.corpus.git import git_revision
from src.corpus.writing import PackTables
from src.errors import GrambenchError
from src.importers.foreign import Source
from src.importers.landing import Landed, land
from src.importers.mtob.benchmark import FOLDER, Benchmark, read_benchmark
from src.importers.mtob.metadata import read_metadata
from src.importers.mtob.queries import read_queries
from src.importers.mtob.scores import read_scores
from src.importers.report import Report
from src.records import Grade, Paragraph

VERSION = 1
FEATURE = "wals_81a"  # the one feature that the benchmark grades paragraphs for

_URL = "https://github.com/al-the-eigenvalue/from-MTEB-to-MTOB"
_LICENCE = (
    "MIT for annotations and scores; CC BY-SA for the queries, summaries of Wikipedia articles; "
    "the grammars' paragraphs stay under their own copyright: do not redistribute"
)


def import_mtob(
    source: Path, folder: Path, *, skip_invalid: bool = False, replace: bool = False
) -> Landed:
    """Read a clone and make the pack ``folder`` of it.

    Raises GrambenchError that lists what is wrong, with nothing written; with
    ``skip_invalid`` a grammar or a score file with a fault is left out whole instead.
    """
    report = Report()
    clone = Source(_checked(source), report)
    benchmark = read_benchmark(clone, report)
    scores = read_scores(clone, benchmark, FEATURE, report)
    queries = read_queries(clone, report)
    grammars = read_metadata(clone, list(benchmark.grammars), report)
    if not skip_invalid:
        report.problems().raise_any(
            f"Nothing was imported from {source}",
            "Put these files right, or leave out what they spoil with --skip-invalid.",
        )
    if not grammars:
        report.problems().raise_any(
            f"{source} has no grammar without a fault", "Nothing was imported."
        )
    tables = PackTables(grammars, *_paragraphs(benchmark), queries, scores)
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


def _paragraphs(benchmark: Benchmark) -> tuple[list[Paragraph], list[Grade]]:
    paragraphs: list[Paragraph] = []
    grades: list[Grade] = []
    for grammar, candidates in benchmark.grammars.items():
        for candidate in candidates:
            paragraphs.append(Paragraph(candidate.id, grammar, candidate.text, candidate.pages))
            grades.append(Grade(FEATURE, candidate.id, candidate.grade))
    return paragraphs, grades
