from __future__ import annotations

from pathlib import Path

import pytest

from src.importers.grammars.finding import Found
from src.importers.grammars.matching import Names

NAMES = Names(
    [
        Found("carlson1994grammar", Path("books/carlson1994grammar.pdf"), "c.pdf", 1),
        Found("Old_Book", Path("books/Old Book/main.tex"), "Old Book/main.tex", 1),
        Found("ik.2014", Path("books/ik.2014.txt"), "ik.2014.txt", 1),
    ]
)


@pytest.mark.parametrize(
    ("key", "id_"),
    [
        ("carlson1994grammar", "carlson1994grammar"),
        ("Carlson1994Grammar.PDF", "carlson1994grammar"),
        ("/elsewhere/carlson1994grammar.pdf", "carlson1994grammar"),
        ("C:\\books\\carlson1994grammar.pdf", "carlson1994grammar"),
        ("Old Book", "Old_Book"),
        ("old_book", "Old_Book"),
        ("here/Old Book/main.tex", "Old_Book"),
        ("ik.2014", "ik.2014"),
        (" ik.2014.txt ", "ik.2014"),
    ],
)
def test_a_grammar_goes_by_many_names(key, id_):
    assert NAMES.find(key).id == id_


@pytest.mark.parametrize("key", ["main.tex", "main", "carlson", "ik", "", "/", "other/main.tex"])
def test_what_names_none_finds_none(key):
    assert NAMES.find(key) is None


def test_case_counts_where_it_tells_two_apart():
    both = [Found(name, Path(f"{name}.pdf"), f"{name}.pdf", 1) for name in ("Foo", "foo")]
    names = Names(both)
    assert [names.find(key).id for key in ("Foo", "foo", "foo.pdf", "x/Foo.pdf")] == [
        *("Foo", "foo", "foo", "Foo")
    ]
    assert names.find("FOO") is None
