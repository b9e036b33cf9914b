"""Glossed examples of LaTeX books: whole, with number, glosses and translation on lines."""

from __future__ import annotations

from pathlib import Path

import pytest

from tests.books.latex.writing import blocks, book


def examples(folder: Path, source: str) -> list[str]:
    return [block.text for block in book(folder, source).blocks if block.kind == "example"]


@pytest.mark.parametrize(
    ("source", "expected"),
    [
        (r"\gll ta\\ it\\ \glt `It.'", [("example", "ta\nit\n‘It.’")]),
        (
            "See:\n\n\\begin{linenumbers}\n"
            "\\gll ta\\footnote{N.} ku\\\\ it go\\\\\n\\end{linenumbers}"
            "\\medskip\n\\glt `It goes.'\n\\medskip\n\n\\gll ta\\\\ it\\\\\n\nText.",
            [
                ("text", "See:"),
                ("example", "ta ku\nit go\n‘It goes.’"),
                ("footnote", "1 N."),
                ("example", "ta\nit"),
                ("text", "Text."),
            ],
        ),
        (r"Text. \glt `It.'", [("text", "Text."), ("text", "‘It.’")]),
    ],
)
def test_glosses_outside_an_environment_are_examples_too(
    tmp_path: Path, source: str, expected: list[tuple[str, str]]
) -> None:
    assert blocks(book(tmp_path, source)) == expected


@pytest.mark.parametrize(
    ("source", "expected"),
    [
        (
            r"\begin{exe}\ex\label{a}\gll Ta  kuma-\textbf{ri}.\\ {the old} dog-\textsc{pl}\\"
            "\n\\glt `The dogs.'\n\\end{exe}",
            ["(1) Ta kuma-ri.\nthe old dog-PL\n‘The dogs.’"],
        ),
        (
            r"\ea \gll ta\\ it\\ \glt `It.' \z Text. \ea b \ex c\z",
            ["(1) ta\nit\n‘It.’", "(2) b\n(3) c"],
        ),
        (
            r"\begin{exe}\ex\glll takuri\\ ta-kuri\\ \Sg-go\\\trans `It goes.' (text 3)\end{exe}",
            ["(1) takuri\nta-kuri\nSG-go\n‘It goes.’ (text 3)"],
        ),
        (
            r"\ea Variety\\ \gll ta {} ku\\ it {} go\\ \glt `x' \jambox*{[1.2]}\z",
            ["(1) Variety\nta ku\nit go\n‘x’ [1.2]"],
        ),
        (
            r"\begin{exe}\ex Pairs: \begin{xlist}\ex\gll a\\ x\\ \ex[*]{b}\ex[?]{c}"
            r"\begin{xlist}\ex d\ex e\end{xlist}\end{xlist}\ex f\end{exe}",
            ["(1) Pairs:\na. a\nx\nb. *b\nc. ?c\ni. d\nii. e\n(2) f"],
        ),
        (
            r"\ea\ea a\ex b\z\z \ea\label{q}\ea c\z\ex d\z",
            ["(1) a. a\nb. b", "(2) a. c\n(3) d"],
        ),
        (
            r"\begin{exe}\exi{A:} Yes.\exi{(5$'$)} No.\sn more\end{exe}\ea a\z",
            ["A: Yes.\n(5′) No.\nmore", "(1) a"],
        ),
        (r"\ea\label{x} a\z \begin{exe}\exp{x} b\end{exe}", ["(1) a", "(1′) b"]),
        (r"\eabox[-1em]{\label{x}\gll a\\ b\\ \glt c}", ["(1) a\nb\nc"]),
        (r"\ea a\z\chapter{New}\ea b\z", ["(1) a", "(1) b"]),
        (r"\ea a\end{exe} t \begin{exe}\ex b\z u", ["(1) a", "(2) b"]),
        (
            r"\ea \begin{tabular}{ll}a & ‘x’\\ b & ‘y’\end{tabular}\z",
            ["(1) a ‘x’\nb ‘y’"],
        ),
        (
            r"\ea One\footnote{Note.} \z",
            ["(1) One"],
        ),
        (
            r"\gloexe{L}{}{ach}{Ta kuri.}{\morglo{ta}{it}\morglo{kuri-n}{go-\textsc{3}}}"
            "\n\\glotran{It goes.}{}{}{} See (\\ref{L}).",
            ["(1) Ta kuri. ACH\nta kuri-n\nit go-3\n‘It goes.’"],
        ),
        (r"\ea \begin{tikzpicture}\node{a};\end{tikzpicture}\z", ["(1)"]),
        (r"\ea\textit{a} $\to$ \textsc{b}\\[1ex] second\z", ["(1) a → B\nsecond"]),
    ],
)
def test_examples(tmp_path: Path, source: str, expected: list[str]) -> None:
    assert examples(tmp_path, source) == expected


def test_an_example_stands_between_the_text_around_it(tmp_path: Path) -> None:
    made = book(
        tmp_path, "Before:\n\\ea\\label{k} a\\footnote{N.}\n\n\\glt `x'\n\\z\nAfter \\ref{k}."
    )
    assert blocks(made) == [
        ("text", "Before:"),
        ("example", "(1) a\n‘x’"),
        ("footnote", "1 N."),
        ("text", "After 1."),
    ]
    assert made.blocks[1].label == "k"


def test_small_capitals_of_the_text_around_do_not_reach_an_example(tmp_path: Path) -> None:
    assert examples(tmp_path, r"{\scshape x \ea a\z}") == ["(1) a"]


def test_an_example_with_a_number_of_the_books_own(tmp_path: Path) -> None:
    source = (
        r"\newcounter{n}\newcommand{\exN}{\refstepcounter{n}\renewcommand{\thexnumi}{N\arabic{n}}"
        r"\item}\begin{exe}\exN\label{one} a\end{exe}\begin{exe}\ex b\end{exe} \ref{one}"
    )
    assert examples(tmp_path, source) == ["(N1) a", "(1) b"]
    assert book(tmp_path, source).blocks[-1].text == "N1"
