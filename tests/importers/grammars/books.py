"""Small invented grammars as files."""

from __future__ import annotations

from pathlib import Path

from tests.importers.grammars.pdfs import text_pdf

WORDS = (
    "The language has a rich system of affixes. Nouns take a suffix for each case. "
    "The verb stands at the end of the clause, and its object comes before it. "
)


def write_text(path: Path, pages: int = 3, first: str = "Nouns") -> Path:
    """Write plain text with a form feed between pages, no line of which stands on two of them."""
    texts = [
        f"{first} of page {n}. {WORDS}\n\n{WORDS * 2}\n".replace("language", dialect(n))
        for n in range(1, pages + 1)
    ]
    path.parent.mkdir(parents=True, exist_ok=True)
    path.write_text("\f".join(texts), encoding="utf-8")
    return path


def write_latex(folder: Path, first: str = "Verbs") -> Path:
    """Write a project: main.tex, and a chapter that it includes."""
    chapters = folder / "chapters"
    chapters.mkdir(parents=True)
    (folder / "main.tex").write_text(
        "\\documentclass{book}\n\\title{A grammar of Oko}\n\\author{Ann Orr}\n"
        "\\begin{document}\n\\include{chapters/one}\n\\end{document}\n",
        encoding="utf-8",
    )
    (chapters / "one.tex").write_text(
        f"\\chapter{{{first}}}\\label{{ch:verbs}}\n{first} come last. {WORDS}\n\n{WORDS * 2}\n"
        "\\section{Tone}\nTone is high or low.\n\\section{Vowels}\nVowels are long.\n",
        encoding="utf-8",
    )
    (chapters / "left_out.tex").write_text("Nobody includes this.\n", encoding="utf-8")
    return folder


def write_pdf(path: Path, pages: int = 3, repeats: int = 3) -> Path:
    """Write a PDF of running text, in which no line stands on two pages, as headers do."""
    path.parent.mkdir(parents=True, exist_ok=True)
    path.write_bytes(text_pdf([_lines(n, repeats) for n in range(1, pages + 1)]))
    return path


def dialect(page: int) -> str:
    """Name the dialect that a page is about: a word without digits."""
    return "".join("Bkdfglmnrs"[int(digit)] + "ao"[int(digit) % 2] for digit in str(page))


def _lines(page: int, repeats: int) -> list[str]:
    name = dialect(page)
    return [
        f"In the {name} dialect the tone of verbs is high.",
        f"The nouns of {name} take a suffix for each of their cases.",
        f"Speakers of {name} put the verb at the end of the clause.",
    ] * repeats
