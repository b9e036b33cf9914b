"""The eleven grammars of Language Science Press, read from their sources."""

from __future__ import annotations

import re
from functools import cache
from pathlib import Path

import pytest

from src.books.book import Book
from src.books.latex import residue
from src.books.latex.reader import book_of, read_project

LANGSCI = Path(__file__).parents[3] / ".." / "shared" / "data" / "langsci"
BOOKS = ("78", "82", "83", "85", "98", "212", "225", "295", "298", "308", "344")
pytestmark = [
    pytest.mark.realdata,
    pytest.mark.skipif(not LANGSCI.is_dir(), reason="the books are not here"),
]
_COMMENT = re.compile(r"(?<!\\)((?:\\\\)*)%.*")
_HIDDEN = re.compile(r"\\iffalse.*?\\fi\b|\\begin\{comment\}.*?\\end\{comment\}", re.S)
_STEPS = re.compile(
    r"\\(?:begin\{linenumbers\}\s*\\gll|begin\{exe\}|end\{exe\}|(?:ea|z|zl|zlast|eabox|gloexe|(?:sub)*section)(?![A-Za-z@]))"
)
_NOT_TEXT = ("localcommands.tex", "localpackages.tex", "main.tex")


@cache
def whole(name: str) -> tuple[Book, tuple[str, ...]]:
    engine = read_project(LANGSCI / name / "main.tex")
    return book_of(engine), tuple(engine.project.pieces)


def reading(name: str) -> Book:
    return whole(name)[0]


def environments(source: str) -> int:
    """Count examples in LaTeX source by their outermost beginnings alone."""
    source = _HIDDEN.sub("", _COMMENT.sub(r"\1", source)).partition("\\end{document}")[0]
    found = depth = 0
    for step in _STEPS.findall(source):
        if step.endswith("section"):
            depth = 0
        elif step in ("\\end{exe}", "\\z", "\\zl", "\\zlast"):
            depth = max(0, depth - 1)
        else:
            found += not depth
            depth += step in ("\\begin{exe}", "\\ea")
    return found


@pytest.mark.parametrize("name", BOOKS)
def test_hardly_a_block_holds_latex(name: str) -> None:
    made = reading(name)
    left = [block.text for block in made.blocks if residue(block.text)]
    assert len(left) / len(made.blocks) < 0.005, left[:5]
    assert not any("\ufdd0" in block.text for block in made.blocks)


@pytest.mark.parametrize("name", BOOKS)
def test_every_example_environment_is_one_block(name: str) -> None:
    found = sum(block.kind == "example" for block in reading(name).blocks)
    folder = LANGSCI / name
    files = whole(name)[1]
    expected = sum(
        environments((folder / file).read_text(encoding="utf-8-sig"))
        for file in files
        if file not in _NOT_TEXT
    )
    assert abs(found - expected) <= max(3, expected // 200), (found, expected)


@pytest.mark.parametrize("name", BOOKS)
def test_chapters_are_those_that_the_main_file_includes_in_its_order(name: str) -> None:
    folder = LANGSCI / name
    main = _COMMENT.sub(r"\1", (folder / "main.tex").read_text(encoding="utf-8-sig"))
    path = re.search(r"\\newcommand\{\\chapterpath\}\{(\w+)\}", main)
    asked = [
        file.replace("\\chapterpath", path[1] if path else "") + ".tex"
        for file in re.findall(r"\\(?:include|includepaper)\{([^}]*)\}", main)
    ]
    pieces = whole(name)[1]
    assert [piece for piece in pieces if piece in asked] == [
        file for file in asked if (folder / file).is_file()
    ]
    assert not any("draft" in piece or "skeleton" in piece for piece in pieces)


@pytest.mark.parametrize("name", BOOKS)
def test_nearly_all_references_lead_somewhere(name: str) -> None:
    lost = [remark for remark in reading(name).remarks if "leads nowhere" in remark.what]
    assert len(lost) <= 15
    assert reading(name).metadata["title"]
    assert reading(name).metadata["author"]


@pytest.mark.parametrize(
    ("name", "kind", "text"),
    [
        ("295", "heading", "2 A grammatical sketch"),
        ("212", "heading", "1 Preliminaries"),
        ("225", "heading", "5 Moods of Mehweb"),
        ("298", "heading", "8 Complex clauses"),
        ("308", "heading", "2 Phonology"),
    ],
)
def test_chapters_have_their_numbers(name: str, kind: str, text: str) -> None:
    assert (kind, text) in {(block.kind, block.text[: len(text)]) for block in reading(name).blocks}
