"""What a pack holds of whole books: the files they came from, gold pages, recorded candidates."""

from __future__ import annotations

import dataclasses
from collections.abc import Mapping
from pathlib import Path
from typing import Any

from src.corpus import cells
from src.corpus.cells import Known
from src.corpus.pages import unique
from src.corpus.problems import Problems
from src.corpus.tables import Table, read_table
from src.records import Document, Paragraph

GoldTable = dict[str, dict[str, tuple[int, ...]]]
Candidates = dict[str, dict[str, tuple[Paragraph, ...]]]

_DOCUMENT = {field.name: field.type for field in dataclasses.fields(Document)}
DOCUMENT_COLUMNS = list(_DOCUMENT)
GOLD_COLUMNS = ["feature", "grammar", "pages"]
CANDIDATE_COLUMNS = ["feature", "paragraph"]


def read_documents(folder: Path, grammars: Known, problems: Problems) -> dict[str, Document]:
    """Read which grammars are there as a whole, and from which file; by grammar.

    Only the column ``grammar`` must be there.
    """
    table = read_table(folder, "documents", ["grammar"], problems)
    found: dict[str, Document] = {}
    if table is None:
        return found
    cells.misspelt(table, DOCUMENT_COLUMNS, problems)
    columns = [name for name in DOCUMENT_COLUMNS if name in table.columns]
    empty = dict.fromkeys(["file", "form", "sha256", "made_with"], "")
    for index, row in cells.rows(table, columns):
        values = {
            name: _value(table, index, name, cell, problems)
            for name, cell in zip(columns, row, strict=True)
        }
        grammar = values["grammar"]
        cells.known(table, index, "grammar", grammar, grammars, problems)
        if grammar in found:
            problems.add(table.where(index), f"grammar '{grammar}' stands there twice")
        found[grammar] = Document(**{**empty, **values})
    return found


def read_gold(folder: Path, grammars: Known, problems: Problems) -> GoldTable:
    """Read the gold pages: feature -> grammar -> pages, ascending and each once.

    A grammar without pages was searched for the feature, and says nothing of it.
    """
    table = read_table(folder, "gold_pages", GOLD_COLUMNS, problems)
    found: GoldTable = {}
    if table is None:
        return found
    for index, row in cells.rows(table, GOLD_COLUMNS):
        feature, grammar = (cells.string(cell) for cell in row[:2])
        pages = unique(cells.pages(table, index, row[2], problems))
        if not feature:
            problems.add(table.where(index), "no feature")
        cells.known(table, index, "grammar", grammar, grammars, problems)
        gold = found.setdefault(feature, {})
        if grammar in gold:
            problems.add(table.where(index), f"grammar '{grammar}' stands twice for {feature}")
        gold[grammar] = pages
    return found


def read_candidates(
    folder: Path, paragraphs: Mapping[str, Paragraph] | None, problems: Problems
) -> Candidates:
    """Read what others have retrieved: feature -> grammar -> paragraphs, best first."""
    table = read_table(folder, "candidates", CANDIDATE_COLUMNS, problems)
    found: dict[str, dict[str, list[Paragraph]]] = {}
    seen: set[tuple[str, str]] = set()
    if table is None:
        return {}
    for index, row in cells.rows(table, CANDIDATE_COLUMNS):
        feature, key = (cells.string(cell) for cell in row)
        if not feature:
            problems.add(table.where(index), "no feature")
        if (feature, key) in seen:
            problems.add(table.where(index), f"paragraph '{key}' stands twice for {feature}")
        seen.add((feature, key))
        cells.known(table, index, "paragraph", key, paragraphs, problems)
        paragraph = (paragraphs or {}).get(key)
        if paragraph is not None:
            found.setdefault(feature, {}).setdefault(paragraph.grammar, []).append(paragraph)
    return {
        feature: {grammar: tuple(ranked) for grammar, ranked in of.items()}
        for feature, of in found.items()
    }


def _value(table: Table, index: int, name: str, cell: Any, problems: Problems) -> Any:
    """Return a document's field; counts are whole numbers, shares lie between 0 and 1."""
    kind = _DOCUMENT[name]
    if kind == "str":
        return cells.string(cell)
    if cell in ("", None):
        return 0
    if kind == "int":
        number = cells.whole(cell)
        if number is None:
            problems.add(table.where(index), f"{name} '{cell}' is not a whole number from 0 on")
        return number
    share = cells.finite(cell)
    if share is None or not 0 <= share <= 1:
        problems.add(table.where(index), f"{name} '{cell}' is not a number from 0 to 1")
    return share
