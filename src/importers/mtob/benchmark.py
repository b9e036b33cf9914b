"""The graded paragraphs: rerankers_benchmark/<grammar>.csv, in the order of BM25."""

from __future__ import annotations

import re
from collections import defaultdict
from dataclasses import dataclass
from pathlib import PurePosixPath

from src.corpus.pages import LAST_PAGE
from src.corpus.text import excerpt, nfc
from src.importers.foreign import Sheet, Source
from src.importers.report import Report

FOLDER = "rerankers_benchmark"

# The paper splits its middle category, and grades 0 to 5 (section 4.1).
ANNOTATIONS = {"0": 0, "1": 1, "2.1": 2, "2.2": 3, "2.3": 4, "3": 5}
_GRADES = ANNOTATIONS | {f"{whole}.0": ANNOTATIONS[whole] for whole in ("0", "1", "3")}
_PAGES = re.compile(r"\[\s*[1-9][0-9]{,8}(\s*,\s*[1-9][0-9]{,8})*\s*\]")


@dataclass(frozen=True, slots=True)
class Candidate:
    """A graded paragraph; its text is NFC."""

    id: str
    text: str
    grade: int
    pages: tuple[int, ...]


@dataclass(frozen=True)
class Benchmark:
    """Each grammar's candidates in order, and the grammars that were left out."""

    grammars: dict[str, list[Candidate]]
    left_out: list[str]


def read_benchmark(source: Source, report: Report) -> Benchmark:
    """Read all grammars; one with a fault is left out whole."""
    files = csv_files(source, FOLDER, report)
    grammars = {file: _read_grammar(source, file, report) for file in files}
    _report_twins(grammars, report)
    benchmark = Benchmark({}, [])
    for file, candidates in grammars.items():
        if report.is_bad(file):
            report.skipped(file, "grammar left out", "it has errors")
            benchmark.left_out.append(stem(file))
        else:
            benchmark.grammars[stem(file)] = candidates
    return benchmark


def csv_files(source: Source, folder: str, report: Report) -> list[str]:
    """Return the CSV files in a folder of the clone; others are noted."""
    files = list(source.files(f"{folder}/*"))
    for file in files:
        if not file.endswith(".csv"):
            report.info(file, "file ignored", "not a CSV file")
    return [file for file in files if file.endswith(".csv")]


def stem(file: str) -> str:
    """Return a file's name without folder and ending: the id of a grammar."""
    return nfc(PurePosixPath(file).stem)


def grade_of(annotation: str) -> int | None:
    """Return the grade 0 to 5 that an annotation stands for; ``None`` where it is none."""
    return _GRADES.get(annotation.strip())


def _read_grammar(source: Source, file: str, report: Report) -> list[Candidate]:
    sheet = source.sheet(file, ["Paragraph", "Annotation"])
    if sheet is None:
        return []
    if not sheet.rows:
        report.error(file, "no paragraphs")
    _compare_ranks(sheet, report)
    fields = zip(
        sheet.rows,
        sheet.column("Paragraph"),
        sheet.column("Annotation"),
        sheet.optional("Relevance Score"),
        strict=True,
    )
    pages = pages_of(sheet, report)
    candidates = []
    for position, ((row, _), raw, annotation, relevance) in enumerate(fields):
        grade = _grade(file, row, annotation, relevance, report)
        text = text_of(file, row, raw, report)
        identity = f"{stem(file)}/{position + 1:03d}"
        candidates.append(Candidate(identity, text, grade, pages[position]))
    return candidates


def _grade(file: str, row: int, annotation: str, relevance: str, report: Report) -> int:
    grade = grade_of(annotation)
    if grade is None:
        why = f"'{annotation}' is none of {', '.join(ANNOTATIONS)}"
        report.error(file, "unknown grade", why, row, "Annotation")
        return 0
    if relevance and relevance not in (str(grade), f"{grade}.0"):
        why = f"{relevance}, but the annotation {annotation} stands for {grade}, which is used"
        report.warning(file, "grades differ", why, row, "Relevance Score")
    return grade


def text_of(file: str, row: int, raw: str, report: Report) -> str:
    """Return a paragraph's text in NFC; an empty one is an error."""
    if not raw.strip():
        report.error(file, "empty paragraph", row=row, column="Paragraph")
    text = nfc(raw)
    if text != raw:
        report.info(file, "text composed to NFC", excerpt(text), row, "Paragraph")
    return text


def pages_of(sheet: Sheet, report: Report) -> list[tuple[int, ...]]:
    """Return each row's pages; none, and a warning, where they are not like ``[545, 546]``."""
    if "Page number" not in sheet.header:
        report.warning(sheet.file, "no column 'Page number'", "its paragraphs have no pages")
    found = []
    for (row, _), text in zip(sheet.rows, sheet.optional("Page number"), strict=True):
        pages = tuple(map(int, re.findall(r"[0-9]{1,9}", text)))
        if _PAGES.fullmatch(text.strip()) and max(pages) <= LAST_PAGE:
            found.append(pages)
            continue
        found.append(())
        if "Page number" in sheet.header:
            why = f"{excerpt(text)} is not like [545, 546]; the paragraph has no pages"
            report.warning(sheet.file, "pages not understood", why, row, "Page number")
    return found


def _compare_ranks(sheet: Sheet, report: Report) -> None:
    ranks = zip(sheet.rows, sheet.optional("BM25 Rank"), strict=True)
    for position, ((row, _), rank) in enumerate(ranks, start=1):
        if rank not in ("", str(position), f"{position}.0"):
            why = f"{rank} in place {position}; the order of the rows is kept"
            report.warning(sheet.file, "rank out of order", why, row, "BM25 Rank")


def _report_twins(grammars: dict[str, list[Candidate]], report: Report) -> None:
    """Note grammars that are there twice: names alike but for case, or the same paragraphs."""
    alike: dict[object, list[str]] = defaultdict(list)
    for file, candidates in grammars.items():
        alike[stem(file).casefold()].append(file)
        if candidates:
            alike[tuple(sorted(candidate.text for candidate in candidates))].append(file)
    for files in alike.values():
        for file in files if len(files) > 1 else []:
            others = ", ".join(other for other in files if other != file)
            report.error(file, "the same grammar twice", f"also in {others}")
