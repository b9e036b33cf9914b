from __future__ import annotations

import unicodedata

import numpy as np
import pyarrow as pa
import pyarrow.parquet as pq
import pytest
from hypothesis import given
from hypothesis import strategies as st

from src.corpus.problems import Problems
from src.corpus.tables import columns_of, parse_csv, read_table, write_csv, write_parquet
from src.corpus.text import decode, excerpt, nfc
from src.corpus.yaml_files import read_mapping, write_mapping

TEXTS = st.text(st.characters(exclude_categories=["Cs"]), max_size=40)


@given(st.lists(st.tuples(TEXTS, TEXTS), max_size=5))
def test_csv_keeps_every_character(tmp_path_factory, rows):
    folder = tmp_path_factory.mktemp("csv")
    columns = {"feature": [a for a, _ in rows], "paragraph": [b for _, b in rows]}
    write_csv(folder / "grades.csv", columns)
    problems = Problems()
    table = read_table(folder, "grades", ["feature"], problems)
    assert problems.found == []
    assert {name: list(values) for name, values in table.columns.items()} == columns


@given(st.lists(st.tuples(TEXTS, st.floats(allow_nan=False)), min_size=1, max_size=5))
def test_parquet_keeps_every_character_and_number(tmp_path_factory, rows):
    folder = tmp_path_factory.mktemp("parquet")
    columns = {"paragraph": [a for a, _ in rows], "score": [b for _, b in rows]}
    write_parquet(folder / "scores.parquet", columns)
    table = read_table(folder, "scores", ["paragraph", "score"], Problems())
    assert table.columns == columns


def test_equal_tables_give_equal_bytes(tmp_path):
    columns = {
        "id": [f"g/{n:03d}" for n in range(500)],
        "score": [n / 7 for n in range(500)],
        "pages": [(n, n + 1) for n in range(500)],
    }
    for name in ("a.parquet", "b.parquet"):
        write_parquet(tmp_path / name, columns)
    assert (tmp_path / "a.parquet").read_bytes() == (tmp_path / "b.parquet").read_bytes()
    assert pq.read_table(tmp_path / "a.parquet").column("pages")[3].as_py() == [3, 4]


def test_rows_of_a_task_come_back_as_they_were(tmp_path):
    rows = [
        {"id": "a", "curve": [0.5, 1.0], "pages": (), "n": 1, "share": None, "good": True},
        {"id": "b", "curve": [], "pages": (7,), "n": 2, "share": 0.25, "late": np.int64(3)},
    ]
    write_parquet(tmp_path / "rows.parquet", columns_of(rows))
    assert pq.read_table(tmp_path / "rows.parquet").to_pylist() == [
        {**rows[0], "pages": [], "late": None},
        {**rows[1], "pages": [7], "good": None},
    ]
    assert columns_of([]) == {}


def test_columns_without_any_value_have_types_that_other_readers_know(tmp_path):
    write_parquet(tmp_path / "rows.parquet", {"text": [None], "pages": [()], "none": [None]})
    assert pq.read_schema(tmp_path / "rows.parquet").types == [
        pa.string(),
        pa.list_(pa.int64()),
        pa.string(),
    ]


def test_a_table_without_columns_is_a_file_all_the_same(tmp_path):
    write_parquet(tmp_path / "rows.parquet", columns_of([]))
    assert pq.read_table(tmp_path / "rows.parquet").to_pylist() == []


def test_rows_are_counted_as_people_count_them(tmp_path):
    write_csv(tmp_path / "grades.csv", {"feature": ["a"]})
    write_parquet(tmp_path / "scores.parquet", {"model": ["a"]})
    problems = Problems()
    assert read_table(tmp_path, "grades", [], problems).where(0) == "grades.csv, row 2"
    assert read_table(tmp_path, "scores", [], problems).where(0) == "scores.parquet, row 1"


def test_blank_lines_at_the_end_are_no_rows(tmp_path):
    (tmp_path / "grades.csv").write_text("feature\na\n\n\n")
    assert len(read_table(tmp_path, "grades", ["feature"], Problems())) == 1


def test_lines_inside_quotes_are_not_split():
    assert parse_csv('a,"b\r\nc\rd\n\f\u2028e"\r\nf,g\r\n') == [
        ["a", "b\r\nc\rd\n\f\u2028e"],
        ["f", "g"],
    ]


@pytest.mark.parametrize("text", ['a,"b', 'a,"b"c\n'])
def test_broken_quotes_are_refused(text):
    with pytest.raises(ValueError, match="not CSV near line 1"):
        parse_csv(text)


def test_bytes_after_a_byte_order_mark_are_counted_from_the_file_s_beginning():
    with pytest.raises(ValueError, match=r"byte 0xff at offset 5 \(line 2\)"):
        decode(b"\xef\xbb\xbfa\n\xff"[:4] + b"\n\xff")


def test_excerpts_are_one_short_line():
    assert excerpt("a\n b\tc") == "'a b c'"
    assert excerpt("x" * 1000) == f"'{'x' * 60}...'"


@given(TEXTS)
def test_nfc_is_unicode_s_own(text):
    assert unicodedata.is_normalized("NFC", nfc(text))


@given(st.dictionaries(TEXTS, st.dictionaries(TEXTS, TEXTS, max_size=2), max_size=3))
def test_yaml_keeps_every_character(tmp_path_factory, content):
    path = tmp_path_factory.mktemp("yaml") / "queries.yaml"
    write_mapping(path, content)
    assert read_mapping(path) == content


def test_yaml_is_written_for_people(tmp_path):
    path = tmp_path / "queries.yaml"
    write_mapping(path, {"b": {"summary": "One line – é.\n\nAnother."}, "a": {"term": "x"}})
    assert path.read_text(encoding="utf-8") == (
        "b:\n  summary: |-\n    One line – é.\n\n    Another.\na:\n  term: x\n"
    )
