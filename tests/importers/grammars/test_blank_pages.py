from __future__ import annotations

from pathlib import Path

import pytest

from src.books.settings import ParagraphSettings
from src.importers.grammars import Wanted, import_grammars
from src.importers.report import Entry
from tests.importers.grammars.books import dialect
from tests.importers.grammars.pdfs import text_pdf


def noted(tmp_path: Path, pages: int, blank: set[int]) -> list[Entry]:
    """Import a PDF with some blank pages; return what was noted of pages without text."""
    lines = [
        [] if n in blank else [f"In the {dialect(n)} dialect the tone of verbs is high."] * 9
        for n in range(1, pages + 1)
    ]
    path = tmp_path / "sela.pdf"
    path.write_bytes(text_pdf(lines))
    imported = import_grammars(Wanted([path], ParagraphSettings()), tmp_path / "data" / "x", jobs=1)
    entries = imported.landed.report.entries
    assert not any(entry.what == "noted while reading" for entry in entries)
    return [entry for entry in entries if entry.what == "pages without text"]


@pytest.mark.parametrize(
    ("pages", "blank", "level", "why"),
    [
        (21, {6, 12}, "info", "2 of 21 (blank, or a picture without OCR): pages 6, 12"),
        (20, {6, 7}, "warning", "2 of 20 (blank, or a picture without OCR): pages 6-7"),
        (11, {6}, "info", "1 of 11 (blank, or a picture without OCR): page 6"),
        (20, set(), None, None),
    ],
)
def test_blank_pages_are_one_entry_a_book(tmp_path, pages, blank, level, why):
    entries = [(entry.level, entry.file, entry.why) for entry in noted(tmp_path, pages, blank)]
    assert entries == ([(level, "sela.pdf", why)] if why else [])


def test_of_many_blank_pages_the_first_are_named(tmp_path):
    (entry,) = noted(tmp_path, 60, set(range(2, 52, 2)))
    assert entry.why.endswith("36, 38, 40 and 5 more")
