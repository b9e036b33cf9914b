from __future__ import annotations

from pathlib import Path

import pytest

from src.importers.grammars.finding import Found
from src.importers.grammars.metadata import read_metadata
from src.importers.report import Report

FOUND = [Found(name, Path(f"{name}.pdf"), f"{name}.pdf", 1) for name in ("tavelo", "keshrin")]


def read(tmp_path, text: str) -> tuple[dict[str, dict[str, str]], list[tuple[str, int | None]]]:
    path = tmp_path / "meta.csv"
    path.write_bytes(text.encode())
    report = Report()
    known = read_metadata(path, FOUND, report)
    noted = [(f"{e.level}: {e.said()}", e.row) for e in report.entries]
    assert all(entry.file == "meta.csv" for entry in report.entries)
    return known, noted


def test_columns_by_their_own_names_and_empty_cells(tmp_path):
    known, noted = read(
        tmp_path,
        "file,language,glottocode,iso,family,genus,macroarea,title,author,year,licence\n"
        'tavelo.pdf,Tavelo,tave1234,tvl,Tav,West,Papunesia,A grammar,"Orr, Ann",1999,CC0\n'
        "keshrin,Keshrin,,,,,,,,,\n",
    )
    assert noted == []
    assert known == {
        "tavelo": {
            "language": "Tavelo", "glottocode": "tave1234", "iso": "tvl", "family": "Tav",
            "genus": "West", "macroarea": "Papunesia", "title": "A grammar",
            "author": "Orr, Ann", "year": "1999", "licence": "CC0",
        },
        "keshrin": {"language": "Keshrin"},
    }  # fmt: skip


def test_columns_as_mtobs_ground_truth_has_them(tmp_path):
    known, noted = read(
        tmp_path,
        "ISO 639-3,Language,Filename,WALS 81A,Title,Macroarea\r\n"
        "tvl,Tavelo,tavelo,SOV,T,Africa\r\nkes,Keshrin,Keshrin,SVO,K,Eurasia\r\n",
    )
    assert known["tavelo"] == {
        "iso": "tvl", "language": "Tavelo", "title": "T", "macroarea": "Africa"
    }  # fmt: skip
    assert known["keshrin"]["language"] == "Keshrin"
    assert noted == [("warning: unknown column, not read", None)]


def test_what_is_odd_is_a_warning_with_its_row(tmp_path):
    _, noted = read(
        tmp_path,
        "key,langage,Glottocode,iso\n"
        "tavelo,Tavelo,Tavelo,TVL\n"
        "keshrinn,K,kesh1234,kes\n"
        "tavelo.pdf,Other,tave1234,tvl\n"
        ",x,,\n",
    )
    assert noted == [
        ("warning: unknown column, not read (Did you mean 'language'?)", None),
        ("warning: row for a file that is not there ('keshrinn'. Did you mean 'keshrin'?)", 3),
        ("warning: second row for the same file ('tavelo.pdf': row 2 counts)", 4),
        ("warning: row without a file's name", 5),
        ("warning: no row for a file (keshrin.pdf. Did you mean 'keshrinn'?)", None),
        (
            "warning: not shaped like a Glottocode "
            "('Tavelo' is not four letters and four digits, as abcd1234)",
            2,
        ),
        (
            "warning: not shaped like an ISO code ('TVL' is not three lower-case letters, as abc)",
            2,
        ),
    ]


def test_years_and_macroareas_that_are_none(tmp_path):
    known, noted = read(
        tmp_path, "file,year,macroarea\ntavelo,2nd ed. 1994,Papua\nkeshrin,19994,Oceania\n"
    )
    assert known["tavelo"] == {"year": "2nd ed. 1994", "macroarea": "Papua"}
    six = "It has Africa, Australia, Eurasia, North America, Papunesia, South America."
    assert noted == [
        ("warning: not a year ('2nd ed. 1994' is not like 1994. Did you mean '1994'?)", 2),
        (f"warning: not a macroarea of Glottolog ('Papua'. Did you mean 'Papunesia'? {six})", 2),
        ("warning: not a year ('19994' is not like 1994.)", 3),
        (f"warning: not a macroarea of Glottolog ('Oceania'. {six})", 3),
    ]


def test_only_the_first_rows_get_a_suggestion(tmp_path):
    rows = "".join(f"tavel{n}\n" for n in range(30))
    _, noted = read(tmp_path, f"file\n{rows}keshrin\n")
    strange = [said for said, _ in noted if "row for a file that is not there" in said]
    assert len(strange) == 30
    assert all(("Did you mean 'tavelo'?" in said) == (n < 20) for n, said in enumerate(strange))
    many = [Found(name, Path(name), name, 1) for name in (f"tavel{n}" for n in range(30))]
    report = Report()
    read_metadata(tmp_path / "meta.csv", [*many, *FOUND], report)
    assert [e.why for e in report.entries] == ["tavelo.pdf. Did you mean 'tavel9'?"]


@pytest.mark.parametrize(
    ("text", "said"),
    [
        ("language,iso\nx,y\n", "no column that says which file: file, filename, key, bibkey, id"),
        ("file,language,language\ntavelo,a,b\n", "a column stands there twice"),
        ("file,language\ntavelo\n", "row of another length"),
        ('file,language\n"tavelo,x\n', "cannot be read"),
        ("\n\ufeff,\n", "no column that says which file"),
        ("", "it holds no text"),
    ],
)
def test_a_table_of_no_use_is_an_error(tmp_path, text, said):
    known, noted = read(tmp_path, text)
    assert known == {}
    assert any(entry.startswith("error:") and said in entry for entry, _ in noted)


def test_text_is_composed(tmp_path):
    known, _ = read(tmp_path, "file,language\ntavelo,Tave\u0301lo\n")
    assert known["tavelo"]["language"] == "Tavélo"
