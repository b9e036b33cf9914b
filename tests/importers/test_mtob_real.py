"""The importer on the real clone: figures of the paper, and the stored orders."""

from __future__ import annotations

from collections import Counter
from pathlib import Path

import pytest

from src.corpus.pack import Pack
from src.corpus.text import nfc
from src.importers.landing import Landed
from src.importers.mtob import import_mtob
from src.importers.mtob.scores import _COLUMN
from tests.mtob_clone import read_rows

pytestmark = pytest.mark.realdata

# Table 6 of the paper: how many paragraphs of each grammar have the grades 0 to 5.
TABLE_6 = {
    "campbell2017grammar": [34, 7, 0, 2, 0, 7],
    "newman2000hausa": [15, 30, 3, 1, 1, 0],
    "georg2007descriptive": [36, 13, 0, 0, 1, 0],
    "forker2013grammar": [9, 14, 10, 6, 4, 7],
    "ford1998description": [28, 19, 0, 0, 0, 3],
    "tsunoda2011grammar": [8, 23, 7, 5, 3, 4],
    "morgan1991description": [0, 12, 10, 11, 4, 13],
    "dunn1979reference": [45, 0, 1, 2, 0, 2],
    "elliott2021grammar": [5, 18, 2, 4, 3, 18],
    "sakel2011grammar": [11, 19, 5, 6, 4, 5],
    "hellwig2019grammar": [24, 10, 1, 0, 7, 8],
    "wegener2012grammar": [17, 16, 7, 3, 1, 6],
    "olawsky2011grammar": [6, 17, 3, 2, 8, 14],
    "weir1986footprints": [34, 4, 2, 2, 5, 3],
}


@pytest.fixture(scope="module")
def outcome(real_data: Path, tmp_path_factory: pytest.TempPathFactory) -> Landed:
    return import_mtob(real_data / "mtob", tmp_path_factory.mktemp("data") / "mtob")


@pytest.fixture(scope="module")
def pack(outcome: Landed) -> Pack:
    return outcome.pack


def test_the_counts(pack):
    assert len(pack.grammars) == 255
    assert len(pack.paragraphs) == 4612
    assert len(pack.grades["wals_81a"]) == 500
    assert len(pack.score_sets()) == 31
    sizes = Counter(len(scores) for scores in pack.recorded.values())
    # One set of the benchmark's also has the 25 grammars that WALS 81A was retrieved from.
    assert sizes == {500: 27, 500 + 25 * 50: 1, 25 * 50: 2, 25 * 50 + 46: 1}
    lengths = {feature: len(texts["summary"]) for feature, texts in pack.queries.items()}
    assert lengths == {"gb_107": 1571, "wals_116a": 1293, "wals_49a": 2586, "wals_81a": 1813}


def test_nothing_was_skipped_and_nothing_odd(outcome):
    assert Counter((entry.level, entry.what) for entry in outcome.report.entries) == {
        ("info", "text composed to NFC"): 371,
        ("info", "described from Grambench's own facts"): 10,
        ("info", "columns not used"): 4,
        ("warning", "described in two ways"): 20,
    }


def test_the_grades_are_those_of_table_6(pack):
    for grammar, graded in pack.graded("wals_81a").items():
        counts = Counter(grade for _, grade in graded)
        assert [counts[grade] for grade in range(6)] == TABLE_6[grammar], grammar


def test_every_grammar_is_described(pack):
    names = pack.graded("wals_81a")
    graded = [grammar for grammar in pack.grammars if grammar.id in names]
    assert len(graded) == 10
    for grammar in graded:
        assert grammar.language
        assert grammar.family
        assert grammar.macroarea
    without = {grammar.language for grammar in graded if not grammar.glottocode}
    assert without == {"Emmi"}


def test_sorting_by_score_gives_every_stored_order(real_data, pack):
    candidates = pack.graded("wals_81a")
    seen = set()
    for grammar, graded in candidates.items():
        rows = read_rows(real_data / "mtob" / "rerankers_metrics" / f"{grammar}.csv")
        for position, column in enumerate(rows[0]):
            match = _COLUMN.fullmatch(column)
            if not match or match["kind"] != "Paragraphs":
                continue
            query = "term" if match["term"] else "summary"
            key = (match["model"], match["instruct"].lower(), query, "wals_81a")
            scores = pack.scores(*key)
            ranked = sorted(graded, key=lambda row: -scores[row[0].id])
            stored = [(nfc(row[position]), int(row[position + 2])) for row in rows[1:]]
            assert [(paragraph.text, grade) for paragraph, grade in ranked] == stored
            seen.add((grammar, key))
    assert len(seen) == 28 * len(candidates)


def test_texts_are_the_files_texts_in_nfc(real_data, pack):
    for grammar, graded in pack.graded("wals_81a").items():
        rows = read_rows(real_data / "mtob" / "rerankers_benchmark" / f"{grammar}.csv")
        assert [paragraph.text for paragraph, _ in graded] == [nfc(row[0]) for row in rows[1:]]
