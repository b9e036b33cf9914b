"""Headings, references, footnotes, lists, tables and captions of LaTeX books."""

from __future__ import annotations

from pathlib import Path

import pytest

from src.books.latex import read_latex
from tests.books.latex.writing import blocks, book, project


def test_headings_are_numbered_as_latex_numbers_them(tmp_path: Path) -> None:
    made = book(
        tmp_path,
        r"""\frontmatter\chapter{Thanks}\mainmatter\part{Sounds}\chapter[Short]{\textsc{np}s}
        \section{A}\label{a}\subsection{B}\subsubsection{C}\paragraph{D}\subparagraph{E}
        \section*{No number}\section{F\footnote{Not here.}}\addchap{Unnumbered}\chapter{G}
        \section{H}\appendix\chapter{Texts}\section{One}\label{sec:one}""",
    )
    assert [(b.level, b.text) for b in made.blocks if b.kind == "heading"] == [
        (1, "Thanks"),
        (0, "I Sounds"),
        (1, "1 NPs"),
        (2, "1.1 A"),
        (3, "1.1.1 B"),
        (4, "1.1.1.1 C"),
        (5, "1.1.1.1.1 D"),
        (6, "E"),
        (2, "No number"),
        (2, "1.2 F"),
        (1, "Unnumbered"),
        (1, "2 G"),
        (2, "2.1 H"),
        (1, "A Texts"),
        (2, "A.1 One"),
    ]
    assert [b.label for b in made.blocks if b.label] == ["a", "sec:one"]
    assert ("footnote", "1 Not here.") in blocks(made)


def test_articles_have_no_chapters(tmp_path: Path) -> None:
    path = project(
        tmp_path,
        r"""\documentclass{article}\begin{document}\section{A}\begin{table}\caption{T}\end{table}
        \section{B}\subsection{C}\begin{table}\caption{U}\end{table}
        \begin{exe}\ex a\end{exe}\section{D}\begin{exe}\ex b\end{exe}
        \appendix\section{E}\end{document}""",
    )
    assert [text for _, text in blocks(read_latex(path))] == [
        "1 A",
        "Table 1: T",
        "2 B",
        "2.1 C",
        "Table 2: U",
        "(1) a",
        "3 D",
        "(2) b",
        "A E",
    ]


def test_references(tmp_path: Path) -> None:
    made = book(
        tmp_path,
        r"""\chapter{One}\label{c}\section{Two}\label{s}
        See \sectref{s}, \tabref{t}, \figref{f}, \chapref{c}, (\ref{x}), \REF{y}, \ref{z},
        \Cref{s}, \autoref{t}, \nameref{s}, \ref{n}, \ref{after}.

        \begin{table}\caption{T}\label{t}\end{table}\begin{figure}\caption{F}\label{f}\end{figure}
        \ea\label{x} a \z \begin{exe}\ex\label{y}\begin{xlist}\ex b\ex\label{z} c\end{xlist}
        \end{exe} Text\footnote{\label{n}Note.} \label{after}""",
    )
    assert made.blocks[2].text == (
        "See Section 1.1, Table 1.1, Figure 1.1, Chapter 1, (1), (2), 2b, "
        "Section 1.1, Table 1.1, Two, 1, 1.1."
    )
    assert not made.remarks


def test_a_reference_that_leads_nowhere_is_two_question_marks(tmp_path: Path) -> None:
    made = book(tmp_path, "See\n\\ref{gone}, \\ref{off}\nand \\ref{gone}.")
    assert blocks(made) == [("text", "See ??, ?? and ??.")]
    assert [(r.where, r.what, r.why) for r in made.remarks] == [
        ("main.tex:4", "\\ref{gone} leads nowhere", "printed as ??; 2 times in all"),
        ("main.tex:4", "\\ref{off} leads nowhere", "printed as ??"),
    ]


def test_a_footnote_follows_the_paragraph_it_stands_in(tmp_path: Path) -> None:
    made = book(
        tmp_path,
        "One\\footnote{First.} two\\footnote{Second, \\textsc{x}.\n\nMore.}.\n\nNext.\\chapter{C}"
        "New\\footnote{Third.}.\\footnotemark\\footnotetext{Fourth.}",
    )
    assert blocks(made) == [
        ("text", "One two."),
        ("footnote", "1 First."),
        ("footnote", "2 Second, X."),
        ("footnote", "More."),
        ("text", "Next."),
        ("heading", "1 C"),
        ("text", "New."),
        ("footnote", "1 Third."),
        ("footnote", "2 Fourth."),
    ]


def test_an_example_in_a_footnote_is_a_block_with_a_roman_number(tmp_path: Path) -> None:
    made = book(tmp_path, r"A\footnote{See \ea\gll ta\\ it\\\z too.} b. \ea c\z")
    assert blocks(made) == [
        ("text", "A b."),
        ("footnote", "1 See"),
        ("example", "(i) ta\nit"),
        ("footnote", "too."),
        ("example", "(1) c"),
    ]


def test_lists(tmp_path: Path) -> None:
    made = book(
        tmp_path,
        r"""Two: \begin{itemize}\item one \item[--] two\begin{enumerate}\item in

        more \item \textbf{last}\footnote{N.}\end{enumerate}\end{itemize} After.
        \begin{description}\item[Word] means.\end{description}""",
    )
    assert blocks(made) == [
        ("text", "Two:"),
        ("item", "• one"),
        ("item", "– two"),
        ("item", "1. in"),
        ("item", "more"),
        ("item", "2. last"),
        ("footnote", "1 N."),
        ("text", "After."),
        ("item", "Word means."),
    ]


def test_tables(tmp_path: Path) -> None:
    made = book(
        tmp_path,
        r"""\chapter{C}Before.
        \begin{table}[t]\centering\caption[short]{Over\-view of \textsc{x}}
        \begin{tabular}{@{}l*{2}{c}@{}}\toprule & \textsc{sg} & \textsc{pl}\\\cmidrule(lr){2-3}
        one  & \multicolumn{2}{c}{ta\footnote{N.}} & x \\[2pt] \midrule
        \multirow{2}{*}{two} & {a & b} & \\ \hline & & \\ last & a\&b & c \bottomrule
        \end{tabular}\end{table}
        After.""",
    )
    assert blocks(made) == [
        ("heading", "1 C"),
        ("text", "Before."),
        ("caption", "Table 1.1: Overview of X"),
        ("table", "\tSG\tPL\none\tta\t\tx\ntwo\ta\tb\nlast\ta&b\tc"),
        ("footnote", "1 N."),
        ("text", "After."),
    ]


def test_a_brace_over_rows_stays_with_what_it_opens(tmp_path: Path) -> None:
    made = book(
        tmp_path,
        r"""So: $\mbox{/t/ $\rightarrow$} \left\{ \begin{array}{ll} \mbox{[d]} & \mbox{between}\\
        \mbox{[t]} & \mbox{elsewhere} \end{array} \right.$

        After.""",
    )
    assert blocks(made) == [
        ("table", "So: /t/ → {\n[d]\tbetween\n[t]\telsewhere"),
        ("text", "After."),
    ]


def test_other_tables(tmp_path: Path) -> None:
    made = book(
        tmp_path,
        r"""\begin{tabularx}{\textwidth}{lX}a & \begin{tabular}{l}b\\c\end{tabular}\\\end{tabularx}

        \begin{tabbing}xxx \= xxx \kill a \> b \\ c \> d \end{tabbing}
        \begin{longtable}{ll}\caption{Long}\label{l}\\ h & i\\ \endfirsthead
        h & i (go on)\\ \endhead \hline \endfoot a & b\\ \end{longtable} See \ref{l}.""",
    )
    assert blocks(made) == [
        ("table", "a\tb c"),
        ("table", "a\tb\nc\td"),
        ("caption", "Table 0.1: Long"),
        ("table", "h\ti\na\tb"),
        ("text", "See 0.1."),
    ]


def test_figures_leave_their_captions(tmp_path: Path) -> None:
    made = book(
        tmp_path,
        r"""\chapter{C}\begin{figure}\includegraphics[width=1cm]{a.png}
        \begin{tikzpicture}[x=1]\node {no};\end{tikzpicture}\caption{A map}\end{figure}
        \captionof{figure}{Another}\caption*{Bare}""",
    )
    assert [text for kind, text in blocks(made) if kind == "caption"] == [
        "Figure 1.1: A map",
        "Figure 1.2: Another",
        "Bare",
    ]
    assert len(made.blocks) == 4


@pytest.mark.parametrize("late", [True, False])
def test_parts_of_figures_have_captions_and_letters(tmp_path: Path, late: bool) -> None:
    parts = r"\subfigure[East\label{e}]{\includegraphics{e}}\subfloat[\ili{West}\label{w}]{x}"
    caption = r"\caption{Maps\label{m}}"
    source = parts + caption if late else caption + parts
    made = book(
        tmp_path,
        rf"\chapter{{C}}\begin{{figure}}{source}\end{{figure}}"
        r"See \ref{e}, \ref{w}, \ref{m}.",
    )
    captions = [block.text for block in made.blocks if block.kind == "caption"]
    whole = "Figure 1.1: Maps"
    assert captions == (
        ["(a) East", "(b) West", whole] if late else [whole, "(a) East", "(b) West"]
    )
    assert made.blocks[-1].text == "See 1.1a, 1.1b, 1.1."


def test_counters(tmp_path: Path) -> None:
    made = book(
        tmp_path,
        r"""\newcounter{c}[chapter]\stepcounter{c}\addtocounter{c}{2}\thec, \arabic{c}, \alph{c}.
        \renewcommand{\thec}{<\Roman{c}>}\thec, \value{c}. \chapter{A}\thec.
        \renewcommand\thechapter{}\renewcommand\thesection{\arabic{section}}\section{B}
        \setcounter{section}{6}\section{D}\refstepcounter{c}\label{c}\ref{c}""",
    )
    assert [text for _, text in blocks(made)] == [
        "3, 3, c. <III>, 3.",
        "1 A",
        "<>.",
        "1 B",
        "7 D",
        "<I>",
    ]


@pytest.mark.parametrize(
    ("source", "texts", "what"),
    [
        (r"a } b", ["a b"], "} closes nothing"),
        (r"a \end{quote} b", ["a", "b"], "quote closes nothing"),
        (
            r"\begin{tabular}{l} a & b \section{S} c",
            ["a\tb", "0.1 S", "c"],
            "tabular is not closed",
        ),
        (r"\ea a \section{S} c", ["(1) a", "0.1 S", "c"], "exe is not closed"),
        (r"\label{a b", ["a b"], "a brace that is never closed"),
        ("a $x\n\nb", ["a x", "b"], "a $ that is never closed"),
        (r"\iffalse a", [], "a condition without \\fi"),
    ],
)
def test_what_is_malformed_is_a_remark(
    tmp_path: Path, source: str, texts: list[str], what: str
) -> None:
    made = book(tmp_path, source)
    assert [block.text for block in made.blocks] == texts
    assert what in [remark.what for remark in made.remarks]
    assert all(remark.where.startswith("main.tex") for remark in made.remarks)
