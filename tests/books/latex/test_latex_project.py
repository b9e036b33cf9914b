"""The files of a LaTeX project: order, loops, files outside, missing and badly encoded ones."""

from __future__ import annotations

from pathlib import Path

import pytest

from src.books.latex import read_latex
from src.books.latex.reader import read_project
from src.errors import GrambenchError
from tests.books.latex.writing import BOOK, blocks, book, project, read, remarks


def test_includes_come_in_order_and_what_is_not_included_does_not_come(tmp_path: Path) -> None:
    made = book(
        tmp_path,
        "\\newcommand{\\chapterpath}{chapters}\n\\include{\\chapterpath/two}\n"
        "%\\include{chapters/three}\n\\input chapters/one.tex \n",
        chapters__one="\\chapter{First}\nOne.",
        chapters__two="\\chapter{Second}\nTwo.",
        chapters__three="Three.",
        chapters__four="Four.",
    )
    assert blocks(made) == [
        ("heading", "1 Second"),
        ("text", "Two."),
        ("heading", "2 First"),
        ("text", "One."),
    ]


def test_the_files_that_were_read_are_known_in_order(tmp_path: Path) -> None:
    path = project(tmp_path, BOOK % "\\input{b}\\input{sub/a}", b="B.", sub__a="A.")
    assert read_project(path).project.pieces == ["main.tex", "b.tex", "sub/a.tex"]


def test_subfiles_and_imports_name_files_of_their_own_folder(tmp_path: Path) -> None:
    made = book(
        tmp_path,
        "\\subfile{parts/one}\\import{parts/}{three}",
        parts__one="\\documentclass[../main]{subfiles}\nNot text.\n\\begin{document}\n"
        "One. \\input{two}\n\\end{document}\nNot text.",
        parts__two="Two.",
        parts__three="Three.",
    )
    assert blocks(made) == [("text", "One. Two. Three.")]


def test_includeonly_counts_for_include_only(tmp_path: Path) -> None:
    path = project(
        tmp_path,
        "\\documentclass{book}\\includeonly{b}\\begin{document}\\include{a}\\include{b}"
        "\\input{c}\\end{document}",
        a="A.",
        b="B.",
        c="C.",
    )
    assert blocks(read_latex(path)) == [("text", "B.C.")]


def test_papers_are_chapters_with_their_titles(tmp_path: Path) -> None:
    made = book(
        tmp_path,
        "\\includepaper{p}\\includepaper{q}",
        p="\\documentclass[output=paper]{langscibook}\\title{Moods}\\author{A. Bee\\and C. Dee}"
        "\\abstract{In short.}\\begin{document}\\maketitle\\section{Uses}\\label{u}Text."
        "\\end{document}",
        q="\\documentclass[output=paper]{langscibook}\\title{Cases}\\author{E. Eff}"
        "\\begin{document}\\maketitle See \\sectref{u}.\\end{document}",
    )
    assert blocks(made) == [
        ("heading", "1 Moods"),
        ("text", "A. Bee and C. Dee"),
        ("text", "In short."),
        ("heading", "1.1 Uses"),
        ("text", "Text."),
        ("heading", "2 Cases"),
        ("text", "E. Eff"),
        ("text", "See Section 1.1."),
    ]
    assert [page.text.split("\n")[0] for page in made.pages] == ["1 Moods", "2 Cases"]


def test_comments_conditions_and_what_follows_the_end_are_no_text(tmp_path: Path) -> None:
    made = book(
        tmp_path,
        "One % no\n  two.\n\\iffalse hidden \\iftrue too \\fi also \\else shown \\fi\n"
        "\\begin{comment}\nnot \\textbf{this}\n\\end{comment}\nIt is 5\\% off.%\n\nNext.\n"
        "\\end{document}\nAfter.",
    )
    assert blocks(made) == [("text", "One two. shown It is 5% off."), ("text", "Next.")]


def test_an_include_loop_is_a_remark(tmp_path: Path) -> None:
    made = book(tmp_path, "\\input{a}End.", a="A.\n\\input{b}", b="B.\n\n\\input{a}\\input{main}")
    assert blocks(made) == [("text", "A. B."), ("text", "End.")]
    assert remarks(made) == [
        ("b.tex:3", "a is not read again"),
        ("b.tex:3", "main is not read again"),
    ]


def test_a_file_outside_the_folder_is_never_read(tmp_path: Path) -> None:
    (tmp_path / "secret.tex").write_text("Secret.")
    folder = tmp_path / "book"
    folder.mkdir()
    (folder / "link.tex").symlink_to(tmp_path / "secret.tex")
    made = book(folder, f"A.\\input{{../secret}}\\input{{link}}\\input{{{tmp_path}/secret}}B.")
    assert blocks(made) == [("text", "A.B.")]
    assert [what for _, what in remarks(made)] == [
        "../secret is not read",
        "link is not read",
        f"{tmp_path}/secret is not read",
    ]


def test_a_missing_file_is_a_remark_and_the_rest_is_read(tmp_path: Path) -> None:
    made = book(tmp_path, "A.\n\\include{gone}\nB.")
    assert blocks(made) == [("text", "A. B.")]
    assert remarks(made) == [("main.tex:4", "gone is missing")]


def test_a_path_that_is_no_path_is_a_remark(tmp_path: Path) -> None:
    made = book(tmp_path, "A.\\input{" + "x" * 5000 + "}\\input{}B.")
    assert blocks(made) == [("text", "A.B.")]
    assert len(made.remarks) == 1


def test_latin_1_is_read_with_a_remark(tmp_path: Path) -> None:
    path = tmp_path / "main.tex"
    path.write_bytes("Erste Zeile.\nGr\u00fc\u00dfe.".encode("latin-1"))
    made = read_latex(path)
    assert blocks(made) == [("text", "Erste Zeile. Gr\u00fc\u00dfe.")]
    assert remarks(made) == [("main.tex:2", "not UTF-8")]


def test_a_byte_order_mark_and_windows_lines_are_no_text(tmp_path: Path) -> None:
    path = tmp_path / "main.tex"
    path.write_bytes(b"\xef\xbb\xbfOne\r\ntwo.\r\n\r\nThree.\r\n")
    assert blocks(read_latex(path)) == [("text", "One two."), ("text", "Three.")]


def test_a_file_that_is_not_there_is_an_error(tmp_path: Path) -> None:
    with pytest.raises(GrambenchError, match=r"gone\.tex"):
        read_latex(tmp_path / "gone.tex")


def test_the_preamble_is_no_text_but_tells_title_and_author(tmp_path: Path) -> None:
    path = project(
        tmp_path,
        "\\documentclass{langscibook}\\input{meta}\\usepackage[a]{b}\nNo text here.\n"
        "\\newcommand{\\x}{ex}\\begin{document}\\maketitle The \\x.\\end{document}",
        meta="\\title{A grammar of {M\\~{a}}}\n\\subtitle{\\textit{Short}}\\author{A. Bee\\and C.}",
    )
    made = read_latex(path)
    assert blocks(made) == [("text", "The ex.")]
    assert made.metadata == {
        "title": "A grammar of M\u00e3",
        "subtitle": "Short",
        "author": "A. Bee and C.",
    }
    assert not made.paged


def test_commands_that_set_up_headings_are_no_headings(tmp_path: Path) -> None:
    path = project(
        tmp_path,
        "\\documentclass{book}\\titleformat{\\chapter}[hang]{\\bfseries}{\\thechapter}{1em}{}\n\n"
        "\\titlespacing*{\\section}{0pt}{1pt}{2pt}\\newcommand{\\e}{\\ex}\\ex \\footnote{f}"
        "\\begin{document}\\chapter{One}\\section{Two}\\ea a\\z b\\footnote{c}\\end{document}",
    )
    assert blocks(read_latex(path)) == [
        ("heading", "1 One"),
        ("heading", "1.1 Two"),
        ("example", "(1) a"),
        ("text", "b"),
        ("footnote", "1 c"),
    ]


def test_pages_are_chapters(tmp_path: Path) -> None:
    made = book(
        tmp_path,
        "\\frontmatter\\chapter{Thanks}To all.\\mainmatter\\part{Big}\\chapter{One}A.\n\nB."
        "\\appendix\\chapter{Lists}C.",
    )
    assert [(page.number, page.text) for page in made.pages] == [
        (1, "Thanks\n\nTo all."),
        (2, "I Big\n\n1 One\n\nA.\n\nB."),
        (3, "A Lists\n\nC."),
    ]


def test_a_fragment_is_read_as_text(tmp_path: Path) -> None:
    assert blocks(read(tmp_path, "\\section{S}\n\nText.")) == [
        ("heading", "0.1 S"),
        ("text", "Text."),
    ]
