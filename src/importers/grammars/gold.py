"""Gold pages from a CSV file: where annotators found a feature described, row by row."""

from __future__ import annotations

import re
from collections.abc import Collection, Mapping, Sequence
from pathlib import Path

from src.corpus.gold_pages import parse_gold
from src.corpus.pages import unique
from src.corpus.text import nfc
from src.importers.foreign import Sheet
from src.importers.grammars.finding import Found
from src.importers.grammars.matching import Names
from src.importers.grammars.near import Hints
from src.importers.grammars.sheets import read_sheet
from src.importers.report import Report
from src.records import Document

Gold = dict[str, dict[str, tuple[int, ...]]]

_COLUMNS = {
    "grammar": ("grammar", "file", "filename", "key", "bibkey", "id"),
    "feature": ("feature",),
    "pages": ("pages", "pdfpages"),
    "printed": ("printedpages",),
    "offset": ("offset",),
}


def read_gold_rows(file: Path, report: Report) -> Sheet | None:
    """Read the file; ``None``, and errors in the report, where it cannot be used."""
    sheet = read_sheet(file, report)
    if sheet is None:
        return None
    columns = _positions(sheet)
    needed = [name for name in ("grammar", "feature") if name not in columns]
    if "pages" not in columns and "printed" not in columns:
        needed.append("pages")
    there = ", ".join(map(repr, sheet.header[:8])) or "nothing"
    for name in needed:
        report.error(sheet.file, f"no column '{name}'", f"the header has {there}")
    return None if needed else sheet


def gold_pages(
    sheet: Sheet,
    found: Sequence[Found],
    documents: Mapping[str, Document],
    features: Collection[str],
    report: Report,
) -> Gold:
    """Return the gold pages by feature and grammar; rows that are not understood are reported.

    Rows for the same grammar and feature, such as one a page, are united.
    ``documents`` are the grammars that were read, ``features`` the ids that Grambench knows;
    others are warned of, and used.
    """
    columns, names, hints = _positions(sheet), Names(found), Hints(features)
    gold: Gold = {}
    strange: set[str] = set()
    for number, row in sheet.rows:
        cells = {name: nfc(row[position]).strip() for name, position in columns.items()}
        one = names.find(cells["grammar"]) if cells["grammar"] else None
        document = documents.get(one.id) if one else None
        feature = cells["feature"]
        if said := _fault(cells, one, document, names):
            report.warning(sheet.file, said[0], said[1], row=number)
            continue
        assert document is not None
        if feature not in features and feature not in strange:
            strange.add(feature)
            why = f"'{feature}': no file in conf/feature has that id.{hints.near(feature)}"
            report.warning(sheet.file, "feature that Grambench does not know", why, row=number)
        pages = _pages(sheet.file, number, cells, document, report)
        if pages is not None:
            of = gold.setdefault(feature, {})
            of[document.grammar] = unique((*of.get(document.grammar, ()), *pages))
    return gold


def _positions(sheet: Sheet) -> dict[str, int]:
    plain = [re.sub(r"[\W_]+", "", name.casefold()) for name in sheet.header]
    return {
        column: next(plain.index(name) for name in names if name in plain)
        for column, names in _COLUMNS.items()
        if any(name in plain for name in names)
    }


def _fault(
    cells: Mapping[str, str], one: Found | None, document: Document | None, names: Names
) -> tuple[str, str] | None:
    """Say why a row cannot count: what, and why; ``None`` where it can."""
    grammar = cells["grammar"]
    if not grammar or not cells["feature"]:
        return "row without a grammar or a feature", ""
    if one is None:
        why = f"'{grammar}'.{names.hint(grammar)}"
        return "gold pages of a grammar that is not there", why
    if document is None:
        return "gold pages of a grammar that could not be read", grammar
    if not document.pages:
        return "gold pages of a grammar that has no pages, left out", f"{document.file}"
    return None


def _pages(
    file: str, number: int, cells: Mapping[str, str], document: Document, report: Report
) -> tuple[int, ...] | None:
    text, offset = cells.get("pages", ""), None
    what = "gold pages that are not understood, left out"
    if text and cells.get("printed", ""):
        report.warning(file, "both pages and printed pages", f"pages {text} are used", row=number)
    if not text and (text := cells.get("printed", "")):
        said = cells.get("offset", "")
        if not re.fullmatch(r"[-+]?\d{1,6}", said):
            why = f"offset '{said}' is not a whole number (PDF page minus printed page)"
            report.warning(file, what, why, row=number)
            return None
        offset = int(said)
    try:
        pages = parse_gold(text, offset)
    except ValueError as error:
        report.warning(file, what, str(error), row=number)
        return None
    if pages and pages[-1] > document.pages:
        why = f"page {pages[-1]}; {document.file} has {document.pages}"
        report.warning(file, "gold page after the last page", why, row=number)
    return pages
