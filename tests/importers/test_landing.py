from __future__ import annotations

import shutil
from pathlib import Path

import pytest

from src.corpus.pack import load_pack
from src.corpus.writing import PackTables
from src.errors import GrambenchError
from src.importers.landing import Landed, land
from src.importers.mtob import import_mtob
from src.importers.report import Report
from src.records import Grammar, Paragraph
from tests.importers.spoiling import benchmark, change
from tests.mtob_clone import (
    ORVANE,
    Clone,
)


def outcome(clone: Clone, folder: Path, **options: bool) -> Landed:
    return import_mtob(clone.root, folder, **options)


def regrade(clone: Clone) -> None:
    shutil.rmtree(clone.root / "rerankers_metrics")
    change(benchmark(clone, ORVANE), 4, "Annotation", "1")


def test_the_same_content_is_left_as_it_is(clone, folder):
    assert outcome(clone, folder).verdict == "new"
    before = {path.name: path.stat().st_mtime_ns for path in folder.iterdir()}
    assert outcome(clone, folder).verdict == "same"
    assert {path.name: path.stat().st_mtime_ns for path in folder.iterdir()} == before
    assert [path.name for path in folder.parent.iterdir()] == ["mtob"]


def test_an_own_older_pack_is_replaced(clone, folder):
    old = outcome(clone, folder).pack.digest
    regrade(clone)
    new = outcome(clone, folder)
    assert new.verdict == "replaced"
    assert new.pack.digest != old
    assert new.pack.graded("wals_81a")[ORVANE][2][1] == 1
    assert [path.name for path in folder.parent.iterdir()] == ["mtob"]


def _edited(folder: Path) -> None:
    text = (folder / "grades.csv").read_text().replace(f"{ORVANE}/001,5", f"{ORVANE}/001,4")
    (folder / "grades.csv").write_text(text)


def _from_elsewhere(folder: Path) -> None:
    text = (folder / "SOURCE.yaml").read_text().replace("importer: mtob", "importer: other")
    (folder / "SOURCE.yaml").write_text(text)


def _with_notes(folder: Path) -> None:
    (folder / "notes.txt").write_text("mine")


def _broken(folder: Path) -> None:
    (folder / "grades.csv").write_text("nothing")


@pytest.mark.parametrize("touch", [_edited, _from_elsewhere, _with_notes, _broken])
def test_what_others_made_or_changed_is_replaced_only_on_demand(clone, folder, touch):
    outcome(clone, folder)
    touch(folder)
    regrade(clone)
    before = {path.name: path.read_bytes() for path in folder.iterdir()}
    with pytest.raises(GrambenchError, match="--replace"):
        outcome(clone, folder)
    assert {path.name: path.read_bytes() for path in folder.iterdir()} == before
    assert outcome(clone, folder, replace=True).verdict == "replaced"
    assert load_pack(folder).graded("wals_81a")[ORVANE][2][1] == 1


def test_a_folder_that_is_no_pack_is_never_replaced(clone, folder):
    folder.mkdir(parents=True)
    (folder / "thesis.txt").write_text("mine")
    with pytest.raises(GrambenchError, match="no pack"):
        outcome(clone, folder, replace=True)
    assert (folder / "thesis.txt").read_text() == "mine"


def test_an_empty_folder_is_filled(clone, folder):
    folder.mkdir(parents=True)
    assert outcome(clone, folder).verdict == "new"


@pytest.mark.parametrize("times", [1, 2])
def test_what_is_returned_is_the_pack_as_it_lies_there(clone, folder, times):
    for _ in range(times):
        landed = outcome(clone, folder)
    assert landed.pack == load_pack(folder)


def test_what_makes_no_pack_is_not_imported(tmp_path):
    tables = PackTables([Grammar("rahn1902", "Teshi")], [Paragraph("a", "rahn1902", " ")])
    with pytest.raises(GrambenchError, match="Nothing was imported") as caught:
        land(tmp_path / "toy", tables, {"importer": "x", "url": "y"}, Report(), False)
    assert "The pack 'toy' in" in str(caught.value) and "paragraph 'a' has no text" in str(
        caught.value
    )
    assert ".grambench" not in str(caught.value)
    assert not list(tmp_path.iterdir())
