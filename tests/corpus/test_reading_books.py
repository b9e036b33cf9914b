from __future__ import annotations

from pathlib import Path

import pyarrow as pa
import pyarrow.parquet as pq
import pytest

from src.corpus.pack import load_pack
from src.corpus.writing import PackTables, write_tables
from src.corpus.yaml_files import write_mapping
from src.errors import GrambenchError
from src.records import Document, Grammar, Paragraph
from tests.corpus.small_pack import small_pack

DOCUMENTS = (
    "grammar,file,form,sha256,made_with,pages,characters,residue\n"
    "bay1999,bay.pdf,pdf,00ff,blocks 1,212,5000,0.25\n"
)
GOLD = (
    'feature,grammar,pages\nwals_81a,rahn1902,"9, 3-4, 9"\nwals_81a,bay1999,\ngb_107,bay1999,12\n'
)
CANDIDATES = (
    "feature,paragraph\n"
    "gb_107,rahn1902/002\ngb_107,bay1999/001\ngb_107,rahn1902/001\nwals_81a,rahn1902/001\n"
)


def whole_pack(folder: Path, **changed: str | None) -> Path:
    """Write the small pack, in which one grammar is whole and the other has candidates."""
    tables = {"documents_csv": DOCUMENTS, "candidates_csv": CANDIDATES}
    files: dict[str, str | None] = dict(tables)
    files.update(changed)
    gold = files.pop("gold", GOLD)
    small_pack(folder, **files)
    if gold is not None:
        (folder / "gold_pages.csv").write_text(gold)
    return folder


def fault(folder: Path) -> str:
    with pytest.raises(GrambenchError) as caught:
        load_pack(folder)
    return str(caught.value)


def test_documents_say_which_grammars_are_whole(tmp_path):
    pack = load_pack(whole_pack(tmp_path / "toy"))
    assert pack.documents == {
        "bay1999": Document(
            "bay1999", "bay.pdf", "pdf", "00ff", "blocks 1", 212, 5000, residue=0.25
        )
    }
    assert pack.is_whole("bay1999")
    assert not pack.is_whole("rahn1902")
    assert not pack.is_whole("nobody")


def test_gold_pages_are_ascending_each_once_and_may_be_none(tmp_path):
    pack = load_pack(whole_pack(tmp_path / "toy"))
    assert pack.gold_pages("wals_81a") == {"rahn1902": (3, 4, 9), "bay1999": ()}
    assert pack.gold_pages("gb_107") == {"bay1999": (12,)}
    assert list(pack.gold) == ["wals_81a", "gb_107"]


def test_gold_pages_come_in_the_order_of_the_grammars(tmp_path):
    gold = "feature,grammar,pages\nf,bay1999,1\nf,rahn1902,2\n"
    pack = load_pack(whole_pack(tmp_path / "toy", gold=gold))
    assert list(pack.gold_pages("f")) == ["rahn1902", "bay1999"]


def test_candidates_keep_their_order(tmp_path):
    pack = load_pack(whole_pack(tmp_path / "toy"))
    ids = {
        feature: {grammar: [p.id for p in ranked] for grammar, ranked in of.items()}
        for feature, of in pack.candidates.items()
    }
    assert ids == {
        "gb_107": {"rahn1902": ["rahn1902/002", "rahn1902/001"], "bay1999": ["bay1999/001"]},
        "wals_81a": {"rahn1902": ["rahn1902/001"]},
    }


def test_a_pool_is_the_whole_book_or_else_the_candidates_or_else_what_is_graded(tmp_path):
    pack = load_pack(whole_pack(tmp_path / "toy", documents_csv="grammar\nrahn1902\n"))
    pools = {feature: pack.pool(feature) for feature in ("gb_107", "wals_81a", "other")}
    ids = {f: {g: [p.id for p in pool] for g, pool in of.items()} for f, of in pools.items()}
    book = ["rahn1902/001", "rahn1902/002"]
    assert ids == {
        "gb_107": {"rahn1902": book, "bay1999": ["bay1999/001"]},
        # Nothing is recorded of its candidates for that one.
        "wals_81a": {"rahn1902": book, "bay1999": ["bay1999/001"]},
        "other": {"rahn1902": book},
    }
    # Vectors and indexes are kept by the tuple.
    assert pools["gb_107"]["rahn1902"] is pools["other"]["rahn1902"]
    assert pack.pool("gb_107")["bay1999"] is pools["gb_107"]["bay1999"]


def test_a_whole_grammar_without_text_is_not_in_the_pool(tmp_path):
    nothing = dict.fromkeys(["paragraphs_csv", "grades_csv", "scores_csv", "candidates_csv"])
    pack = load_pack(whole_pack(tmp_path / "toy", **nothing))
    assert pack.is_whole("bay1999")
    assert pack.pool("gb_107") == {}


def test_a_pack_without_these_tables_has_none_of_it(tmp_path):
    pack = load_pack(small_pack(tmp_path / "toy"))
    assert (pack.documents, pack.gold, pack.candidates) == ({}, {}, {})
    # As they are graded: not in the order of the paragraphs' table.
    pool = {grammar: [p.id for p in of] for grammar, of in pack.pool("wals_81a").items()}
    assert pool == {"rahn1902": ["rahn1902/002", "rahn1902/001"], "bay1999": ["bay1999/001"]}
    assert pack.pool("wals_81a")["rahn1902"] is pack.pool("wals_81a")["rahn1902"]
    assert pack.pool("wals_49a") == {}
    with pytest.raises(GrambenchError, match=r"no gold pages for the feature 'wals_81a'.*none at"):
        pack.gold_pages("wals_81a")


def test_a_feature_without_gold_pages_is_said_with_the_nearest(tmp_path):
    pack = load_pack(whole_pack(tmp_path / "toy"))
    with pytest.raises(GrambenchError, match="Did you mean 'wals_81a'") as caught:
        pack.gold_pages("wals_81")
    assert "It has: gb_107, wals_81a." in str(caught.value)


HEAD = DOCUMENTS.split("\n")[0] + "\n"


@pytest.mark.parametrize(
    ("changed", "said"),
    [
        ({"documents_csv": "file\nx.pdf\n"}, "documents.csv: no column 'grammar'"),
        (
            {"documents_csv": "grammar,pags\nbay1999,3\n"},
            "documents.csv: unknown column 'pags'. Did you mean 'pages'?",
        ),
        ({"documents_csv": "grammar\nbay\n"}, "documents.csv, row 2: unknown grammar 'bay'"),
        ({"documents_csv": DOCUMENTS + "bay1999,,,,,,,\n"}, "row 3: grammar 'bay1999' stands"),
        (
            {"documents_csv": HEAD + "bay1999,,,,,-1,,\n"},
            "documents.csv, row 2: pages '-1' is not a whole number from 0 on",
        ),
        ({"documents_csv": HEAD + "bay1999,,,,,,1.5,\n"}, "row 2: characters '1.5' is not a whole"),
        (
            {"documents_csv": HEAD + "bay1999,,,,,,,1.01\n"},
            "documents.csv, row 2: residue '1.01' is not a number from 0 to 1",
        ),
        ({"documents_csv": HEAD + "bay1999,,,,,,,nan\n"}, "row 2: residue 'nan' is not a number"),
        ({"gold": "feature,grammar\n"}, "gold_pages.csv: no column 'pages'"),
        ({"gold": GOLD + "f,nobody,1\n"}, "gold_pages.csv, row 5: unknown grammar 'nobody'"),
        ({"gold": GOLD + ",bay1999,1\n"}, "gold_pages.csv, row 5: no feature"),
        (
            {"gold": GOLD + "gb_107,bay1999,12\n"},
            "gold_pages.csv, row 5: grammar 'bay1999' stands twice for gb_107",
        ),
        (
            {"gold": GOLD + "f,bay1999,passim\n"},
            "gold_pages.csv, row 5: pages 'passim' are not like",
        ),
        ({"gold": GOLD + "f,bay1999,366-71\n"}, "row 5: pages '366-71' do not count upwards"),
        ({"candidates_csv": "feature\nf\n"}, "candidates.csv: no column 'paragraph'"),
        (
            {"candidates_csv": CANDIDATES + "f,nobody\n"},
            "candidates.csv, row 6: unknown paragraph 'nobody'",
        ),
        ({"candidates_csv": CANDIDATES + ",bay1999/001\n"}, "candidates.csv, row 6: no feature"),
        (
            {"candidates_csv": CANDIDATES + "gb_107,bay1999/001\n"},
            "candidates.csv, row 6: paragraph 'bay1999/001' stands twice for gb_107",
        ),
        (
            {"paragraphs_csv": None, "grades_csv": None, "scores_csv": None},
            "paragraphs.parquet: missing file, which candidates.csv refer",
        ),
    ],
)
def test_every_fault_is_named_with_its_place(tmp_path, changed, said):
    assert said in fault(whole_pack(tmp_path / "toy", **changed))


def test_parquet_gold_pages_may_be_lists(tmp_path):
    folder = whole_pack(tmp_path / "toy", gold=None)
    columns = {"feature": ["f", "f"], "grammar": ["rahn1902", "bay1999"], "pages": [[9, 3], []]}
    pq.write_table(pa.table(columns), folder / "gold_pages.parquet")
    assert load_pack(folder).gold_pages("f") == {"rahn1902": (3, 9), "bay1999": ()}


def test_all_is_read_as_it_was_written(tmp_path):
    paragraphs = [Paragraph("a/0001", "a", "One."), Paragraph("a/0002", "a", "Two.", (2,))]
    tables = PackTables(
        [Grammar("a", "A"), Grammar("b", "B")],
        paragraphs,
        documents=[Document("b", "b.pdf", "pdf", "ff", "made", 3, 4, 0.1, 0.2, 0.3, 1.0, 1 / 3)],
        gold_pages={"f": {"a": (2, 1), "b": ()}},
        candidates={"f": {"a": ["a/0002", "a/0001"]}, "g": {"a": ["a/0001"]}},
    )
    (tmp_path / "toy").mkdir()
    write_tables(tmp_path / "toy", tables)
    write_mapping(tmp_path / "toy" / "SOURCE.yaml", {"origin": "invented"})
    pack = load_pack(tmp_path / "toy")
    assert list(pack.documents.values()) == tables.documents
    assert pack.gold == {"f": {"a": (1, 2), "b": ()}}
    assert pack.candidates == {
        "f": {"a": (paragraphs[1], paragraphs[0])},
        "g": {"a": (paragraphs[0],)},
    }
    assert (tmp_path / "toy" / "gold_pages.csv").read_text() == (
        "feature,grammar,pages\nf,a,1-2\nf,b,\n"
    )


@pytest.mark.parametrize("pages", ["1-99999999", "1-999999"])
def test_a_span_of_pages_that_no_book_has_is_a_fault_of_its_row(tmp_path, pages):
    gold = f"feature,grammar,pages\nf,bay1999,3\nf,rahn1902,{pages}\n"
    said = fault(whole_pack(tmp_path / "toy", gold=gold))
    assert f"gold_pages.csv, row 3: pages '{pages}'" in said
