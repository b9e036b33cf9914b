from __future__ import annotations

import pytest

from src.importers.grammars.finding import Found
from src.importers.grammars.values import gold_values, read_value_rows
from src.importers.report import Report
from src.records import Document
from tests.importers.grammars.test_gold_rows import DOCUMENTS, FOUND

FEATURES = ["wals_81a", "wals_116a"]


def values(
    tmp_path, text: str, found: list[Found] = FOUND, documents: dict[str, Document] = DOCUMENTS
) -> tuple[dict[str, dict[str, str]], list[str]]:
    path = tmp_path / "values.csv"
    path.write_text(text, encoding="utf-8")
    report = Report()
    sheet = read_value_rows(path, report)
    if sheet is None:
        return {}, [entry.said() for entry in report.entries if entry.level == "error"]
    read = gold_values(sheet, found, documents, FEATURES, report)
    return read, [f"{entry.level} {entry.row}: {entry.said()}" for entry in report.entries]


def test_values_are_the_annotations_of_grammars_by_any_of_their_names(tmp_path):
    read, noted = values(
        tmp_path,
        "Feature;File;Value\n"
        "wals_81a;tavelo; No dominant order \n"
        # A grammar without pages has a value all the same.
        "wals_81a;oko;SOV\n"
        "wals_116a;keshrin.txt;Tone\n"
        "wals_116a;tavelo.pdf;Clause-initial question particle, Tone\n",
        [*FOUND[:1], Found("keshrin", FOUND[1].path / "keshrin.txt", "keshrin.txt", 1), FOUND[2]],
    )
    assert noted == []
    assert read == {
        "wals_81a": {"tavelo.pdf": "No dominant order", "oko": "SOV"},
        "wals_116a": {"keshrin": "Tone", "tavelo.pdf": "Clause-initial question particle, Tone"},
    }


@pytest.mark.parametrize(
    ("row", "said"),
    [
        ("tavelo,wals_81a,", "row without a value, left out"),
        ("tavelu,wals_81a,SOV", "values of a grammar that is not there ('tavelu'. Did you mean"),
        ("broken,wals_81a,SOV", "values of a grammar that could not be read (broken)"),
        (",wals_81a,SOV", "row without a grammar or a feature"),
        ("tavelo,,SOV", "row without a grammar or a feature"),
    ],
)
def test_a_row_that_cannot_count_is_left_out_and_named(tmp_path, row, said):
    read, noted = values(tmp_path, f"grammar,feature,value\n{row}\n")
    assert read == {}
    assert len(noted) == 1
    assert noted[0].startswith(f"warning 2: {said}")


def test_a_second_value_is_left_out_unless_it_is_the_same(tmp_path):
    read, noted = values(
        tmp_path,
        "grammar,feature,value\ntavelo,wals_81a,SOV\ntavelo.pdf,wals_81a,SOV\noko,wals_81a,SVO\n"
        "tavelo,wals_81a,SVO\n",
    )
    assert read == {"wals_81a": {"tavelo.pdf": "SOV", "oko": "SVO"}}
    assert noted == [
        "warning 5: another value of the same feature, left out ('SVO' for tavelo.pdf, which has "
        "'SOV' above)"
    ]


def test_an_unknown_feature_is_told_once_and_used(tmp_path):
    read, noted = values(tmp_path, "grammar,feature,value\nkeshrin,wals_81b,x\ntavelo,wals_81b,y\n")
    assert read == {"wals_81b": {"keshrin": "x", "tavelo.pdf": "y"}}
    assert noted == [
        "warning 2: feature that Grambench does not know ('wals_81b': no file in conf/feature "
        "has that id. Did you mean 'wals_81a'?)"
    ]


@pytest.mark.parametrize(
    ("header", "lacks"),
    [("feature,value", "grammar"), ("file,value", "feature"), ("file,feature,wert", "value")],
)
def test_a_table_without_a_column_is_an_error(tmp_path, header, lacks):
    _, noted = values(tmp_path, f"{header}\n")
    assert len(noted) == 1
    assert noted[0].startswith(f"no column '{lacks}'")
