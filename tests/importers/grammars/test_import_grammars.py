from __future__ import annotations

import csv
from pathlib import Path

import pytest

from src.books.settings import ParagraphSettings
from src.corpus.pack import load_pack
from src.errors import GrambenchError
from src.importers.grammars import Imported, Wanted, import_grammars, importing
from tests.importers.grammars.books import write_latex, write_pdf, write_text


@pytest.fixture
def books(tmp_path) -> Path:
    """A folder with a grammar of each form."""
    folder = tmp_path / "books"
    write_pdf(folder / "tavelo.pdf")
    write_text(folder / "keshrin.txt")
    write_latex(folder / "oko")
    return folder


@pytest.fixture
def pack(tmp_path) -> Path:
    return tmp_path / "data" / "mine"


def take(given: Path, folder: Path, replace: bool = False, **wanted) -> Imported:
    settings = wanted.pop("settings", ParagraphSettings())
    asked = Wanted([given], settings, features=["wals_81a"], **wanted)
    return import_grammars(asked, folder, jobs=2, replace=replace)


def notes(folder: Path) -> list[dict[str, str]]:
    with (folder / "import_report.csv").open(encoding="utf-8", newline="") as file:
        return list(csv.DictReader(file))


def test_grammars_of_all_forms_become_a_pack(books, pack):
    imported = take(books, pack)
    assert (imported.read, imported.unchanged, imported.failed) == (3, 0, {})
    made = load_pack(pack)
    assert [g.id for g in made.grammars] == ["keshrin", "oko", "tavelo"]
    assert [g.language for g in made.grammars] == ["keshrin", "oko", "tavelo"]
    assert {d.grammar: (d.file, d.form, d.pages) for d in made.documents.values()} == {
        "keshrin": ("keshrin.txt", "text", 3),
        "oko": ("oko/main.tex", "latex", 0),
        "tavelo": ("tavelo.pdf", "pdf", 3),
    }
    first = {
        g.id: next(p for p in made.paragraphs.values() if p.grammar == g.id) for g in made.grammars
    }
    assert first["keshrin"].id == "keshrin/0001"
    assert first["keshrin"].pages == (1,)
    assert first["tavelo"].pages == (1,)
    assert "In the ko dialect the tone" in first["tavelo"].text
    assert "Verbs come last." in first["oko"].text
    assert first["oko"].label == "ch:verbs"
    assert not any("Nobody includes" in p.text for p in made.paragraphs.values())
    assert made.source["importer"] == "grammars"
    assert made.source["files"] == ["keshrin.txt", "oko/main.tex", "tavelo.pdf"]
    assert str(books) not in (pack / "SOURCE.yaml").read_text()
    said = "\n".join(imported.told())
    assert "3 grammars" in said
    assert "3 whole grammars (1 plain text, 1 LaTeX, 1 PDF), 6 pages" in said
    assert "0 unchanged, 3 read" in said


def test_what_is_known_of_a_grammar_is_from_the_table_and_then_the_book(books, pack, tmp_path):
    table = tmp_path / "meta.csv"
    table.write_text('file,language,author\noko,Oko,"Orr, A."\ntavelo.pdf,Tavelo,\n')
    take(books, pack, metadata=table)
    keshrin, oko, tavelo = load_pack(pack).grammars
    assert (oko.language, oko.author, oko.title) == ("Oko", "Orr, A.", "A grammar of Oko")
    assert (tavelo.language, tavelo.title) == ("Tavelo", "")
    assert keshrin.language == "keshrin"
    assert [n["why"] for n in notes(pack) if n["file"] == "meta.csv"] == ["keshrin.txt."]


def test_importing_again_reads_only_what_changed(books, pack):
    take(books, pack)
    before, noted = load_pack(pack), notes(pack)
    again = take(books, pack)
    assert (again.landed.verdict, again.read, again.unchanged) == ("same", 0, 3)
    (books / "oko" / "chapters" / "one.tex").write_text("\\chapter{Nouns}\nNouns come first.\n")
    changed = take(books, pack)
    assert (changed.landed.verdict, changed.read, changed.unchanged) == ("replaced", 1, 2)
    assert "2 unchanged, 1 read" in "\n".join(changed.told())
    after = load_pack(pack)
    texts = [p.text for p in after.paragraphs.values() if p.grammar == "oko"]
    assert any("Nouns come first." in text for text in texts)
    assert not any("Verbs come last." in text for text in texts)
    for grammar in ("keshrin", "tavelo"):
        kept = [p for p in after.paragraphs.values() if p.grammar == grammar]
        assert kept == [p for p in before.paragraphs.values() if p.grammar == grammar]
        assert after.documents[grammar] == before.documents[grammar]
    assert after.grammars[1].title == "A grammar of Oko"
    for file in ("keshrin.txt", "tavelo.pdf"):
        assert [n for n in notes(pack) if n["file"] == file] == [
            n for n in noted if n["file"] == file
        ]


def test_a_title_from_the_book_is_known_also_where_it_is_not_read_again(books, pack, tmp_path):
    take(books, pack)
    table = tmp_path / "meta.csv"
    table.write_text("file,language\noko,Oko\nkeshrin,K\ntavelo,T\n")
    again = take(books, pack, metadata=table)
    assert (again.landed.verdict, again.read) == ("replaced", 0)
    oko = load_pack(pack).grammars[1]
    assert (oko.language, oko.title) == ("Oko", "A grammar of Oko")


def test_other_settings_read_everything_anew(books, pack):
    take(books, pack)
    other = take(books, pack, settings=ParagraphSettings(method="paper"))
    assert (other.read, other.unchanged) == (3, 0)
    assert all("method=paper" in d.made_with for d in load_pack(pack).documents.values())


def test_an_earlier_reading_outlives_a_file_that_is_spoilt(books, pack):
    take(books, pack)
    (books / "tavelo.pdf").write_bytes(b"")
    write_text(books / "keshrin.txt", first="Tones")
    again = take(books, pack)
    assert (again.read, again.unchanged) == (1, 1)
    assert "is empty." in again.failed["tavelo.pdf"]
    assert "keeps what an earlier import read" in again.failed["tavelo.pdf"]
    assert "1 of 3 files could not be read:" in again.complaints()
    texts = [p.text for p in load_pack(pack).paragraphs.values() if p.grammar == "tavelo"]
    assert any("In the ko dialect" in text for text in texts)
    dropped = take(books, pack, replace=True)
    assert [g.id for g in dropped.landed.pack.grammars] == ["keshrin", "oko"]


def test_a_grammar_that_is_not_given_again_is_dropped_only_on_demand(books, pack):
    take(books, pack)
    with pytest.raises(GrambenchError, match=r"not given now: keshrin, oko\..*--replace"):
        take(books / "tavelo.pdf", pack)
    assert len(load_pack(pack).grammars) == 3
    assert len(take(books / "tavelo.pdf", pack, replace=True).landed.pack.grammars) == 1
    write_pdf(books / "new.pdf", pages=1)
    assert len(take(books, pack).landed.pack.grammars) == 4


def test_a_pack_that_was_changed_by_hand_is_not_reused(books, pack):
    take(books, pack)
    text = (pack / "grammars.csv").read_text().replace("keshrin,keshrin", "keshrin,Keshrin")
    (pack / "grammars.csv").write_text(text)
    with pytest.raises(GrambenchError, match="changed by hand"):
        take(books, pack)
    assert take(books, pack, replace=True).read == 3


def test_gold_pages_come_along(books, pack, tmp_path):
    table = tmp_path / "gold.csv"
    table.write_text(
        'grammar,feature,pages\ntavelo.pdf,wals_81a,"1, 3"\nkeshrin,wals_81a,passim\n'
        "oko,wals_81a,4\n"
    )
    imported = take(books, pack, gold_pages=table)
    assert load_pack(pack).gold_pages("wals_81a") == {"tavelo": (1, 3)}
    assert [(n["row"], n["what"]) for n in notes(pack) if n["file"] == "gold.csv"] == [
        ("3", "gold pages that are not understood, left out"),
        ("4", "gold pages of a grammar that has no pages, left out"),
    ]
    said = imported.told()
    assert said[0].endswith("6 pages, gold pages for 1 feature.")
    line = next(line for line in said if "not understood" in line)
    assert "left out, 1 x (gold.csv, row 3: pages 'passim' are not like" in line


@pytest.mark.parametrize("kind", ["metadata", "gold_pages"])
def test_a_table_of_no_use_stops_before_anything_is_read(books, pack, tmp_path, kind):
    table = tmp_path / "table.csv"
    table.write_text("colour\nred\n")
    with pytest.raises(GrambenchError, match=r"(?s)Nothing was imported.*table\.csv"):
        take(books, pack, **{kind: table})
    assert not pack.exists()


def test_quality_is_noted_for_every_book(books, pack):
    take(books, pack)
    said = {n["file"]: n["why"] for n in notes(pack) if n["what"] == "quality"}
    assert set(said) == {"keshrin.txt", "oko/main.tex", "tavelo.pdf"}
    assert "3 pages" in said["tavelo.pdf"]
    assert "paragraphs with LaTeX left in them 0.00%" in said["oko/main.tex"]


def test_both_readings_of_an_import_are_the_same_bytes(books, tmp_path):
    one, two = tmp_path / "a" / "one", tmp_path / "b" / "two"
    take(books, one)
    take(books, two)
    names = sorted(path.name for path in one.iterdir())
    assert names == sorted(path.name for path in two.iterdir())
    for name in names:
        assert (one / name).read_bytes() == (two / name).read_bytes()
    # The pack is an output of DVC, which must not differ from day to day.
    assert "date" not in load_pack(one).source


def test_a_pack_that_stays_the_same_has_the_report_of_the_last_import(books, pack):
    (books / "broken.pdf").write_bytes(b"")
    take(books, pack)
    assert "error" in {note["level"] for note in notes(pack)}
    (books / "broken.pdf").unlink()
    assert take(books, pack).landed.verdict == "same"
    assert "error" not in {note["level"] for note in notes(pack)}


def test_a_pack_without_its_report_loses_nothing(books, pack):
    take(books, pack)
    (pack / "import_report.csv").unlink()
    with pytest.raises(GrambenchError, match=r"not given now: keshrin, oko\."):
        take(books / "tavelo.pdf", pack)
    again = take(books, pack)
    assert (again.landed.verdict, again.read) == ("same", 3)
    assert "quality" in {note["what"] for note in notes(pack)}


@pytest.mark.parametrize("first", ["none", "tavelo.pdf"])
def test_two_imports_into_one_name_do_not_undo_one_another(books, pack, monkeypatch, first):
    """The second one begins and ends while the first one reads."""
    if first != "none":
        take(books / first, pack)
    read = importing.read_all

    def meanwhile(*arguments):
        monkeypatch.setattr(importing, "read_all", read)
        take(books, pack)
        return read(*arguments)

    monkeypatch.setattr(importing, "read_all", meanwhile)
    with pytest.raises(GrambenchError, match="Another import has changed the pack 'mine'"):
        take(books / "tavelo.pdf", pack)
    assert len(load_pack(pack).grammars) == 3


def test_a_changed_table_is_enough_for_another_pack(books, pack, tmp_path):
    table, gold = tmp_path / "meta.csv", tmp_path / "gold.csv"
    seen = []
    for language, pages in (("A", "1"), ("B", "1"), ("B", "2"), ("A", "1")):
        table.write_text(f"file;language\ntavelo.pdf;{language}\n")
        gold.write_text(f"grammar;feature;pages\ntavelo;wals_81a;{pages}\n")
        taken = take(books / "tavelo.pdf", pack, metadata=table, gold_pages=gold)
        made = load_pack(pack)
        seen.append((made.grammars[0].language, made.gold_pages("wals_81a")["tavelo"]))
        assert taken.read == (len(seen) == 1)
    assert seen == [("A", (1,)), ("B", (1,)), ("B", (2,)), ("A", (1,))]


def test_a_file_that_was_renamed_is_not_lost(books, pack):
    take(books, pack)
    (books / "tavelo.pdf").rename(books / "tavelo2010.pdf")
    renamed = take(books, pack)
    assert [g.id for g in renamed.landed.pack.grammars] == ["keshrin", "oko", "tavelo2010"]


def test_copies_of_a_file_are_told(books, pack):
    for _ in range(2):
        (books / "copy.pdf").write_bytes((books / "tavelo.pdf").read_bytes())
        take(books, pack)
        said = [(n["file"], n["why"]) for n in notes(pack) if n["what"].startswith("the same")]
        assert said == [("tavelo.pdf", "copy.pdf")]
