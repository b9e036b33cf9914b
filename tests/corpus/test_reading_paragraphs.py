from __future__ import annotations

import pyarrow as pa
import pyarrow.parquet as pq
import pytest

from src.corpus.pack import load_pack
from src.corpus.writing import PackTables, write_tables
from src.corpus.yaml_files import write_mapping
from src.errors import GrambenchError
from src.records import Grammar, Paragraph
from tests.corpus.small_pack import small_pack


def written(folder, paragraphs, form="parquet"):
    folder.mkdir()
    write_tables(folder, PackTables([Grammar("bay1999", "Lumma")], paragraphs), form)
    write_mapping(folder / "SOURCE.yaml", {"origin": "invented"})
    return folder


@pytest.mark.parametrize("form", ["parquet", "csv"])
def test_where_a_paragraph_stands_is_kept(tmp_path, form):
    paragraphs = [
        Paragraph("bay1999/0001", "bay1999", "Tone.", (12,), "Sounds > Tone", "sec:tone"),
        Paragraph("bay1999/0002", "bay1999", "Stress.", (12, 13), "Sounds"),
        Paragraph("bay1999/0003", "bay1999", "Nouns."),
    ]
    pack = load_pack(written(tmp_path / "toy", paragraphs, form))
    assert list(pack.paragraphs.values()) == paragraphs


@pytest.mark.parametrize(
    ("place", "columns"),
    [({}, []), ({"section": "Sounds"}, ["section"]), ({"label": "s"}, ["label"])],
)
def test_columns_that_nothing_stands_in_are_not_written(tmp_path, place, columns):
    folder = written(tmp_path / "toy", [Paragraph("a", "bay1999", "Tone.", (1,), **place)])
    names = pq.read_schema(folder / "paragraphs.parquet").names
    assert names == ["id", "grammar", "text", "pages", *columns]
    assert load_pack(folder).paragraphs["a"] == Paragraph("a", "bay1999", "Tone.", (1,), **place)


def test_many_paragraphs_keep_their_order_and_their_pages(tmp_path):
    """More rows than are read from Parquet at once."""
    paragraphs = [
        Paragraph(f"bay1999/{n:05d}", "bay1999", f"Text {n}.", tuple(range(n, n + n % 4)))
        for n in range(1, 25_001)
    ]
    pack = load_pack(written(tmp_path / "toy", paragraphs))
    assert list(pack.paragraphs.values()) == paragraphs


@pytest.mark.parametrize(
    ("pages", "kind", "said"),
    [
        ([[3], [0, 1]], pa.list_(pa.int64()), "row 2: pages '0, 1' do not count"),
        ([[3], [None]], pa.list_(pa.int64()), "row 2: pages 'None' are not like"),
        ([[3.5], [1.0]], pa.list_(pa.float64()), "row 1: pages '3.5' are not like"),
        ([["iv"], ["5"]], pa.list_(pa.string()), "row 1: pages 'iv' are not like"),
        (["1-2", "iv"], pa.string(), "row 2: pages 'iv' are not like"),
        ([[1_000_000], [1]], pa.list_(pa.int64()), "row 1: pages '1000000' are not like"),
    ],
)
def test_pages_in_parquet_are_checked_row_by_row(tmp_path, pages, kind, said):
    folder = small_pack(tmp_path / "toy", paragraphs_csv=None, grades_csv=None, scores_csv=None)
    columns = {"id": ["a", "b"], "grammar": ["bay1999"] * 2, "text": ["One.", "Two."]}
    table = pa.table(columns | {"pages": pa.array(pages, kind)})
    pq.write_table(table, folder / "paragraphs.parquet")
    with pytest.raises(GrambenchError) as caught:
        load_pack(folder)
    assert f"paragraphs.parquet, {said}" in str(caught.value)


def test_pages_in_parquet_may_be_missing_or_texts(tmp_path):
    folder = small_pack(tmp_path / "toy", paragraphs_csv=None, grades_csv=None, scores_csv=None)
    columns = {
        "id": ["a", "b", "c"],
        "grammar": ["bay1999"] * 3,
        "text": ["One.", "Two.", "Three."],
    }
    for pages, expected in [
        (pa.array([[2, 3], None, []], pa.list_(pa.int32())), [(2, 3), (), ()]),
        (pa.array(["2-3", None, ""]), [(2, 3), (), ()]),
    ]:
        pq.write_table(pa.table(columns | {"pages": pages}), folder / "paragraphs.parquet")
        assert [p.pages for p in load_pack(folder).paragraphs.values()] == expected


def test_a_parquet_table_with_two_columns_of_one_name_is_refused(tmp_path):
    folder = small_pack(tmp_path / "toy", grades_csv=None)
    table = pa.Table.from_arrays([pa.array(["a"])] * 2, names=["feature", "feature"])
    pq.write_table(table, folder / "grades.parquet")
    with pytest.raises(GrambenchError, match=r"grades.parquet: two columns have the same name"):
        load_pack(folder)
