from __future__ import annotations

from src.corpus.describing import (
    document_table,
    pack_facts,
    pack_row,
    quality_table,
    retrieval_table,
)
from src.corpus.pack import load_pack
from tests.corpus.test_reading_books import whole_pack


def test_whole_grammars_are_told_with_form_and_size(tmp_path):
    pack = load_pack(whole_pack(tmp_path / "toy"))
    assert document_table(pack) == (
        ["grammar", "form", "pages", "characters", "paragraphs", "file"],
        [["bay1999", "pdf", "212", "5000", "1", "bay.pdf"]],
    )
    header, rows = quality_table(pack)
    assert header[0] == "grammar" and len(header) == 6
    assert rows == [["bay1999", "0.00", "0.00", "0.00", "0.00", "25.00"]]
    assert ("whole grammars", "1") in pack_facts(pack)
    assert pack_row(pack)[3] == "1"


def test_features_are_told_with_their_gold_pages_and_candidates(tmp_path):
    header, rows = retrieval_table(load_pack(whole_pack(tmp_path / "toy")))
    assert header[1:] == [
        *["with gold pages", "without", "gold pages"],
        *["with candidates", "candidates"],
    ]
    assert rows == [
        ["wals_81a", "1", "1", "3", "1", "1"],
        ["gb_107", "1", "0", "1", "2", "3"],
    ]
