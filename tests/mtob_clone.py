"""Writes a small invented clone of from-MTEB-to-MTOB, laid out as the real one.

Three grammars of languages that do not exist, eight graded paragraphs each; score files of seven
models with two instructs and two queries, whose scores, ties and NDCG@k are worked out here; two
tables of gold values, of which one says nothing; and prompts with a definition for four features.
"""

from __future__ import annotations

import csv
import hashlib
import io
import json
import math
import unicodedata
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from pathlib import Path

MODELS = (
    "bge-en-icl",
    "stella_en_1.5B_v5",
    "NV-Retriever-v1",
    "gte-Qwen2-7B-instruct",
    "Linq-Embed-Mistral",
    "SFR-Embedding-2_R",
    "SFR-Embedding-Mistral",
)
INSTRUCTS = ("Default", "Specific")
QUERIES = ("term", "summary")
ANNOTATIONS = {0: "0", 1: "1", 2: "2.1", 3: "2.2", 4: "2.3", 5: "3"}

# One that the table of gold values describes, one that is known by surname and year, and one
# that nobody knows.
ORVANE = "almeida1931sketch"
TSIMSHIAN = "dunn1979outline"
UNKNOWN = "teller2014notes"

SUMMARIES = {
    "WALS 81A": (
        "Word order",
        "Word order is the order in which a clause puts its verb, its subject and its object.\n\n"
        "Some languages keep one order; others are free.",
    ),
    "GB 107": ("negation", "Negation turns a statement into its opposite, often by an affix."),
    "WALS 116A": ("polar questions", "A polar question is answered with “yes” or “no”."),
    "WALS 49A": ("grammatical case", "Case marks what a noun does in its clause."),
}


@dataclass(frozen=True)
class Row:
    """A graded paragraph as the clone has it; ``pages`` is the cell's text."""

    text: str
    grade: int
    pages: str = "[12]"


@dataclass(frozen=True)
class Clone:
    """Where the clone lies and what it holds, in candidate order."""

    root: Path
    grammars: Mapping[str, Sequence[Row]]

    def grades(self, stem: str) -> list[int]:
        return [row.grade for row in self.grammars[stem]]

    def scores(self, stem: str, model: str, instruct: str, query: str) -> list[float]:
        """Return the scores in candidate order; equal texts have equal scores, others may tie."""
        return [
            _score(model, instruct.capitalize(), query, row.text) for row in self.grammars[stem]
        ]

    def order(self, stem: str, model: str, instruct: str, query: str) -> list[int]:
        """Return the candidates' positions, best first; ties keep the candidate order."""
        scores = self.scores(stem, model, instruct, query)
        return sorted(range(len(scores)), key=lambda position: -scores[position])

    def ndcg(self, stem: str, order: Sequence[int] | None = None) -> list[float]:
        """Return NDCG@k for k = 1..n with linear gain, of an order or of the candidates' own."""
        grades = self.grades(stem)
        ranked = [grades[position] for position in order] if order is not None else grades
        return ndcg(ranked)


def ndcg(grades: Sequence[int]) -> list[float]:
    def gain(ranked: Sequence[int], k: int) -> float:
        return math.fsum(grade / math.log2(i + 2) for i, grade in enumerate(ranked[:k]))

    best = sorted(grades, reverse=True)
    return [gain(grades, k) / gain(best, k) for k in range(1, len(grades) + 1)]


def invented_grammars() -> dict[str, list[Row]]:
    """Return the clone's grammars; the texts hold what breaks careless readers."""
    return {
        ORVANE: [
            Row("In Orvane the verb comes last:\n(1) the child the stone saw.", 5, "[31, 32]"),
            Row("Contents\n4.1 The order of the clause . . . 31\f", 2, "[3]"),
            Row('Orvane nouns have three cases, "bare", dative and ablative.', 0),
            Row("Adjectives stand before the noun, possessors after it.", 1),
            Row("In the neighbouring Teshi, on the other hand, the verb is first.", 3),
            Row("The object is never after the verb, so three orders are left.", 4),
            Row("Adjectives stand before the noun, possessors after it.", 1, "[40]"),
            Row("Verbs agree with \ufffd subjects,\r\nnot with objects.", 0, "[7, 9]"),
        ],
        TSIMSHIAN: [
            Row("The sentence begins with the verb, then who acts, then what is acted on.", 5),
            Row("Stress falls on the last syllable.", 0),
            Row("See Orvane (Almeida 1931) for verb-final order.", 3),
            Row("Negation: the particle stands before the verb.", 1),
            Row("Index\nword order, 14, 88\x0b", 2, "[201, 202]"),
            Row("Numerals are of four classes.", 0),
            Row("Objects may be left out; where they are not, the verb precedes them.", 4),
            Row("Index\nword order, 14, 88\x0b", 3, "[203]"),
        ],
        UNKNOWN: [
            # "e" and a combining acute: not NFC.
            Row("Le\u0301 is the marker of the past.", 0),
            Row("Two men met; one hit the other: subject, verb, object is the order heard.", 5),
            Row("Clitics follow the first word of the clause.", 1),
            Row("Relative clauses follow their noun.", 1),
            Row("Tone is not written, " + "nor length, " * 40 + "nor stress.", 0),
            Row("5.2 Order of subject and object 77", 2),
            Row("Free word order was once claimed (Rahn 1902), without examples.", 3),
            Row("Clitics follow the first word of the clause.", 0),
        ],
    }


def write_clone(root: Path, grammars: Mapping[str, Sequence[Row]] | None = None) -> Clone:
    """Write the clone into a new folder ``root``, with other grammars if some are given."""
    clone = Clone(root, invented_grammars() if grammars is None else grammars)
    for folder in ("rerankers_benchmark", "rerankers_metrics"):
        (root / folder).mkdir(parents=True)
    for position, stem in enumerate(clone.grammars):
        write_rows(root / "rerankers_benchmark" / f"{stem}.csv", benchmark_rows(clone, stem))
        # As in the real clone, some files end their lines with CR LF.
        ending = "\r\n" if position == 0 else "\n"
        write_rows(root / "rerankers_metrics" / f"{stem}.csv", metrics_rows(clone, stem), ending)
    _write_ground_truth(root)
    for feature in SUMMARIES:
        # Of the other features, the tables say nothing.
        languages = ["Orvane"] if feature == "WALS 81A" else ["Orvane", "Teshi", "Lumma"]
        write_prompts(root, feature, languages)
    return clone


def benchmark_rows(clone: Clone, stem: str) -> list[list[str]]:
    """Return header and rows of a grammar's file of graded paragraphs."""
    header = ["Paragraph", "Annotation", "Word order", "Page number", "Relevance Score"]
    header += ["BM25 Rank", "BM25 NDCG@K", "Binary Relevance Score"]
    rows = []
    curve = clone.ndcg(stem) if any(clone.grades(stem)) else [0.0] * len(clone.grades(stem))
    for rank, (row, value) in enumerate(zip(clone.grammars[stem], curve, strict=True), start=1):
        # The real files write whole grades as 3.0 or as 3.
        annotation = ANNOTATIONS[row.grade]
        if rank % 2 and "." not in annotation:
            annotation += ".0"
        cells = [row.text, annotation, "", row.pages, row.grade, rank, value, int(row.grade > 3)]
        rows.append([str(cell) for cell in cells])
    return [header, *rows]


def metrics_rows(clone: Clone, stem: str) -> list[list[str]]:
    """Return header and rows of a grammar's score file: each set's columns, best first."""
    own = list(range(len(clone.grammars[stem])))
    columns = _columns("BM25", clone, stem, own, None)
    for model in MODELS:
        for query in QUERIES:
            for instruct in INSTRUCTS:
                name = f"{model} {instruct} Instruct" + (": Term Only" if query == "term" else "")
                order = clone.order(stem, model, instruct, query)
                scores = clone.scores(stem, model, instruct, query)
                columns |= _columns(name, clone, stem, order, scores)
    return [list(columns), *map(list, zip(*columns.values(), strict=True))]


def read_rows(path: Path) -> list[list[str]]:
    with path.open(encoding="utf-8", newline="") as file:
        return list(csv.reader(file))


def write_rows(path: Path, rows: Sequence[Sequence[str]], ending: str = "\n") -> None:
    text = io.StringIO(newline="")
    csv.writer(text, lineterminator=ending).writerows(rows)
    path.write_bytes(text.getvalue().encode())


def _columns(
    name: str, clone: Clone, stem: str, order: Sequence[int], scores: Sequence[float] | None
) -> dict[str, list[str]]:
    rows = clone.grammars[stem]
    columns = {f"{name} Paragraphs": [rows[position].text for position in order]}
    if scores is not None:
        columns[f"{name} Cosine Similarity"] = [repr(scores[position]) for position in order]
    columns[f"{name} Relevance Score"] = [str(rows[position].grade) for position in order]
    if any(clone.grades(stem)):
        columns[f"{name} NDCG@K"] = [repr(value) for value in clone.ndcg(stem, order)]
    return columns


def _score(model: str, instruct: str, query: str, text: str) -> float:
    """Draw one of seven values, so that among eight paragraphs two must tie."""
    key = f"{model}|{instruct}|{query}|{unicodedata.normalize('NFC', text)}"
    return 31.0 + hashlib.sha256(key.encode()).digest()[0] % 7 / 7


def _write_ground_truth(root: Path) -> None:
    header = ["ISO 639-3", "Language", "Filename", "WALS 81A", "WALS 81A: Pages"]
    header += ["WALS 81A: PDF Pages", "Title", "Family", "Genus", "Macroarea", "Author", "Year"]
    orvane = ["qov", "Orvane", ORVANE, "SOV", "19", "31-32", "A Sketch of Orvane", "Orvanic"]
    orvane += ["West Orvanic", "Eurasia", "Almeida, Ines", "1931"]
    write_rows(root / "ground_truth_rag.csv", [header, orvane], ending="\r\n")
    cases = ["ISO 639-3", "Language", "Filename", "Genus", "Family"]
    write_rows(root / "ground_truth_rag_number_of_cases.csv", [cases])


def prompt_file(root: Path, feature: str) -> Path:
    """Return where a feature's prompts lie."""
    return root / "RAG Prompts" / feature / "baseline.jsonl"


def write_prompts(root: Path, feature: str, languages: Sequence[str]) -> None:
    """Write a request a language, numbered from 1."""
    term, summary = SUMMARIES[feature]
    lines = []
    for number, language in enumerate(languages, start=1):
        question = f"\nWhat does {language} do?\nReply.\n\nDefinition of {term}:\n\n{summary}"
        messages = [
            {"role": "system", "content": "You know grammars."},
            {"role": "user", "content": question},
        ]
        lines.append(json.dumps({"custom_id": f"request-{number}", "body": {"messages": messages}}))
    path = prompt_file(root, feature)
    path.parent.mkdir(parents=True, exist_ok=True)
    path.write_text("\n".join(lines) + "\n", encoding="utf-8", newline="")
