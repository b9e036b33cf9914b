from __future__ import annotations

import hashlib
import shutil

from src.corpus.digest import pack_digest
from src.corpus.pack import load_pack
from tests.corpus.small_pack import FILES, small_pack


def test_the_digest_covers_names_and_contents_of_the_tables(tmp_path):
    folder = small_pack(tmp_path / "toy", scores_csv=None, queries_yaml=None)
    lines = [
        f"{name}\0{hashlib.sha256(FILES[name].encode()).hexdigest()}\n"
        for name in ("grades.csv", "grammars.csv", "paragraphs.csv")
    ]
    assert load_pack(folder).digest == hashlib.sha256("".join(lines).encode()).hexdigest()


def test_where_a_pack_lies_and_how_it_came_there_do_not_count(tmp_path):
    folder = small_pack(tmp_path / "toy")
    before = pack_digest(folder)
    shutil.copytree(folder, tmp_path / "elsewhere" / "other")
    other = tmp_path / "elsewhere" / "other"
    (other / "SOURCE.yaml").write_text("date: 2026-01-01\n")
    (other / "import_report.csv").write_text("level\n")
    (other / "notes.txt").write_text("mine")
    assert pack_digest(other) == before


def test_every_table_counts(tmp_path):
    digests = {pack_digest(small_pack(tmp_path / "toy"))}
    for name in ("grammars_csv", "paragraphs_csv", "grades_csv", "queries_yaml", "scores_csv"):
        changed = FILES[name.replace("_", ".")] + " "
        digests.add(pack_digest(small_pack(tmp_path / name, **{name: changed})))
    for name in ("documents", "gold_pages", "candidates"):
        folder = small_pack(tmp_path / name)
        (folder / f"{name}.csv").write_text("a\n")
        digests.add(pack_digest(folder))
    assert len(digests) == 9
