"""The paper's own annotations: all are known, and their counts are those of its Table 8."""

from __future__ import annotations

import csv
import re
from collections import Counter
from functools import lru_cache
from pathlib import Path

import pytest

from src.prompting.features import Feature, feature_of, gold_of, is_mentioned
from tests.composing import composed

pytestmark = pytest.mark.realdata

# Table 8; the two counts of initial particles are swapped there, and those of medial ones leave
# out second position.
ONE = {
    "wals_81a": {
        "No dominant order": 40, "Not mentioned in the grammar": 12, "OSV": 1, "OVS": 1, "SOV": 59,
        "SVO": 25, "VOS": 4, "VSO": 6,
    },
    "wals_49a": {
        "No morphological case-marking": 55, "Exclusively borderline case-marking": 21,
        "2 cases": 11, "3 cases": 3, "4 cases": 5, "5 cases": 6, "6-7 cases": 22, "8-9 cases": 13,
        "10 or more cases": 12,
    },
    "gb_107": {"0": 65, "1": 83},
}  # fmt: skip
SEVERAL = {
    "initial": 20, "medial": 27, "final": 48, "verb_morphology": 23, "word_order": 4,
    "intonation": 52, "tone": 7,
}  # fmt: skip
COLUMNS = {"wals_81a": "WALS 81A", "gb_107": "GB 107", "wals_116a": "WALS 116A"}


@lru_cache
def feature(name: str) -> Feature:
    return feature_of(composed(f"feature={name}")["feature"])


def rows(real_data: Path, file: str) -> list[dict[str, str]]:
    with (real_data / "mtob" / file).open(encoding="utf-8", newline="") as stream:
        return list(csv.DictReader(stream))


def annotations(real_data: Path, name: str) -> list[str]:
    if name == "wals_49a":
        return [r["WALS 49A"] for r in rows(real_data, "ground_truth_rag_number_of_cases.csv")]
    return [row[COLUMNS[name]] for row in rows(real_data, "ground_truth_rag.csv")]


@pytest.mark.parametrize("name", ONE)
def test_counts_of_values(real_data, name):
    found = Counter(gold_of(feature(name), text)[""] for text in annotations(real_data, name))
    assert found == ONE[name]


def test_counts_of_parts(real_data):
    polar = feature("wals_116a")
    gold = [gold_of(polar, text) for text in annotations(real_data, "wals_116a")]
    assert len(gold) == 148
    assert {part: sum(labels[part] == "1" for labels in gold) for part in SEVERAL} == SEVERAL


def test_which_are_mentioned(real_data):
    mentioned = {
        name: sum(is_mentioned(feature(name), text) for text in annotations(real_data, name))
        for name in (*ONE, "wals_116a")
    }
    # of GB 107 and WALS 49A, silence shows in the gold pages only
    assert mentioned == {"wals_81a": 136, "gb_107": 148, "wals_49a": 148, "wals_116a": 121}


def test_no_prompt_names_a_language_of_the_benchmark(real_data):
    files = ("ground_truth_rag.csv", "ground_truth_rag_number_of_cases.csv")
    grammars = [row for file in files for row in rows(real_data, file)]
    names = {row.get("Language") or "" for row in grammars} | {r["Genus"] for r in grammars}
    names |= {row["Family"] for row in grammars}
    for name in (*ONE, "wals_116a"):
        about = feature(name)
        said = set(re.findall(r"\w+", f"{about.question} {about.counts} {about.guidelines}"))
        assert not said & names
