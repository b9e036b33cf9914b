"""Small packs of invented paragraphs for tests."""

from __future__ import annotations

import csv
from pathlib import Path

import yaml

GRADES = {"alpha": [0, 5, 1, 4, 0, 2], "beta": [3, 0, 0, 5, 1, 0], "gamma": [1, 4, 0, 0, 2, 3]}


def write_pack(folder: Path, grades: dict[str, list[int]] | None = None) -> Path:
    """Write a pack with one paragraph a grade; the texts speak of order as the grade does."""
    grades = GRADES if grades is None else grades
    folder.mkdir(parents=True)
    paragraphs, graded = [], []
    for grammar, values in grades.items():
        for number, grade in enumerate(values, 1):
            name = f"{grammar}/{number:03d}"
            order = "the order of subject object and verb " * grade
            paragraphs.append([name, grammar, f"Paragraph {number} of {grammar}: {order}", number])
            graded.append(["wals_81a", name, grade])
    _write(folder / "grammars.csv", ["id", "language"], [[g, g.title()] for g in grades])
    _write(folder / "paragraphs.csv", ["id", "grammar", "text", "pages"], paragraphs)
    _write(folder / "grades.csv", ["feature", "paragraph", "grade"], graded)
    queries = {"wals_81a": {"summary": "The order of subject, object and verb in a clause."}}
    (folder / "queries.yaml").write_text(yaml.safe_dump(queries), encoding="utf-8")
    source = {"origin": "invented for tests", "licence": "MIT"}
    (folder / "SOURCE.yaml").write_text(yaml.safe_dump(source), encoding="utf-8")
    return folder


def _write(path: Path, header: list[str], rows: list[list[object]]) -> None:
    with path.open("w", encoding="utf-8", newline="") as file:
        csv.writer(file).writerows([header, *rows])
