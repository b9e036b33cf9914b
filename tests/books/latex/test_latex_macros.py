"""Commands that a book defines: expanded, and never without end."""

from __future__ import annotations

from pathlib import Path

import pytest

from tests.books.latex.writing import blocks, book, read, remarks


def text(tmp_path: Path, source: str) -> str:
    return "\n".join(block.text for block in read(tmp_path, source).blocks)


@pytest.mark.parametrize(
    ("source", "expected"),
    [
        (r"\newcommand{\forme}[1]{\textit{#1}}The \forme{ta} form.", "The ta form."),
        (r"\newcommand{\sg}{\textsc{sg}}1\sg{} and 2\sg.", "1SG and 2SG."),
        (r"\newcommand{\x}[2][no]{#1/#2}\x{a} \x[yes]{b}", "no/a yes/b"),
        (r"\newcommand\x{a}\renewcommand{\x}{b}\providecommand{\x}{c}\x", "b"),
        (r"\def\x#1{<#1>}\x{ab} \x c", "<ab> <c>"),
        (r"\def\x#1.{(#1)}\x ab. c", "(ab) c"),
        (r"\let\y\textsc \y{abc}", "ABC"),
        (r"\newcommand{\x}{a}\let\y=\x \renewcommand{\x}{b}\y\x", "ab"),
        (r"\DeclareRobustCommand{\x}[1]{[#1]}\x{a}", "[a]"),
        (r"\newcommand{\x}[2]{#1 ‘#2’}\newcommand{\y}[1]{\x{#1}{\textsc{#1}}}\y{ta}", "ta ‘TA’"),
        (r"{\newcommand{\x}{in}\x} \newcommand{\y}{out}\y", "in out"),
        (r"\newcommand{\x}{a}{\renewcommand{\x}{b}\x}\x", "ba"),
        (r"\newleipzig{iter}{it}{iterative}go.\Iter{} \Iter", "go.IT IT"),
        (r"1\Sg{} 3\PL{}", "1SG 3PL"),
        (r"\newcommand{\Í}{ɨ́}\Í{}ka \Íka", "ɨ́ka ɨ́ka"),
        (
            r"\newcommand{\x}{\ili{Ket}\xspace}\x speakers, \x, \x{} (\x) \x\footnote{n}",
            "Ket speakers, Ket, Ket (Ket) Ket\n1 n",
        ),
        (
            r"\newcommand{\x}{Ket\xspace}\x \textit{is} \x [a] \x-like \x $a$",
            "Ket is Ket [a] Ket-like Ket a",
        ),
        (
            r"\newfontfamily\phon[S=5]{Charis SIL}\newcommand{\x}[1]{{\phon[#1]}}\x{ta} \phon b",
            "[ta] b",
        ),
        (r"\newfontface{\phon}{Charis SIL}[S=5]\phon b", "b"),
        (r"\newcounter{n}\setcounter{n}{4}\ADD{\value{n}}{3}{\s}\ADD{\s}{\s}{\s}\s", "14"),
        (r"\unknown{kept} and \unknown.", "kept and ."),
        (r"\newif\ifdraft\drafttrue\ifdraft yes\else no\fi \draftfalse\ifdraft yes\fi", "yes"),
        (r"\newcommand{\x}[1]{\ifthenelse{\equal{#1}{}}{none}{#1}}\x{} \x{a}", "none a"),
        (r"\newenvironment{mine}[1]{#1: }{!}\begin{mine}{A}text\end{mine} after", "A: text! after"),
        (r"\NewDocumentCommand{\x}{o m}{#1#2}\x{a}\x[b]{c}", "abc"),
    ],
)
def test_definitions(tmp_path: Path, source: str, expected: str) -> None:
    assert text(tmp_path, source) == expected


def test_unknown_commands_are_remarked_once(tmp_path: Path) -> None:
    made = read(tmp_path, "\\foo a\n\\foo b\n\\bat")
    assert [(r.where, r.what, r.why) for r in made.remarks] == [
        ("main.tex:3", "\\bat is not known", "left out, but not what stands in braces after it"),
        (
            "main.tex:1",
            "\\foo is not known",
            "left out, but not what stands in braces after it; 2 times in all",
        ),
    ]


@pytest.mark.parametrize(
    "bomb",
    [
        r"\def\a{\a}",
        r"\def\a{\b}\def\b{\a}",
        r"\def\a{x\a\a}",
        r"\newcommand{\a}[1]{\a{#1#1}}",
        "".join(rf"\def\{chr(97 + i)}{{\{chr(98 + i)}\{chr(98 + i)}}}" for i in range(25)),
        r"\newenvironment{m}{\begin{m}}{\end{m}}\def\a#1{\begin{m}\end{m}}",
        r"\def\thechapter{\chapter{\thechapter}}\def\a#1{\chapter{\a x}}",
        r"\def\a#1{\section{\a{x}}\label{\a{y}}}",
    ],
)
def test_expansion_is_bounded(tmp_path: Path, bomb: str) -> None:
    made = book(tmp_path, bomb + "\n\nBefore.\n\n\\a{x}\n\nAfter.")
    texts = [block.text for block in made.blocks]
    assert "Before." in texts
    assert texts[-1].endswith("After.")
    assert len(made.remarks) <= 501


@pytest.mark.parametrize(
    "source",
    [
        "\\label{",
        "\\footnote[",
        "\\caption[{",
        "\\cite{",
        "\\item[",
        "\\ea ",
        "\\begin{enumerate}\\item a",
        "\\input{a}",
    ],
)
def test_what_is_never_closed_does_not_take_the_square_of_its_length(
    tmp_path: Path, source: str
) -> None:
    made = read(tmp_path, source * (200_000 // len(source)) + "\n\nLast.")
    assert 0 < len(made.remarks) <= 501
    assert source == "\\ea " or made.blocks[-1].text.endswith("Last.")


def test_a_command_that_eats_a_long_text_letter_by_letter_is_stopped(tmp_path: Path) -> None:
    made = read(tmp_path, "\\def\\a#1{\\a}\\a " + "x" * 200_000 + "\n\nAfter.")
    assert made.blocks[-1].text == "After."
    assert remarks(made) == [("main.tex:1", "\\a is not expanded")]


def test_all_expansions_of_a_book_are_bounded(tmp_path: Path) -> None:
    tens = "".join(f"\\newcommand{{\\{b}}}{{" + f"\\{a} " * 10 + "}" for a, b in ("xy", "yz", "zw"))
    made = read(tmp_path, rf"\newcommand{{\x}}{{ab}}{tens}" + "\\w\n" * 10_000 + "\nAfter.")
    assert made.blocks[-1].text == "After."
    assert len(made.blocks[0].text) < 10_000_000


def test_a_bomb_is_a_remark_with_its_place(tmp_path: Path) -> None:
    made = read(tmp_path, "\\def\\a{\\a}\n\nSee \\a here.")
    assert blocks(made) == [("text", "See here.")]
    assert remarks(made)[0] == ("main.tex:3", "\\a is not expanded")


def test_deep_nesting_ends_well(tmp_path: Path) -> None:
    deep = 30_000
    made = read(tmp_path, "{" * deep + "in" + "}" * deep + " out.")
    assert blocks(made) == [("text", "in out.")]
    assert remarks(made) == [("main.tex:1", "groups are nested too deeply")]
    made = read(tmp_path, "\\textbf{" * deep + "in" + "}" * deep + " out.")
    assert blocks(made) == [("text", "in out.")]
    made = read(tmp_path, "\\footnote{" * deep + "in" + "}" * deep + " out.")
    assert made.blocks[-1].kind == "footnote"
