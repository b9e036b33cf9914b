from __future__ import annotations

import os
from pathlib import Path

import pytest

from src.errors import GrambenchError
from src.importers.grammars.finding import find_grammars, safe_id
from src.importers.grammars.latex_files import project_digest
from src.importers.report import Report

CLASS = "\\documentclass{book}\n"


def put(folder: Path, **files: str) -> Path:
    """Write files; two underscores in a name stand for a slash, one for a full stop."""
    for name, text in files.items():
        path = folder / name.replace("__", "/").replace("_", ".")
        path.parent.mkdir(parents=True, exist_ok=True)
        path.write_text(text, encoding="utf-8")
    return folder


def found(*given: Path, **options) -> dict[str, str]:
    return {one.id: one.file for one in find_grammars(given, Report(), **options)}


def skipped(folder: Path) -> dict[str, str]:
    report = Report()
    find_grammars([folder], report)
    assert all(entry.level == "skipped" for entry in report.entries)
    return {entry.file: entry.why for entry in report.entries}


def test_a_folder_gives_its_files_and_projects(tmp_path):
    put(
        tmp_path,
        zeta_pdf="x",
        alpha_txt="x",
        mid_md="x",
        beta__main_tex=CLASS,
        beta__chapters__one_tex="x",
        gamma__book_tex=CLASS,
        gamma__local_tex="x",
    )
    assert list(found(tmp_path).items()) == [
        ("alpha", "alpha.txt"),
        ("beta", "beta/main.tex"),
        ("gamma", "gamma/book.tex"),
        ("mid", "mid.md"),
        ("zeta", "zeta.pdf"),
    ]


def test_what_is_not_taken_is_told_with_the_reason(tmp_path):
    put(
        tmp_path,
        a_pdf="x",
        README_md="x",
        notes_tex="x",
        sheet_csv="x",
        metadata_csv="x",
        deep__b_csv="x",
        deep__c_tex="x",
        two__a_tex=CLASS,
        two__b_tex=CLASS,
    )
    (tmp_path / ".hidden.pdf").write_text("x")
    (tmp_path / "gone.pdf").symlink_to(tmp_path / "nowhere")
    report = Report()
    known = [tmp_path / "metadata.csv"]
    assert [one.id for one in find_grammars([tmp_path], report, known)] == ["a"]
    told = {entry.file: entry.why for entry in report.entries}
    assert all(entry.level == "skipped" for entry in report.entries)
    assert told == {
        ".hidden.pdf": "hidden",
        "README.md": "named like a note on the folder: give it by name if it is a grammar",
        "deep/b.csv": "does not end in .pdf, .txt, .md, .markdown",
        "deep/c.tex": "LaTeX: give it by name if it is a whole grammar",
        "gone.pdf": "a link that leads nowhere",
        "notes.tex": "LaTeX: give it by name if it is a whole grammar",
        "sheet.csv": "does not end in .pdf, .txt, .md, .markdown",
        "two": "several LaTeX documents: give one by name (a.tex, b.tex)",
    }


def test_folders_are_entered_at_any_depth_in_the_order_of_names(tmp_path):
    put(
        tmp_path,
        zot__CD34__tavelo_pdf="x",
        zot__AB12__sela_pdf="x",
        zot__AB12__attachment_html="x",
        zot__EF56__deeper__oko__main_tex=CLASS,
        zot__EF56__deeper__oko__chapters__one_tex="x",
        zot__EF56__deeper__anumba_txt="x",
        mid_md="x",
    )
    assert list(found(tmp_path).items()) == [
        ("mid", "mid.md"),
        ("sela", "sela.pdf"),
        ("tavelo", "tavelo.pdf"),
        ("anumba", "anumba.txt"),
        ("oko", "oko/main.tex"),
    ]
    assert found(tmp_path / "zot") == {k: v for k, v in found(tmp_path).items() if k != "mid"}
    assert set(skipped(tmp_path)) == {"zot/AB12/attachment.html"}


def test_hidden_folders_and_links_to_folders_are_not_entered(tmp_path):
    books = put(tmp_path / "books", a_pdf="x", in__b_pdf="x")
    put(books / ".cache", c_pdf="x")
    put(tmp_path / "outside", d_pdf="x")
    (books / "in" / "circle").symlink_to("..")
    (books / "out").symlink_to("../outside")
    (books / "itself.pdf").symlink_to("itself.pdf")
    assert list(found(books)) == ["a", "b"]
    told = skipped(books)
    assert set(told) == {".cache", "in/circle", "out", "itself.pdf"}
    assert told["out"].startswith("a link to a folder")
    assert found(books / "out") == {"d": "d.pdf"}


def test_of_the_pdfs_in_a_project_only_those_beside_it_may_be_books(tmp_path):
    """Its own is part of it, whether called after the folder or the file; so are its figures."""
    oko = put(tmp_path / "oko", main_tex=CLASS, main_pdf="x", Oko_pdf="x", sela_pdf="x")
    put(oko, figures__tree_pdf="x", figures__deep__map_pdf="x")
    put(tmp_path / "gamma", book_tex=CLASS, book_pdf="x", cover_PDF="x")
    assert found(tmp_path) == {"gamma": "gamma/book.tex", "oko": "oko/main.tex"}
    assert skipped(tmp_path) == {
        "gamma/cover.PDF": "beside the LaTeX file book.tex: give it by name if it is a grammar",
        "oko/sela.pdf": "beside the LaTeX file main.tex: give it by name if it is a grammar",
    }
    assert set(skipped(oko)) == {"sela.pdf"}
    assert list(found(oko, oko / "sela.pdf")) == ["oko", "sela"]


def test_a_project_is_one_grammar_whatever_lies_in_it(tmp_path):
    project = put(tmp_path / "Old Book", main_tex=CLASS, main_pdf="x", notes_txt="x")
    assert found(project) == {"Old_Book": "Old Book/main.tex"}
    assert found(project / "main.tex") == {"Old_Book": "Old Book/main.tex"}
    assert found(project, project / "main.tex", tmp_path) == {"Old_Book": "Old Book/main.tex"}


def test_a_folder_of_the_current_directory_has_its_own_name(tmp_path, monkeypatch):
    put(tmp_path / "tavelo", main_tex=CLASS)
    monkeypatch.chdir(tmp_path / "tavelo")
    assert found(Path()) == {"tavelo": "tavelo/main.tex"}
    (tmp_path / "tavelo" / "sub").mkdir()
    monkeypatch.chdir(tmp_path / "tavelo" / "sub")
    assert found(Path("..")) == {"tavelo": "tavelo/main.tex"}


def test_a_document_beside_books_is_one_of_them(tmp_path):
    put(tmp_path, a_pdf="x", b_tex=CLASS, b_pdf="x")
    with pytest.raises(GrambenchError, match="same name"):
        found(tmp_path)
    (tmp_path / "b.pdf").unlink()
    assert found(tmp_path) == {"a": "a.pdf", "b": "b.tex"}


def test_a_document_with_its_own_pdf_is_a_project(tmp_path):
    put(tmp_path / "b", b_tex=CLASS, b_pdf="x", local_tex="x")
    assert found(tmp_path / "b") == {"b": "b/b.tex"}


def test_files_given_by_name_are_taken_whatever_they_are_called(tmp_path):
    put(tmp_path, README_md="x", grammar_doc="x", chapter_tex="x")
    given = [tmp_path / name for name in ("README.md", "grammar.doc", "chapter.tex")]
    assert list(found(*given)) == ["README", "grammar", "chapter"]


def test_two_files_of_one_name_are_refused_and_both_named(tmp_path):
    put(tmp_path, tavelo_pdf="x", tavelo__main_tex=CLASS)
    with pytest.raises(GrambenchError) as caught:
        found(tmp_path)
    said = str(caught.value)
    assert str(tmp_path / "tavelo.pdf") in said
    assert str(tmp_path / "tavelo" / "main.tex") in said
    assert "Name those that you want" in said
    put(tmp_path / "zot", AB12__sela_pdf="x", CD34__sela_txt="x")
    with pytest.raises(GrambenchError) as caught:
        found(tmp_path / "zot")
    for name in ("AB12/sela.pdf", "CD34/sela.txt"):
        assert str(tmp_path / "zot" / name) in str(caught.value)
    assert found(tmp_path / "tavelo.pdf") == {"tavelo": "tavelo.pdf"}


def test_a_file_that_is_not_there_is_refused_with_the_nearest(tmp_path):
    put(tmp_path, tavelo_pdf="x", enc_pdf="x")
    with pytest.raises(GrambenchError, match=r"Did you mean 'tavelo\.pdf'\?"):
        found(tmp_path / "tavello.pdf")
    for name in ("nosuch.pdf", "no/where"):
        with pytest.raises(GrambenchError, match=rf"There is no file or folder .*{name}\.$"):
            found(tmp_path / name)


def test_a_folder_without_grammars_is_refused(tmp_path):
    put(tmp_path, a_csv="x")
    with pytest.raises(GrambenchError, match="There are no grammars in"):
        found(tmp_path)


@pytest.mark.parametrize(
    ("name", "id_"),
    [
        ("carlson1994grammar", "carlson1994grammar"),
        ("A  grammar of\tŊ", "A_grammar_of_Ŋ"),
        ("e\u0301", "é"),
        ("a/b\\c\x07", "abc"),
        ("  ", "grammar"),
    ],
)
def test_ids(name, id_):
    assert safe_id(name) == id_


def test_a_projects_digest_covers_what_it_includes_and_not_what_latex_writes(tmp_path):
    put(tmp_path, main_tex=CLASS, chapters__a_tex="one", figure__tree_tikz="x", main_log="x")
    main = tmp_path / "main.tex"
    before = project_digest(main)
    put(tmp_path, main_log="y", main_aux="z", cover_png="p")
    (tmp_path / ".git").mkdir()
    (tmp_path / ".git" / "HEAD.tex").write_text("x")
    assert project_digest(main) == before
    put(tmp_path, chapters__a_tex="two")
    assert (changed := project_digest(main)) != before
    put(tmp_path, figure__tree_tikz="y")
    assert project_digest(main) != changed


def test_pipes_and_devices_are_not_opened(tmp_path):
    put(tmp_path, a_txt="x")
    for name in ("pipe.pdf", "pipe.tex"):
        os.mkfifo(tmp_path / name)
    (tmp_path / "null.txt").symlink_to("/dev/null")
    (tmp_path / "loop").symlink_to(".")
    report = Report()
    assert [one.id for one in find_grammars([tmp_path], report)] == ["a"]
    told = {entry.file: entry.why for entry in report.entries}
    for name in ("pipe.pdf", "pipe.tex", "null.txt"):
        assert told[name] == "neither a file nor a folder"
        with pytest.raises(GrambenchError, match="neither a file nor a folder"):
            found(tmp_path / name)


def test_a_file_by_two_names_is_one_grammar_and_told(tmp_path):
    put(tmp_path, a_txt="x")
    (tmp_path / "b.txt").symlink_to("a.txt")
    report = Report()
    assert [one.id for one in find_grammars([tmp_path, tmp_path / "a.txt"], report)] == ["a"]
    assert [(entry.file, entry.why) for entry in report.entries] == [("b.txt", "a.txt")]


def test_a_name_that_is_not_utf_8(tmp_path):
    os.close(os.open(os.fsencode(tmp_path) + b"/caf\xe9.txt", os.O_CREAT))
    assert found(tmp_path) == {"caf\ufffd": "caf\ufffd.txt"}


def test_a_projects_digest_is_of_what_is_read_through_links(tmp_path):
    put(tmp_path / "real", main_tex=CLASS, chapters__a_tex="one", other__a_tex="two")
    (tmp_path / "given").mkdir()
    link = tmp_path / "given" / "main.tex"
    link.symlink_to("../real/main.tex")
    assert (before := project_digest(link)) == project_digest(tmp_path / "real" / "main.tex")
    put(tmp_path / "real", chapters__a_tex="changed")
    assert (changed := project_digest(link)) != before
    text = tmp_path / "real" / "text"
    text.symlink_to("chapters")
    linked = project_digest(link)
    text.unlink()
    text.symlink_to("other")
    assert len({changed, linked, project_digest(link)}) == 3
