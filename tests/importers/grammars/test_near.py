from __future__ import annotations

import pytest

from src.importers.grammars.near import Hints, near_name, stem_of


@pytest.mark.parametrize(
    ("unknown", "known", "near"),
    [
        ("nosuch.pdf", ["enc.pdf"], ""),
        ("tavello.pdf", ["enc.pdf", "tavelo.pdf"], "tavelo.pdf"),
        ("Tavelo.txt", ["tavelo.pdf"], "tavelo.pdf"),
        ("zot/AB12/tavel.pdf", ["tavelo"], "tavelo"),
        ("C:\\books\\tavel.pdf", ["tavelo"], "tavelo"),
        ("tavel", ["x/tavelo.md"], "x/tavelo.md"),
        ("tavel", [], ""),
        ("", ["", "a"], ""),
    ],
)
def test_folders_and_endings_do_not_make_names_alike(unknown, known, near):
    assert near_name(unknown, known) == (f" Did you mean '{near}'?" if near else "")


def test_only_the_first_20_get_a_hint():
    hints = Hints(["tavelo"])
    assert [bool(hints.near("tavel")) for _ in range(22)] == [True] * 20 + [False] * 2


def test_only_a_files_ending_is_no_part_of_its_stem():
    assert [stem_of(name) for name in ("a.b.PDF", "ik.2014", "x.tex")] == ["a.b", "ik.2014", "x"]
