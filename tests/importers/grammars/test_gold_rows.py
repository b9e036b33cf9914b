from __future__ import annotations

from pathlib import Path

import pytest

from src.importers.grammars.finding import Found
from src.importers.grammars.gold import gold_pages, read_gold_rows
from src.importers.report import Report
from src.records import Document

FOUND = [Found(n, Path(n), n, 1) for n in ("tavelo.pdf", "keshrin", "oko", "broken")]
DOCUMENTS = {
    "tavelo.pdf": Document("tavelo.pdf", "tavelo.pdf", "pdf", "", "", pages=400),
    "keshrin": Document("keshrin", "keshrin.txt", "text", "", "", pages=20),
    "oko": Document("oko", "oko/main.tex", "latex", "", ""),
}


def gold(tmp_path, text: str) -> tuple[dict[str, dict[str, tuple[int, ...]]], list[str]]:
    path = tmp_path / "gold.csv"
    path.write_text(text, encoding="utf-8")
    report = Report()
    sheet = read_gold_rows(path, report)
    if sheet is None:
        return {}, [entry.said() for entry in report.entries if entry.level == "error"]
    pages = gold_pages(sheet, FOUND, DOCUMENTS, ["wals_81a", "gb_107"], report)
    return pages, [f"{entry.row}: {entry.said()}" for entry in report.entries]


def test_pages_of_the_pdf_and_printed_pages(tmp_path):
    pages, noted = gold(
        tmp_path,
        "file,feature,PDF Pages,printed_pages,offset\n"
        'tavelo,wals_81a,"33, 388-390",,\n'
        'keshrin,wals_81a,,"2, 4-5",10\n'
        "tavelo.pdf,gb_107,,7,-2\n"
        "keshrin,gb_107,,,\n",
    )
    assert noted == []
    assert pages == {
        "wals_81a": {"tavelo.pdf": (33, 388, 389, 390), "keshrin": (12, 14, 15)},
        "gb_107": {"tavelo.pdf": (5,), "keshrin": ()},
    }


@pytest.mark.parametrize(
    ("row", "said"),
    [
        ("tavelo,wals_81a,passim,,", "gold pages that are not understood, left out"),
        ("tavelo,wals_81a,xii,,", "gold pages that are not understood, left out"),
        ("tavelo,wals_81a,,5,", "offset '' is not a whole number"),
        ("tavelo,wals_81a,,5,about 3", "offset 'about 3' is not a whole number"),
        ("tavelo,wals_81a,,5,-9", "gold pages that are not understood, left out"),
        ("tavelu,wals_81a,5,,", "grammar that is not there ('tavelu'."),
        ("oko,wals_81a,5,,", "has no pages, left out (oko/main.tex)"),
        ("broken,wals_81a,5,,", "grammar that could not be read (broken)"),
        (",wals_81a,5,,", "row without a grammar or a feature"),
        ("tavelo,,5,,", "row without a grammar or a feature"),
    ],
)
def test_a_row_that_cannot_count_is_left_out_and_named(tmp_path, row, said):
    pages, noted = gold(tmp_path, f"id,feature,pages,printed pages,offset\n{row}\n")
    assert pages == {}
    assert len(noted) == 1
    assert noted[0].startswith("2: ")
    assert said in noted[0]


def test_what_is_only_odd_is_used_and_told(tmp_path):
    pages, noted = gold(
        tmp_path,
        "grammar,feature,pages\nkeshrin,wals_81b,21\nkeshrin,wals_81b,3\ntavelo,wals_81b,4\n",
    )
    assert pages == {"wals_81b": {"keshrin": (3, 21), "tavelo.pdf": (4,)}}
    assert noted == [
        "2: feature that Grambench does not know ('wals_81b': no file in conf/feature has that "
        "id. Did you mean 'wals_81a'?)",
        "2: gold page after the last page (page 21; keshrin.txt has 20)",
    ]


def test_pages_of_the_pdf_beat_printed_ones_and_it_is_told(tmp_path):
    pages, noted = gold(
        tmp_path,
        "grammar,feature,pages,printed_pages,offset\nkeshrin,wals_81a,3,4,6\n",
    )
    assert pages == {"wals_81a": {"keshrin": (3,)}}
    assert noted == ["2: both pages and printed pages (pages 3 are used)"]


def test_rows_for_the_same_grammar_and_feature_are_united(tmp_path):
    pages, noted = gold(
        tmp_path,
        "grammar,feature,pages\ntavelo,wals_81a,33\nkeshrin,wals_81a,\ntavelo,gb_107,7\n"
        "tavelo.pdf,wals_81a,11-12\ntavelo,wals_81a,passim\ntavelo,wals_81a,33\n"
        "keshrin,wals_81a,\ntavelo,gb_107,\n",
    )
    assert pages == {
        "wals_81a": {"tavelo.pdf": (11, 12, 33), "keshrin": ()},
        "gb_107": {"tavelo.pdf": (7,)},
    }
    assert [line[:2] for line in noted] == ["6:"]


@pytest.mark.parametrize(
    ("header", "lacks"),
    [("feature,pages", "grammar"), ("file,pages", "feature"), ("file,feature,page", "pages")],
)
def test_a_table_without_a_column_is_an_error(tmp_path, header, lacks):
    _, noted = gold(tmp_path, f"{header}\n")
    assert len(noted) == 1
    assert noted[0].startswith(f"no column '{lacks}'")
