"""Gold pages from a CSV file: where annotators found a feature described, row by row."""

from __future__ import annotations

import re
from collections.abc import Collection, Mapping, Sequence
from pathlib import Path

from src.corpus.gold_pages import parse_gold
from src.corpus.pages import unique
from src.importers.foreign import Sheet
from src.importers.grammars.feature_rows import ABOUT, FeatureRows, read_rows
from src.importers.grammars.finding import Found
from src.importers.report import Report
from src.records import Document

Gold = dict[str, dict[str, tuple[int, ...]]]

_COLUMNS = {
    **ABOUT,
    "pages": ("pages", "pdfpages"),
    "printed": ("printedpages",),
    "offset": ("offset",),
}
_NEEDED = (("grammar",), ("feature",), ("pages", "printed"))


def read_gold_rows(file: Path, report: Report) -> Sheet | None:
    """Read the file; ``None``, and errors in the report, where it cannot be used."""
    return read_rows(file, _COLUMNS, _NEEDED, report)


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
    about = FeatureRows(found, documents, features, "gold pages", report)
    gold: Gold = {}
    for number, cells, document in about.of(sheet, _COLUMNS):
        if not document.pages:
            what = "gold pages of a grammar that has no pages, left out"
            report.warning(sheet.file, what, document.file, row=number)
            continue
        pages = _pages(sheet.file, number, cells, document, report)
        if pages is not None:
            of = gold.setdefault(cells["feature"], {})
            of[document.grammar] = unique((*of.get(document.grammar, ()), *pages))
    return gold


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
