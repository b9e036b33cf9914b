"""Quotations and citations in recorded replies to the 50 paragraphs that BM25 retrieved."""

from __future__ import annotations

import csv
from pathlib import Path

import pytest

from src.prompting.evidence import evidence_of
from src.records import Paragraph

pytestmark = pytest.mark.realdata

GOLD = {"WALS 49A": "ground_truth_rag_number_of_cases.csv"}


def table(file: Path) -> list[dict[str, str]]:
    csv.field_size_limit(10_000_000)
    with file.open(encoding="utf-8", newline="") as lines:
        return list(csv.DictReader(lines))


def counts(clone: Path, feature: str, setting: str) -> tuple[int, ...]:
    """Return replies, quotations, those found, numbers cited, and those that exist."""
    gold = table(clone / GOLD.get(feature, "ground_truth_rag.csv"))
    grammars = {row["Language"]: row["Filename"] for row in gold}
    total = [0] * 5
    for row in table(clone / "RAG Results" / feature / f"wikipedia_{setting}.csv"):
        name = grammars[row["Language"]]
        file = clone / "Grammars Paragraphs" / feature / "Wikipedia 50" / f"{name}.csv"
        if file.exists():
            paragraphs = [Paragraph("", name, found["Paragraph"]) for found in table(file)]
            evidence = evidence_of(row["Response"], paragraphs)
            found = (evidence.quotations, evidence.quotations_found)
            cited = (evidence.cited, evidence.cited_found)
            total = [a + b for a, b in zip(total, (1, *found, *cited), strict=True)]
    return tuple(total)


@pytest.mark.parametrize(
    ("feature", "setting", "expected"),
    [
        ("GB 107", "default", (25, 38, 36, 133, 133)),
        ("GB 107", "with_guidelines", (25, 38, 28, 104, 104)),
        ("WALS 116A", "default", (25, 27, 20, 110, 110)),
        ("WALS 116A", "with_guidelines", (25, 21, 17, 61, 61)),
        ("WALS 49A", "default", (26, 19, 16, 455, 454)),
        ("WALS 49A", "with_guidelines", (26, 13, 8, 305, 305)),
        ("WALS 81A", "default", (25, 105, 87, 424, 424)),
        # one reply goes on for paragraphs that were not given
        ("WALS 81A", "with_guidelines", (25, 106, 88, 353, 291)),
    ],
)
def test_counts(real_data, feature, setting, expected):
    assert counts(real_data / "mtob", feature, setting) == expected
