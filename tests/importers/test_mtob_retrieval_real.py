"""Candidates, scores and gold pages of the real clone, against a plain reading of its files."""

from __future__ import annotations

import csv
import re
from pathlib import Path

import pytest

from src.corpus.pack import Pack
from src.corpus.text import nfc
from src.importers.mtob import import_mtob

pytestmark = pytest.mark.realdata

FEATURES = {"wals_81a": "WALS 81A", "gb_107": "GB 107", "wals_116a": "WALS 116A"}
FEATURES["wals_49a"] = "WALS 49A"
TABLES = ("ground_truth_rag.csv", "ground_truth_rag_number_of_cases.csv")


@pytest.fixture(scope="module")
def pack(real_data: Path, tmp_path_factory: pytest.TempPathFactory) -> Pack:
    return import_mtob(real_data / "mtob", tmp_path_factory.mktemp("data") / "mtob").pack


def rows(path: Path) -> list[dict[str, str]]:
    csv.field_size_limit(2**31 - 1)
    with path.open(encoding="utf-8", newline="") as file:
        return list(csv.DictReader(file))


def files(root: Path, feature: str) -> dict[str, Path]:
    folder = root / "mtob" / "Grammars Paragraphs" / FEATURES[feature] / "Wikipedia 50"
    return {path.stem: path for path in sorted(folder.glob("*.csv"))}


@pytest.mark.parametrize("feature", FEATURES)
def test_candidates_are_the_files_rows_in_order(real_data, pack, feature):
    there = files(real_data, feature)
    assert sorted(pack.candidates[feature]) == sorted(there)
    assert len(there) == (26 if feature == "wals_49a" else 25)
    for grammar, path in there.items():
        expected = [
            (nfc(row["Paragraph"]), tuple(map(int, re.findall(r"\d+", row["Page number"]))))
            for row in rows(path)
        ]
        found = [(p.text, p.pages) for p in pack.candidates[feature][grammar]]
        assert found == expected, grammar
        assert len(found) == (46 if grammar == "hudson1974structural" else 50)


@pytest.mark.parametrize("feature", FEATURES)
def test_the_20_best_are_those_of_the_recorded_scores(real_data, pack, feature):
    folder = real_data / "mtob" / "Reranker Similarity Scores" / FEATURES[feature]
    table = rows(folder / "scores.csv")
    scores = pack.scores("SFR-Embedding-Mistral", "specific", "summary", feature)
    checked = 0
    for grammar, path in files(real_data, feature).items():
        texts = [nfc(row["Paragraph"]) for row in rows(path)]
        numbers = [float(row[grammar]) for row in table][: len(texts)]
        order = sorted(range(len(texts)), key=lambda position: (-numbers[position], position))
        candidates = pack.pool(feature)[grammar]
        ours = sorted(candidates, key=lambda paragraph: -scores[paragraph.id])
        assert [p.text for p in ours[:20]] == [texts[position] for position in order[:20]]
        assert [scores[p.id] for p in candidates] == numbers
        checked += 1
    assert checked == len(pack.candidates[feature])


@pytest.mark.parametrize("feature", FEATURES)
def test_gold_pages_are_those_of_the_tables(real_data, pack, feature):
    column = f"{FEATURES[feature]}: PDF Pages"
    expected = {}
    for row in rows(real_data / "mtob" / TABLES[feature == "wals_49a"]):
        pages: set[int] = set()
        for part in filter(None, row[column].split(", ")):
            first, _, last = part.partition("-")
            pages |= set(range(int(first), int(last or first) + 1))
        expected[row["Filename"]] = tuple(sorted(pages))
    assert len(expected) == 148
    assert pack.gold_pages(feature) == expected


def test_grammars_with_candidates_but_without_gold_pages(pack):
    """Such grammars are kept, with the empty list that says that nothing was found."""
    empty = {
        feature: {g for g in pack.candidates[feature] if not pack.gold_pages(feature)[g]}
        for feature in FEATURES
    }
    assert empty == {
        "wals_81a": {
            "alfira2016caning",
            "sapir1992southern",
            "syamala1981intensive",
            "yumitani1998phonology",
        },
        "gb_107": {"alfira2016caning"},
        "wals_116a": {"alfira2016caning", "berg1973cuiva", "reid2011ngan"},
        "wals_49a": {"samarin1967grammar", "sapir1965grammar", "solnit1997eastern"},
    }


def test_the_grammars_are_the_graded_ones_and_those_of_both_tables(real_data, pack):
    names = [row["Filename"] for table in TABLES for row in rows(real_data / "mtob" / table)]
    graded = list(pack.graded("wals_81a"))
    assert [g.id for g in pack.grammars] == [*graded, *dict.fromkeys(names)]
    assert len(pack.grammars) == 10 + 245
    assert all(g.language and g.family and g.macroarea for g in pack.grammars)
