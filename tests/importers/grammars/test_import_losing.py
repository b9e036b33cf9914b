"""What comes from a table is dropped only on demand."""

from __future__ import annotations

from pathlib import Path

import pytest

from src import data
from src.books.settings import ParagraphSettings
from src.corpus.pack import load_pack
from src.errors import GrambenchError
from src.importers.grammars import Imported, Wanted, import_grammars
from tests.importers.grammars.books import write_latex, write_text


@pytest.fixture
def books(tmp_path) -> Path:
    write_text(tmp_path / "books" / "keshrin.txt")
    write_latex(tmp_path / "books" / "oko")
    return tmp_path / "books"


@pytest.fixture
def pack(tmp_path) -> Path:
    return tmp_path / "data" / "mine"


def table(path: Path, text: str) -> Path:
    path.write_text(text)
    return path


def take(given: Path, folder: Path, replace: bool = False, **tables: Path) -> Imported:
    return import_grammars(
        Wanted([given], ParagraphSettings(), **tables), folder, jobs=1, replace=replace
    )


def gold(tmp_path: Path) -> dict[str, Path]:
    return {"gold_pages": table(tmp_path / "g.csv", "grammar,feature,pages\nkeshrin,f,2\n")}


def annotated(tmp_path: Path) -> dict[str, Path]:
    text = "grammar,feature,value\nkeshrin,wals_81a,SOV\noko,wals_81a,VSO\n"
    return {"values": table(tmp_path / "v.csv", text)}


def described(tmp_path: Path, text: str = "file,language\noko,Oko\n") -> dict[str, Path]:
    return {"metadata": table(tmp_path / "m.csv", text)}


def test_gold_pages_and_metadata_are_not_lost_in_silence(books, pack, tmp_path):
    tables = {**gold(tmp_path), **described(tmp_path)}
    take(books, pack, **tables)
    before = load_pack(pack)
    for given, lost in [
        ({}, "gold pages and metadata that this import would drop. Give --gold-pages and --meta"),
        (gold(tmp_path), "has metadata that this import would drop. Give --metadata again"),
        (described(tmp_path), "has gold pages that this import would drop. Give --gold-pages"),
    ]:
        with pytest.raises(GrambenchError, match=lost) as caught:
            take(books, pack, **given)
        assert "--replace" in str(caught.value)
    assert load_pack(pack) == before
    assert take(books, pack, **tables).landed.verdict == "same"
    dropped = take(books, pack, replace=True).landed.pack
    assert (dropped.gold, dropped.grammars[1].language) == ({}, "oko")
    assert take(books, pack).landed.verdict == "same"


def test_values_are_not_lost_in_silence(books, pack, tmp_path):
    first = take(books, pack, **annotated(tmp_path)).landed.pack
    assert first.values("wals_81a") == {"keshrin": "SOV", "oko": "VSO"}
    write_text(books / "keshrin.txt", first="Tones")
    lost = "has values that this import would drop. Give --values again, choose another --name"
    with pytest.raises(GrambenchError, match=lost):
        take(books, pack, **gold(tmp_path))
    both = take(books, pack, **gold(tmp_path), **annotated(tmp_path))
    assert (both.landed.verdict, both.read, both.unchanged) == ("replaced", 1, 1)
    assert both.landed.pack.values("wals_81a") == {"keshrin": "SOV", "oko": "VSO"}
    assert take(books, pack, **gold(tmp_path), **annotated(tmp_path)).landed.verdict == "same"
    assert take(books, pack, replace=True).landed.pack.annotations == {}


def test_a_changed_book_does_not_need_the_tables_to_be_protected(books, pack, tmp_path):
    take(books, pack, **gold(tmp_path))
    write_text(books / "keshrin.txt", first="Tones")
    with pytest.raises(GrambenchError, match="gold pages that this import would drop"):
        take(books, pack)


@pytest.mark.parametrize(
    ("text", "lost"),
    [
        ("file,year\nkeshrin,1994\n", True),
        ("file,title\noko,Another title\n", True),
        ("file,title\noko,A grammar of Oko\n", False),
        ("file,language,year\noko,oko,\n", False),
    ],
)
def test_only_what_the_table_alone_says_would_be_lost(books, pack, tmp_path, text, lost):
    """A title that the book gives itself, and a language that goes by the file, are not."""
    take(books, pack, **described(tmp_path, text))
    if lost:
        with pytest.raises(GrambenchError, match="metadata that this import would drop"):
            take(books, pack)
    else:
        assert take(books, pack).landed.verdict == "same"


@pytest.mark.parametrize("title", ['Te\u0301lo,\n  a "grammar"', "NA", "1.0", "A; B~C"])
def test_a_books_own_title_is_never_taken_for_a_tables(books, pack, title):
    main = books / "oko" / "main.tex"
    main.write_text(main.read_text().replace("A grammar of Oko", title))
    take(books, pack)
    assert load_pack(pack).grammars[1].title
    assert take(books, pack).landed.verdict == "same"


def test_a_lost_report_does_not_lose_the_tables(books, pack, tmp_path):
    take(books, pack, **described(tmp_path))
    (pack / "import_report.csv").unlink()
    with pytest.raises(GrambenchError, match="metadata that this import would drop"):
        take(books, pack)


def test_it_is_told_on_the_command_line(books, pack, tmp_path, capsys):
    one = [str(books / "keshrin.txt"), "--name", "mine", "--data-dir", str(pack.parent)]
    call = ["import", "grammars", *one, "--jobs", "1"]
    assert data.main([*call, "--gold-pages", str(gold(tmp_path)["gold_pages"])]) == 0
    out = capsys.readouterr().out
    assert out.startswith("Imported the pack 'mine': 1 grammar, ")
    assert "1 whole grammar (1 plain text), 3 pages, gold pages for 1 feature." in out
    assert data.main(call) == 1
    assert "gold pages that this import would drop" in capsys.readouterr().err
    assert data.main([*call, "--replace", "--values", str(annotated(tmp_path)["values"])]) == 0
    assert "3 pages, values for 1 feature." in capsys.readouterr().out
    assert data.main([*call, "--values", str(tmp_path / "none.csv")]) == 1
    assert "There is no file" in capsys.readouterr().err
    assert data.main([*call, "--replace"]) == 0
    assert capsys.readouterr().out.startswith("Replaced the pack 'mine': 1 grammar, ")
