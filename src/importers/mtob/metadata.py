"""What is known about the grammars: from the ground-truth tables, else from our own facts."""

from __future__ import annotations

import dataclasses
import re

from src.corpus.text import nfc
from src.importers.foreign import Source
from src.importers.mtob.facts import GRAMMARS
from src.importers.report import Report
from src.records import Grammar

_TABLES = ("ground_truth_rag.csv", "ground_truth_rag_number_of_cases.csv")
_FIELDS = {
    "language": "Language",
    "iso": "ISO 639-3",
    "title": "Title",
    "author": "Author",
    "year": "Year",
    "family": "Family",
    "genus": "Genus",
    "macroarea": "Macroarea",
}
# Stems are made by Google Scholar's rule: first author's surname, year, first word of the title.
_STEM = re.compile(r"(\D+)(\d{4})")


def read_metadata(source: Source, stems: list[str], report: Report) -> list[Grammar]:
    """Describe each grammar; what neither table nor our facts know stays empty."""
    tables = _ground_truth(source, report)
    return [_describe(stem, tables.get(stem.casefold()), report) for stem in stems]


def known_facts(stem: str) -> Grammar | None:
    """Find one of the paper's 14 grammars by surname and year, or ``None``."""
    match = _STEM.match(stem.casefold())
    return GRAMMARS.get((match[1], match[2])) if match else None


def _describe(stem: str, row: dict[str, str] | None, report: Report) -> Grammar:
    file = f"rerankers_benchmark/{stem}.csv"
    facts = known_facts(stem)
    if row is None and facts is None:
        report.warning(file, "nothing known about the grammar", "its language stays empty")
        return Grammar(stem, "")
    if row is None and facts is not None:
        report.info(file, "described from Grambench's own facts", "not in the ground truth")
        return dataclasses.replace(facts, id=stem)
    given = {field: value for field, value in (row or {}).items() if value}
    return dataclasses.replace(facts or Grammar("", ""), id=stem, **given)


def _ground_truth(source: Source, report: Report) -> dict[str, dict[str, str]]:
    found: dict[str, dict[str, str]] = {}
    for file in _TABLES:
        if not (source.folder / file).exists():
            report.warning(file, "no such file", "grammars are described from our own facts")
            continue
        sheet = source.sheet(file, ["Filename", "Language"])
        if sheet is None:
            report.skipped(file, "ground truth left out", "it has errors")
            continue
        columns = {field: sheet.optional(name) for field, name in _FIELDS.items()}
        for position, stem in enumerate(sheet.column("Filename")):
            row = {field: nfc(column[position]).strip() for field, column in columns.items()}
            found.setdefault(nfc(stem).strip().casefold(), row)
    return found
