"""LaTeX to Unicode: accents, dashes, quotes, symbols, mathematics, IPA, citations, residue."""

from __future__ import annotations

import unicodedata
from pathlib import Path

import pytest
from hypothesis import HealthCheck, given, settings
from hypothesis import strategies as st

from src.books.latex import read_latex, residue
from src.books.latex.citing import name_and_year
from src.books.latex.numbering import letters, roman
from tests.books.latex.writing import blocks, read


@pytest.mark.parametrize(
    ("source", "expected"),
    [
        (r"\'e \`{a} \~{n} \"o \^\i{} \={u} \.z", "é à ñ ö î ū ż"),
        (r"\c{c} \v{s}\v c \k{a} \r{a} \H{o} \u{g} \d{t} \b{t}", "ç šč ą å ő ğ ṭ ṯ"),
        (r"\'{\i} \'{\=a} \t{ts}", "í ā́ t͡s"),
        (r"\'{ɛ}\~{ɔ}", "ɛ́ɔ̃"),
        ("``So'', she said, `yes'.", "“So”, she said, ‘yes’."),
        ("1--2 --- a-b", "1–2 — a-b"),
        (r"a~b\\c \% \& \$ \# \_ \{ \}", "a b c % & $ # _ { }"),
        (r"\oe\ae\o\ss{} \textlangle a\textrangle{} \textasciitilde{} \S 3", "œæøß ⟨a⟩ ~ §3"),
        (r"$a \rightarrow b$, $\emptyset$, 3$\times$, $\alpha$", "a → b, ∅, 3×, α"),
        (r"x$_1$ y$_{12}$ z$_{\text{OBJ}}$ t\textsuperscript{h} 2$^n$", "x₁ y₁₂ zOBJ tʰ 2ⁿ"),
        (r"H\textsubscript{2}O, 20\textsuperscript{th}, k\textsuperscript{w}", "H₂O, 20th, kʷ"),
        (r"\textipa{N@S} \textipa{\:t\!b\;R\*r} \textesh\textschwa", "ŋəʃ ʈɓʀɹ ʃə"),
        (r"{\bfseries bold} {\small \itshape small} \textit{\textbf{both}}", "bold small both"),
        (r"\textsc{pl} \textsc{1\textit{sg}} {\scshape erg} abs", "PL 1SG ERG abs"),
        (r"\textsc{dat\textnormal{x}}", "DATx"),
        (r"a\is{index!entry} b\il{X} \isi{noun} \ili{Ket}\index{x} c\label{l}", "a b noun Ket c"),
        (r"a\todo{later} b\hspace*{1cm}c\vspace{-2pt} d\footnotemark[1]", "a bc d"),
        (r"a\hangindent=6pt b\hskip.5pt(\kern-.25pt c) \vskip 1em plus 2pt d", "ab(c) d"),
        (r"\url{a.b/c\_d%20e} \href{http://x.y/%z}{text} \verb|\a{b}|", r"a.b/c_d%20e text \a{b}"),
        (r"\textcolor{red}{r} \parbox[t]{3cm}{p} \raisebox{1ex}{q} \mbox{m}", "r p q m"),
        (r'\symbol{"5B}x\symbol{93} \ldots{} \dots', "[x] … …"),
        (r"\ob{}a\cb{} soft\-hyphen word\slash part", "[a] softhyphen word/part"),
        (r'pfv"=msg non"=\isi{nominative}', "pfv-msg non-nominative"),
        (r"he$_i$ saw \textsubscript{j}, 1$_{x}$ C$_{ab}$", "heᵢ saw ⱼ, 1ₓ Cab"),
        (r"story by \iai{Dpalcan}\ia{Dpalcan}.", "story by Dpalcan."),
        (
            r"one\linebreak two \texorpdfstring{\textit{-ta}}{ta} \rotatehead{Labial}",
            "one two -ta Labial",
        ),
        (r"$a \parbox{2cm}{`bamboo knife'} \text{x-y} b-c'$", "a ‘bamboo knife’ x-y b−c′"),
        (r"$\left\{ a \right.$ b", "{ a b"),
        (r"\advance\tabcolsep-1bp a\advance\parskip by 2\baselineskip b\advance\x by -1 c", "abc"),
        (r'\tabcolsep2.5pt a\parskip 1em b\XeTeXlinebreaklocale "zh" c\tabcolsep d', "ab cd"),
        (r"$x$ and $y", "x and y"),
        ("e\u0301", "é"),
        (r"\enquote{so} \MakeUppercase{ab} \frac{1}{2}", "“so” AB 1/2"),
        (r"\begin{tikzpicture}\node{x};\end{tikzpicture}\begin{forest}[a]\end{forest}.", "."),
        (r"\begin{quote}Said.\end{quote}", "Said."),
        (r"a [b] c \\[1ex] d \\ {}[...] e", "a [b] c d [...] e"),
    ],
)
def test_text(tmp_path: Path, source: str, expected: str) -> None:
    made = read(tmp_path, source)
    assert " ".join(block.text for block in made.blocks) == expected
    assert all(unicodedata.is_normalized("NFC", block.text) for block in made.blocks)


@pytest.mark.parametrize(
    ("source", "expected"),
    [
        (r"\citet[72]{Miestamo2005}", "Miestamo (2005: 72)"),
        (r"\citep{Miestamo2005}", "(Miestamo 2005)"),
        (r"\citep[see][12--14]{Miestamo2005}", "(see Miestamo 2005: 12–14)"),
        (r"\citealt{Miestamo2005,Dryer:1992b}", "Miestamo 2005; Dryer 1992b"),
        (r"\citeauthor{Dryer1992}, \citeyear{Dryer1992}", "Dryer, 1992"),
        (r"\citet{nokey}", "nokey"),
        (
            r"in \cites[28]{Dryer1992}[see][3]{Cowan1960}{Abe2001} [a]",
            "in Dryer 1992: 28; see Cowan 1960: 3; Abe 2001 [a]",
        ),
        (r"\parencites{Dryer1992}{Abe2001}", "(Dryer 1992; Abe 2001)"),
        (r"\textcites[2]{Dryer1992}{Abe2001} say", "Dryer (1992: 2); Abe (2001) say"),
        (r"\citegen{Dryer1992} view", "Dryer’s (1992) view"),
    ],
)
def test_citations(tmp_path: Path, source: str, expected: str) -> None:
    assert blocks(read(tmp_path, source)) == [("text", expected)]


@pytest.mark.parametrize(
    ("key", "expected"),
    [
        ("dryer1992", ("Dryer", "1992")),
        ("DryerHaspelmath2013", ("Dryer & Haspelmath", "2013")),
        ("DryerEtAl2013", ("Dryer et al.", "2013")),
        ("VanValin1993", ("VanValin", "1993")),
        ("jacques16comp", ("Jacques", "2016")),
        ("stassen:1997a", ("Stassen", "1997a")),
        ("Dryer2013:81", ("Dryer", "2013")),
        ("Dryer:2013vp", ("Dryer", "2013")),
        ("CerroP1987", ("CerroP", "1987")),
        ("fieldnotes", ("fieldnotes", "")),
    ],
)
def test_keys_tell_author_and_year(key: str, expected: tuple[str, str]) -> None:
    assert name_and_year(key) == expected


def test_counting_with_letters() -> None:
    assert [letters(n) for n in (0, 1, 26, 27, 52, 53)] == ["", "a", "z", "aa", "az", "ba"]
    assert [roman(n) for n in (1, 4, 9, 14, 1990)] == ["i", "iv", "ix", "xiv", "mcmxc"]


@pytest.mark.parametrize(
    ("text", "expected"),
    [
        (r"a \textbf{b}", True),
        (r"\begin{x}", True),
        (r"5\%", True),
        (r"\ob", True),
        ("a {b} & c", False),
        (r"y\fath/wr", False),
        (r"a \ b", False),
        ("plain", False),
    ],
)
def test_residue(text: str, expected: bool) -> None:
    assert residue(text) is expected


SPECIAL = "\\{}$&%^_#~`'\"-\x00"


@settings(suppress_health_check=[HealthCheck.function_scoped_fixture], max_examples=150)
@given(st.text(st.characters(exclude_characters=SPECIAL, exclude_categories=["Cs", "Cn", "Co"])))
def test_plain_text_comes_through_unchanged_up_to_white_space(tmp_path: Path, text: str) -> None:
    path = tmp_path / "main.tex"
    path.write_text(text, encoding="utf-8", newline="")
    made = " ".join(block.text for block in read_latex(path).blocks)
    expected = unicodedata.normalize("NFC", text.removeprefix("\ufeff"))
    assert "".join(made.split()) == "".join(expected.split())


LATEX = r"""
    \begin{exe} \end{exe} \ex \ea \z \gll \glt \\ \begin{tabular}{ll} \end{tabular} & { } $ [ ]
    \begin{xlist} \end{xlist} \footnote{ \section{ \label{a} \ref{a} \caption{ \begin{table}
    \end{table} \item \begin{itemize} \end{itemize} \textsc \textsc{ \'e \' \newcommand{\x}{ \x
    \def\y#1{ \y #1 \iffalse \fi \else % ^ _ word \par \input{main} \include{b} \let\x\y \let
    \begin{document} \end{document} \documentclass{book} \begin \end \verb| \url{ \href
    \multicolumn \exp{a} \exi{b} \chapter \appendix \setcounter{exx}{ \the \value{a}
    \begin{tikzpicture} \gloexe \glotran \morglo \eabox \citet[ \kern = -1pt \csname
    \ifthenelse \newenvironment{m}{ \begin{m} \end{m} \endinput \maketitle \title{ \begingroup
    \endgroup \nameref{a}"""
PIECES = st.sampled_from(LATEX.split())


@settings(suppress_health_check=[HealthCheck.function_scoped_fixture], max_examples=400)
@given(st.lists(PIECES | st.sampled_from([" ", "\n", "\n\n", "x"]), max_size=30))
def test_no_latex_crashes_the_reader(tmp_path: Path, pieces: list[str]) -> None:
    path = tmp_path / "main.tex"
    path.write_text("".join(pieces), encoding="utf-8", newline="")
    (tmp_path / "b.tex").write_text("\\ea b \\z")
    made = read_latex(path)
    assert all(block.text and "\ufdd0" not in block.text for block in made.blocks)


@settings(suppress_health_check=[HealthCheck.function_scoped_fixture], max_examples=200)
@given(st.binary())
def test_no_bytes_crash_the_reader(tmp_path: Path, data: bytes) -> None:
    path = tmp_path / "main.tex"
    path.write_bytes(data)
    made = read_latex(path)
    assert all(block.text.strip() for block in made.blocks)
