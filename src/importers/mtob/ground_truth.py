"""The ground-truth tables: who describes which language, the features' values and their pages."""

from __future__ import annotations

import re
from collections import defaultdict
from collections.abc import Collection
from dataclasses import dataclass, field

from src.corpus.gold_pages import parse_gold
from src.corpus.text import nfc
from src.importers.foreign import Sheet, Source
from src.importers.mtob.features import feature_id
from src.importers.mtob.values import Line, Values, add_values, lines_of, value_columns
from src.importers.report import Report

TABLES = ("ground_truth_rag.csv", "ground_truth_rag_number_of_cases.csv")

_FIELDS = {
    "language": "Language",
    "iso": "ISO 639-3",
    "title": "Title",
    "author": "Author",
    "year": "Year",
    "family": "Family",
    "genus": "Genus",
    "macroarea": "Macroarea",
    "pages": "Pages",
}
_PAGES = re.compile(r"(?P<feature>.+):\s*PDF Pages\s*", re.IGNORECASE)


@dataclass(frozen=True)
class GroundTruth:
    """What the tables say; keys are the grammars' file names in small letters.

    ``names`` are the file names as they stand, ``facts`` the fields of a Grammar and the
    number of pages, by name, ``gold`` feature -> grammar -> PDF pages; no pages are pages that
    nobody found. ``values`` are feature -> grammar -> annotation, ``lines`` the rows of the table
    that has the feature.
    """

    names: dict[str, str] = field(default_factory=dict)
    facts: dict[str, dict[str, str]] = field(default_factory=dict)
    gold: dict[str, dict[str, tuple[int, ...]]] = field(default_factory=lambda: defaultdict(dict))
    values: Values = field(default_factory=dict)
    lines: dict[str, list[Line]] = field(default_factory=dict)

    def without(self, grammars: Collection[str]) -> GroundTruth:
        """Return what is said of all other grammars."""
        out = {grammar.casefold() for grammar in grammars}
        return GroundTruth(
            {key: name for key, name in self.names.items() if key not in out},
            {key: facts for key, facts in self.facts.items() if key not in out},
            {
                feature: {key: pages for key, pages in gold.items() if key not in out}
                for feature, gold in self.gold.items()
            },
            {
                feature: {key: value for key, value in values.items() if key not in out}
                for feature, values in self.values.items()
            },
            self.lines,
        )


def read_ground_truth(source: Source, report: Report) -> GroundTruth:
    """Read both tables; where they disagree the first one wins, and it is noted."""
    truth = GroundTruth()
    for file in TABLES:
        if not (source.folder / file).exists():
            report.warning(file, "no such file", "grammars are described from our own facts")
            continue
        sheet = source.sheet(file, ["Filename", "Language"])
        if sheet is None:
            report.skipped(file, "ground truth left out", "it has errors")
            continue
        rows = _keys(sheet, truth, report)
        _add_facts(sheet, rows, truth, report)
        _add_gold(sheet, rows, truth, report)
        add_values(sheet, rows, truth.values, report)
        for feature in value_columns(sheet):
            truth.lines.setdefault(feature, lines_of(sheet, rows))
    return truth


def _keys(sheet: Sheet, truth: GroundTruth, report: Report) -> dict[int, str]:
    """Return the grammar of each position in the sheet; a second row of one is left out."""
    found: dict[int, str] = {}
    for position, name in enumerate(sheet.column("Filename")):
        stem, row = nfc(name).strip(), sheet.rows[position][0]
        key = stem.casefold()
        if not key:
            report.warning(sheet.file, "row left out", "no file name", row, "Filename")
        elif key in found.values():
            why = f"a row of {stem} stands above it"
            report.warning(sheet.file, "row left out", why, row, "Filename")
        else:
            found[position] = key
            truth.names.setdefault(key, stem)
    return found


def _add_facts(sheet: Sheet, rows: dict[int, str], truth: GroundTruth, report: Report) -> None:
    columns = {name: sheet.optional(column) for name, column in _FIELDS.items()}
    for position, key in rows.items():
        facts = truth.facts.setdefault(key, {})
        for name, cells in columns.items():
            value = nfc(cells[position]).strip()
            if value and facts.setdefault(name, value) != value:
                why = f"'{value}', but '{facts[name]}' in {TABLES[0]}, which is used"
                row = sheet.rows[position][0]
                report.warning(sheet.file, "described in two ways", why, row, _FIELDS[name])


def _add_gold(sheet: Sheet, rows: dict[int, str], truth: GroundTruth, report: Report) -> None:
    columns = [(column, match) for column in sheet.header if (match := _PAGES.fullmatch(column))]
    if not columns:
        report.warning(sheet.file, "no gold pages", "no columns like 'WALS 81A: PDF Pages'")
    for column, match in columns:
        cells = sheet.column(column)
        gold = truth.gold[feature_id(match["feature"])]
        for position, key in rows.items():
            row = sheet.rows[position][0]
            try:
                pages = parse_gold(cells[position])
            except ValueError as error:
                why = f"{error}; the cell is not used"
                report.warning(sheet.file, "gold pages not understood", why, row, column)
                continue
            if gold.setdefault(key, pages) != pages:
                why = f"'{cells[position]}'; those of {TABLES[0]} are used"
                report.warning(sheet.file, "gold pages differ", why, row, column)
