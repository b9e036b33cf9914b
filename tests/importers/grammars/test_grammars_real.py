"""The 11 books of Language Science Press in one command."""

from __future__ import annotations

from pathlib import Path

import pytest

from src import data
from src.corpus.pack import Pack, load_pack

pytestmark = pytest.mark.realdata

BOOKS = ["212", "225", "295", "298", "308", "344", "78", "82", "83", "85", "98"]


@pytest.fixture(scope="module")
def folder(real_data) -> Path:
    if not (real_data / "langsci").is_dir():
        pytest.skip("../shared/data/langsci is not here")
    return real_data / "langsci"


@pytest.fixture(scope="module")
def pack(folder, tmp_path_factory) -> Pack:
    data_dir = tmp_path_factory.mktemp("data")
    arguments = ["import", "grammars", str(folder), "--name", "langsci"]
    assert data.main([*arguments, "--data-dir", str(data_dir)]) == 0
    return load_pack(data_dir / "langsci")


def test_all_books_are_whole(pack):
    assert [g.id for g in pack.grammars] == BOOKS
    assert all(document.form == "latex" for document in pack.documents.values())
    assert all(document.characters > 400_000 for document in pack.documents.values())
    assert all(len(pack.pool("")[book]) > 500 for book in BOOKS)
    assert all(g.title and g.author for g in pack.grammars)


@pytest.mark.parametrize("book", BOOKS)
def test_next_to_no_latex_is_left_in_paragraphs(pack, book):
    assert pack.documents[book].residue < 0.005


def test_no_character_is_lost(pack):
    assert all(document.replaced < 1e-4 for document in pack.documents.values())


def test_importing_again_reads_nothing(pack, folder, capsys):
    arguments = ["import", "grammars", str(folder), "--name", "langsci"]
    assert data.main([*arguments, "--data-dir", str(pack.path.parent)]) == 0
    said = capsys.readouterr().out
    assert "left as it is" in said
    assert "Files: 11 unchanged, 0 read." in said
