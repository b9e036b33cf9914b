"""The text of a pack: its paragraphs, of which there may be hundreds of thousands."""

from __future__ import annotations

from pathlib import Path

from src.corpus import cells
from src.corpus.cells import Known
from src.corpus.digest import table_files
from src.corpus.problems import Problems
from src.corpus.tables import read_table
from src.records import Paragraph

PARAGRAPH_COLUMNS = ["id", "grammar", "text", "pages"]
PLACE_COLUMNS = ["section", "label"]  # only where some paragraph has them


def read_paragraphs(
    folder: Path, grammars: Known, problems: Problems
) -> dict[str, Paragraph] | None:
    """Read the paragraphs by id, in the table's order; ``None`` where there is no such table."""
    table = read_table(folder, "paragraphs", PARAGRAPH_COLUMNS, problems)
    if table is None:
        _not_needed(folder, problems)
        return None
    found: dict[str, Paragraph] = {}
    # A grammar, a section and the pages are the same for many rows; they are kept once.
    once: dict[str, str] = {}
    spans: dict[tuple[int, ...], tuple[int, ...]] = {}
    places = [table.columns.get(name, [""] * len(table)) for name in PLACE_COLUMNS]
    columns = [*(table.columns[name] for name in PARAGRAPH_COLUMNS), *places]
    for index, row in enumerate(zip(*columns, strict=True)):
        key, grammar, text = (cells.string(cell) for cell in row[:3])
        pages = cells.pages(table, index, row[3], problems)
        section, label = (cells.string(cell) for cell in row[4:])
        cells.new_id(table, index, key, found, problems)
        if grammars is not None and grammar not in grammars:
            problems.add(
                table.where(index), f"paragraph '{key}' is of an unknown grammar '{grammar}'"
            )
        if not text or text.isspace():
            problems.add(table.where(index), f"paragraph '{key}' has no text")
        found[key] = Paragraph(
            key,
            once.setdefault(grammar, grammar),
            text,
            spans.setdefault(pages, pages),
            once.setdefault(section, section),
            once.setdefault(label, label),
        )
    return found


def _not_needed(folder: Path, problems: Problems) -> None:
    """Note a missing table of paragraphs where other tables refer to it."""
    needing = ("grades", "scores", "candidates")
    there = [path.name for name in needing for path in table_files(folder, name)]
    if there and not table_files(folder, "paragraphs"):
        problems.add("paragraphs.parquet", f"missing file, which {' and '.join(there)} refer to")
