from __future__ import annotations

from src.importers.report import Report, counted


def test_the_summary_has_the_first_case_of_each_kind_the_gravest_first():
    report = Report()
    report.info("a.pdf", "quality", "12 paragraphs")
    report.warning("gold.csv", "not understood", "pages 'passim'\nare not", row=3)
    report.warning("gold.csv", "not understood", "pages 'xii'", row=9)
    report.warning("meta.csv", "row without a file's name", row=5, column="file")
    report.skipped("x.csv", "not taken", "w" * 200)
    report.error("b.pdf", "could not be read", "is empty.")
    assert report.summary() == [
        "error: could not be read, 1 x (b.pdf: is empty.)",
        f"skipped: not taken, 1 x (x.csv: {'w' * 113}...)",
        "warning: not understood, 2 x (e.g. gold.csv, row 3: pages 'passim' are not)",
        "warning: row without a file's name, 1 x (meta.csv, row 5, column 'file')",
        "info: quality, 1 x",
    ]


def test_what_is_counted():
    assert [counted(n, "file") for n in (0, 1, 2)] == ["0 files", "1 file", "2 files"]
