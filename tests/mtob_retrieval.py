"""Adds to the invented clone what was retrieved from grammars: gold pages, candidates, scores.

Two more grammars, one of them in both tables of gold values, and one without a second feature.
"""

from __future__ import annotations

from pathlib import Path

from tests.mtob_clone import ORVANE, Clone, write_clone, write_prompts, write_rows

TESHI = "rahn1902grammar"
ZHEL = "hess1974short"

# As the tables have them, row by row.
LANGUAGES = {
    "WALS 81A": ["Orvane", "Teshi"],
    "GB 107": ["Orvane", "Teshi"],
    "WALS 116A": ["Orvane", "Teshi"],
    "WALS 49A": ["Teshi", "Zhel"],
}

Cells = list[tuple[str, str]]

FIRST = "Subjects stand before the verb,\r\nobjects after it.\f"
SECOND = "The verb is negated by a suffix \ufffd."
THIRD = "Of particles that negate, Teshi has none."
ADJECTIVES = "Adjectives stand before the noun, possessors after it."

CANDIDATES: dict[tuple[str, str], Cells] = {
    # The seventh graded paragraph of Orvane, after one that is not graded.
    ("WALS 81A", ORVANE): [("Orvane in brief.", "[50]"), (ADJECTIVES, "[40]")],
    ("WALS 81A", TESHI): [(FIRST, "[3, 4]"), (SECOND, "[5]"), (FIRST, "[3, 4]")],
    ("GB 107", TESHI): [
        *[(SECOND, "[5]"), (THIRD, "[9]"), (FIRST, "[3, 4]"), (FIRST, "[3, 5]")],
    ],
    ("WALS 49A", ZHEL): [("Two cases.", "[4]"), ("Three genders.", "[8]")],
}


def with_retrieval(root: Path) -> Clone:
    """Write the clone into a new folder, with all that was retrieved."""
    clone = write_clone(root)
    _write_ground_truth(root)
    for (feature, stem), cells in CANDIDATES.items():
        path = paragraphs(clone, feature, stem)
        path.parent.mkdir(parents=True, exist_ok=True)
        write_rows(path, [["Paragraph", "Page number"], *map(list, cells)])
    _write_scores(clone)
    for feature, languages in LANGUAGES.items():
        write_prompts(root, feature, languages)
    return clone


def paragraphs(clone: Clone, feature: str, stem: str) -> Path:
    """Return where a grammar's candidates lie."""
    return clone.root / "Grammars Paragraphs" / feature / "Wikipedia 50" / f"{stem}.csv"


def similarities(clone: Clone, feature: str) -> Path:
    """Return where the scores of a feature's candidates lie."""
    return clone.root / "Reranker Similarity Scores" / feature / "scores.csv"


def _write_ground_truth(root: Path) -> None:
    facts = ["ISO 639-3", "Language", "Filename", "Title", "Family", "Genus", "Macroarea"]
    facts += ["Author", "Year", "Pages"]
    orvane = ["qov", "Orvane", ORVANE, "A Sketch of Orvane", "Orvanic", "West Orvanic", "Eurasia"]
    orvane += ["Almeida, Ines", "1931", "90"]
    teshi = ["qte", "Teshi", TESHI, "A Grammar of Teshi", "Teshic", "Teshic", "Africa"]
    teshi += ["Rahn, Otto", "1902", "400"]
    zhel = [
        "qzh",
        "Zhel",
        ZHEL,
        "A Short Zhel",
        "Zhelic",
        "",
        "Papunesia",
        "Hess, Ida",
        "1974",
        "9",
    ]
    first = [*facts, "WALS 81A", "WALS 81A: Pages", "WALS 81A: PDF Pages"]
    first += ["GB 107", "GB 107: PDF Pages", "WALS 116A"]
    rows = [
        first,
        [*orvane, "SOV", "19", "31-32", "0", "", "Not mentioned in the grammar"],
        [*teshi, "SVO", "3, passim", "4, 388-390", "1", "9", "Second position particle, Tone"],
    ]
    write_rows(root / "ground_truth_rag.csv", rows, ending="\r\n")
    second = [*facts, "WALS 49A", "WALS 49A: PDF Pages"]
    cases = [second, [*teshi, "2 cases", "12"], [*zhel, "No case", ""]]
    write_rows(root / "ground_truth_rag_number_of_cases.csv", cases)


def _write_scores(clone: Clone) -> None:
    # Candidates that the benchmark has too have the benchmark's score.
    graded = clone.scores(ORVANE, "SFR-Embedding-Mistral", "specific", "summary")[6]
    columns = {
        "WALS 81A": [
            ["ghost1999grammar", TESHI, ORVANE],
            ["70.5", "60.5", "41.25"],
            ["71.5", "61.5", repr(graded)],
            ["72.5", "61.5", "0.0"],
        ],
        "GB 107": [[TESHI], ["50.25"], ["52.25"], ["51.25"], ["53.25"]],
        "WALS 49A": [[ZHEL], ["40.125"], ["39.125"], ["0.0"], ["0"]],
    }
    for feature, rows in columns.items():
        path = similarities(clone, feature)
        path.parent.mkdir(parents=True)
        write_rows(path, rows)
