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


Books = dict[str, list[tuple[str, str]]]

BOOKS: Books = {
    "north": [
        ("1", "Sounds: the vowels are five and long or short."),
        ("2", "Nouns have no case, and plural is a suffix."),
        ("3", "The order of subject, object and verb is verb final, with the verb at the end."),
        ("3, 4", "Objects stand before the verb, and the order is rigid."),
        ("9", "Of polar questions: a particle stands at the end."),
    ],
    "south": [
        ("1", "Tones are two, high and low."),
        ("2", "Verbs agree with the subject and with the object."),
        ("5", "Word order is free: subject, object and verb stand in any order."),
        ("", "An appendix of texts, without a page."),
    ],
}
GOLD = {"wals_81a": {"north": "3-4", "south": "5"}, "wals_49a": {"north": "2", "south": ""}}


def write_books(
    folder: Path,
    books: Books | None = None,
    gold: dict[str, dict[str, str]] | None = None,
    macroareas: dict[str, str] | None = None,
) -> Path:
    """Write a pack of whole grammars: (pages, text) of each paragraph, and gold pages."""
    books = BOOKS if books is None else books
    areas = {"north": "Eurasia", "south": "Africa"} if macroareas is None else macroareas
    folder.mkdir(parents=True)
    rows = [
        [f"{grammar}/{number:04d}", grammar, text, pages]
        for grammar, paragraphs in books.items()
        for number, (pages, text) in enumerate(paragraphs, 1)
    ]
    named = [[g, g.title(), areas.get(g, "")] for g in books]
    _write(folder / "grammars.csv", ["id", "language", "macroarea"], named)
    _write(folder / "paragraphs.csv", ["id", "grammar", "text", "pages"], rows)
    _write(folder / "documents.csv", ["grammar", "file"], [[g, f"{g}.pdf"] for g in books])
    pages = [[f, g, p] for f, of in (GOLD if gold is None else gold).items() for g, p in of.items()]
    _write(folder / "gold_pages.csv", ["feature", "grammar", "pages"], pages)
    source = {"origin": "invented for tests", "licence": "MIT"}
    (folder / "SOURCE.yaml").write_text(yaml.safe_dump(source), encoding="utf-8")
    return folder


def _write(path: Path, header: list[str], rows: list[list[object]]) -> None:
    with path.open("w", encoding="utf-8", newline="") as file:
        csv.writer(file).writerows([header, *rows])
