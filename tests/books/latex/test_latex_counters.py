"""Counters that a book changes, and headings named where none is meant."""

from __future__ import annotations

from pathlib import Path

from tests.books.latex.writing import book

CHAPTERS = r"\chapter{A}\section{B}\chapter{C}\section{D}\label{d} See \ref{d}."


def headings(folder: Path, before: str) -> list[str]:
    return [b.text for b in book(folder, before + CHAPTERS).blocks if b.kind == "heading"]


def test_sections_that_run_through_the_book(tmp_path: Path) -> None:
    made = book(tmp_path, r"\counterwithout{section}{chapter}" + CHAPTERS)
    assert [b.text for b in made.blocks] == ["1 A", "1 B", "2 C", "2 D", "See 2."]


def test_a_star_leaves_the_number_as_it_is_written(tmp_path: Path) -> None:
    before = r"\counterwithout*{section}{chapter}"
    assert headings(tmp_path, before) == ["1 A", "1.1 B", "2 C", "2.2 D"]


def test_formats_of_headings_are_no_headings(tmp_path: Path) -> None:
    before = r"""\titleformat{\chapter}[hang]{\Large}{\thechapter}{1em}{}
        \titleformat*{\section}{\bfseries}\titlespacing*{\chapter}{0pt}{20pt}{18pt}"""
    assert headings(tmp_path, before) == ["1 A", "1.1 B", "2 C", "2.1 D"]
