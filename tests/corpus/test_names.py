from __future__ import annotations

import pytest

from src.corpus.names import check_name, find_pack, pack_names
from src.errors import GrambenchError
from tests.corpus.small_pack import small_pack


@pytest.mark.parametrize("name", ["mtob", "MTOB-14", "a", "0.1_b", "x" * 100])
def test_names_that_packs_may_have(name):
    assert check_name(name) == name


@pytest.mark.parametrize(
    "name",
    ["../x", "..", ".", "", "a/b", "a\\b", "-x", "_x", ".x", "a..b", "a b", "ä", "a\n", "x\0"],
)
def test_names_that_packs_may_not_have(name):
    with pytest.raises(GrambenchError, match="cannot be the name of a pack"):
        check_name(name)


def test_a_name_has_an_end():
    with pytest.raises(GrambenchError, match="at most 100 characters"):
        check_name("x" * 101)


def test_packs_are_found_by_name(tmp_path):
    folder = small_pack(tmp_path / "toy")
    assert find_pack(tmp_path, "toy") == folder
    with pytest.raises(GrambenchError, match="cannot be the name"):
        find_pack(tmp_path / "toy", "../toy")
    with pytest.raises(GrambenchError, match="Did you mean 'toy'"):
        find_pack(tmp_path, "tpy")


def test_folders_that_hold_no_pack_are_not_listed(tmp_path):
    small_pack(tmp_path / "toy")
    small_pack(tmp_path / "broken", grammars_csv=None)
    small_pack(tmp_path / ".hidden")
    (tmp_path / "empty").mkdir()
    (tmp_path / "file").write_text("")
    assert pack_names(tmp_path) == ["broken", "toy"]
    assert pack_names(tmp_path / "nowhere") == []
