from __future__ import annotations

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


def test_a_folder_gives_its_files_and_the_projects_one_level_down(tmp_path):
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
        deep__b_pdf="x",
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
        "deep": "a folder without main.tex; give it by name to read the files in it",
        "gone.pdf": "a link that leads nowhere",
        "notes.tex": "LaTeX: give it by name if it is a whole grammar",
        "sheet.csv": "does not end in .pdf, .txt, .md, .markdown",
        "two": "a folder with several LaTeX documents: give one by name (a.tex, b.tex)",
    }


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
    assert found(tmp_path / "tavelo.pdf") == {"tavelo": "tavelo.pdf"}


def test_a_file_that_is_not_there_is_refused_with_the_nearest(tmp_path):
    put(tmp_path, tavelo_pdf="x")
    with pytest.raises(GrambenchError, match=r"Did you mean 'tavelo\.pdf'\?"):
        found(tmp_path / "tavello.pdf")
    with pytest.raises(GrambenchError, match="There is no file or folder"):
        found(tmp_path / "no" / "where")


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
    before = project_digest(main, tmp_path)
    put(tmp_path, main_log="y", main_aux="z", cover_png="p")
    (tmp_path / ".git").mkdir()
    (tmp_path / ".git" / "HEAD.tex").write_text("x")
    assert project_digest(main, tmp_path) == before
    put(tmp_path, chapters__a_tex="two")
    assert (changed := project_digest(main, tmp_path)) != before
    put(tmp_path, figure__tree_tikz="y")
    assert project_digest(main, tmp_path) != changed
