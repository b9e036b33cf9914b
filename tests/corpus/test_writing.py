from __future__ import annotations

import os
import re
import subprocess
import sys
import time
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path

import pytest
from hypothesis import given
from hypothesis import strategies as st

from src.corpus import swapping
from src.corpus.pack import load_pack
from src.corpus.swapping import leftover_name
from src.corpus.writing import PackTables, put_in_place, temporary_pack, write_tables
from src.corpus.yaml_files import write_mapping
from src.errors import GrambenchError
from src.records import Grade, Grammar, Paragraph
from tests.corpus.small_pack import small_pack

TEXTS = st.text(st.characters(exclude_categories=["Cs"]), min_size=1, max_size=60).filter(str.strip)


def tables(text: str = "The verb is last.") -> PackTables:
    return PackTables(
        grammars=[Grammar("rahn1902", "Teshi", year="1902"), Grammar("bay1999", "")],
        paragraphs=[
            Paragraph("rahn1902/001", "rahn1902", text, (3, 4)),
            Paragraph("rahn1902/002", "rahn1902", "Nouns have case."),
        ],
        grades=[Grade("wals_81a", "rahn1902/002", 0), Grade("wals_81a", "rahn1902/001", 5)],
        queries={"wals_81a": {"summary": "a\nb"}},
        scores={("m", "default", "term", "wals_81a"): {"rahn1902/001": 0.1 + 0.2}},
    )


def write(folder: Path, content: PackTables, form: str = "parquet") -> None:
    folder.mkdir(exist_ok=True)
    write_tables(folder, content, form)
    write_mapping(folder / "SOURCE.yaml", {"origin": "invented"})


@pytest.mark.parametrize("form", ["parquet", "csv"])
def test_a_pack_is_read_as_it_was_written(tmp_path, form):
    content = tables()
    write(tmp_path / "toy", content, form)
    pack = load_pack(tmp_path / "toy")
    assert pack.grammars == tuple(content.grammars)
    assert list(pack.paragraphs.values()) == content.paragraphs
    assert pack.grades == {"wals_81a": {"rahn1902/002": 0, "rahn1902/001": 5}}
    assert pack.queries == content.queries
    assert pack.recorded == content.scores
    assert (tmp_path / "toy" / f"paragraphs.{form}").exists()


@given(TEXTS, st.sampled_from(["parquet", "csv"]))
def test_text_is_kept_but_for_nfc(tmp_path_factory, text, form):
    from src.corpus.text import nfc

    folder = tmp_path_factory.mktemp("toy")
    write(folder, tables(text), form)
    assert load_pack(folder).paragraphs["rahn1902/001"].text == nfc(text)


def test_equal_records_give_equal_packs_and_empty_tables_no_files(tmp_path):
    for name in ("a", "b"):
        write(tmp_path / name, tables())
    assert load_pack(tmp_path / "a").digest == load_pack(tmp_path / "b").digest
    write(tmp_path / "c", PackTables([Grammar("x", "X")]))
    assert sorted(path.name for path in (tmp_path / "c").iterdir()) == [
        "SOURCE.yaml",
        "grammars.csv",
    ]


def replace(folder: Path, text: str) -> None:
    with temporary_pack(folder) as temporary:
        write(temporary, tables(text))
        put_in_place(temporary, folder)


def text_of(folder: Path) -> str:
    return load_pack(folder).paragraphs["rahn1902/001"].text


def only(parent: Path) -> list[str]:
    return sorted(path.name for path in parent.iterdir())


@pytest.mark.parametrize("at_once", [True, False])
def test_a_new_pack_takes_the_old_one_s_place(tmp_path, monkeypatch, at_once):
    if not at_once:
        monkeypatch.setattr(swapping, "_exchange_at_once", lambda one, other: False)
    folder = tmp_path / "data" / "toy"
    replace(folder, "old")
    assert text_of(folder) == "old"
    (folder / "mine.txt").write_text("")
    replace(folder, "new")
    assert text_of(folder) == "new"
    assert only(folder.parent) == ["toy"]
    assert not (folder / "mine.txt").exists()


def test_folders_change_places_at_once_on_linux(tmp_path):
    if not sys.platform.startswith("linux"):
        pytest.skip("only Linux is asked for it")
    small_pack(tmp_path / "a")
    (tmp_path / "b").mkdir()
    assert swapping._exchange_at_once(tmp_path / "b", tmp_path / "a")
    assert not any((tmp_path / "a").iterdir())
    assert len(only(tmp_path / "b")) == 6


def test_a_failure_leaves_the_old_pack_and_nothing_else(tmp_path):
    folder = tmp_path / "toy"
    replace(folder, "old")
    with pytest.raises(RuntimeError), temporary_pack(folder) as temporary:
        write(temporary, tables("new"))
        raise RuntimeError
    assert text_of(folder) == "old"
    assert only(tmp_path) == ["toy"]


def test_a_failing_second_rename_puts_the_old_pack_back(tmp_path, monkeypatch):
    monkeypatch.setattr(swapping, "_exchange_at_once", lambda one, other: False)
    folder = tmp_path / "toy"
    replace(folder, "old")
    with pytest.raises(OSError, match="missing"):
        swapping.exchange(tmp_path / "missing", folder)
    assert text_of(folder) == "old"
    assert only(tmp_path) == ["toy"]


KILLED = """
import os, signal, sys
from pathlib import Path
from src.corpus.writing import put_in_place, temporary_pack
from tests.corpus.test_writing import tables, write

with temporary_pack(Path(sys.argv[1])) as temporary:
    write(temporary, tables("new"))
    os.kill(os.getpid(), signal.SIGKILL)
"""


def test_a_kill_leaves_the_old_pack_and_its_remains_go_at_the_next_import(tmp_path):
    folder = tmp_path / "toy"
    replace(folder, "old")
    root = Path(__file__).parents[2]
    done = subprocess.run([sys.executable, "-c", KILLED, str(folder)], cwd=root, check=False)
    assert done.returncode == -9
    assert text_of(folder) == "old"
    assert len(only(tmp_path)) == 2
    replace(folder, "newer")
    assert text_of(folder) == "newer"
    assert only(tmp_path) == ["toy"]


SAY_A_NAME_AND_WAIT = """
import sys
from src.corpus.swapping import leftover_name

print(leftover_name(sys.argv[1], "toy"), flush=True)
input()
"""


@contextmanager
def other_process(role: str) -> Iterator[str]:
    """Yield the temporary folder's name of a process that lives until the end."""
    with subprocess.Popen(
        [sys.executable, "-c", SAY_A_NAME_AND_WAIT, role],
        cwd=Path(__file__).parents[2],
        stdin=subprocess.PIPE,
        stdout=subprocess.PIPE,
        text=True,
    ) as child:
        yield child.stdout.readline().strip()
        child.communicate("\n")


def test_names_of_temporary_folders_suit_every_file_system():
    name = leftover_name("new", "a-pack_1.0")
    assert re.fullmatch(r"\.grambench-new-a-pack_1\.0-[0-9a-f]{8}-\d+-\d+\.\d+", name)


def test_a_pack_that_was_moved_away_comes_back(tmp_path):
    with other_process("old") as moved:
        small_pack(tmp_path / moved)
    with temporary_pack(tmp_path / "other"):
        assert load_pack(tmp_path / "toy").name == "toy"


def test_folders_of_living_processes_and_other_machines_are_left_for_a_day(tmp_path):
    with other_process("new") as living:
        elsewhere = tmp_path / ".grambench-new-toy-00000000-1-1.00"
        long_ago = tmp_path / ".grambench-new-toy-00000000-2-1.00"
        for folder in (tmp_path / living, elsewhere, long_ago):
            folder.mkdir()
        old = time.time() - 90_000
        os.utime(long_ago, (old, old))
        swapping.tidy(tmp_path)
        assert (tmp_path / living).exists()
        assert elsewhere.exists()
        assert not long_ago.exists()
    swapping.tidy(tmp_path)
    assert not (tmp_path / living).exists()


def test_a_living_process_that_reuses_the_number_is_not_taken_for_the_maker(tmp_path):
    with other_process("new") as living:
        name, _, created = living.rpartition("-")
        reused = tmp_path / f"{name}-{float(created) - 100:.2f}"
        reused.mkdir()
        swapping.tidy(tmp_path)
        assert not reused.exists()


def test_what_this_process_could_not_remove_earlier_goes_at_its_next_import(tmp_path):
    (tmp_path / leftover_name("new", "toy")).mkdir()
    replace(tmp_path / "toy", "new")
    assert only(tmp_path) == ["toy"]


def test_a_linked_pack_is_replaced_where_it_lies(tmp_path):
    (tmp_path / "disk").mkdir()
    replace(tmp_path / "disk" / "toy", "old")
    (tmp_path / "toy").symlink_to(tmp_path / "disk" / "toy")
    replace(tmp_path / "toy", "new")
    assert (tmp_path / "toy").is_symlink()
    assert text_of(tmp_path / "disk" / "toy") == "new"


def test_what_is_wrong_with_the_disk_is_said(tmp_path):
    (tmp_path / "file").write_text("")
    with pytest.raises(GrambenchError, match="is a file"), temporary_pack(tmp_path / "file"):
        pass
    inside = tmp_path / "file" / "toy"
    with pytest.raises(GrambenchError, match="Cannot write the pack"), temporary_pack(inside):
        pass
