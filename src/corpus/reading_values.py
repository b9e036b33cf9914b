"""Gold values: what annotators say of a grammar's language, feature by feature, as they put it."""

from __future__ import annotations

from pathlib import Path

from src.corpus import cells
from src.corpus.cells import Known
from src.corpus.problems import Problems
from src.corpus.tables import read_table

ValueTable = dict[str, dict[str, str]]

VALUE_COLUMNS = ["feature", "grammar", "value"]


def read_values(folder: Path, grammars: Known, problems: Problems) -> ValueTable:
    """Read the values: feature -> grammar -> annotation, which no feature's list is asked for."""
    table = read_table(folder, "values", VALUE_COLUMNS, problems)
    found: ValueTable = {}
    if table is None:
        return found
    for index, row in cells.rows(table, VALUE_COLUMNS):
        feature, grammar, value = (cells.string(cell).strip() for cell in row)
        if not feature:
            problems.add(table.where(index), "no feature")
        if not value:
            problems.add(table.where(index), f"no value for '{grammar}'")
        cells.known(table, index, "grammar", grammar, grammars, problems)
        of = found.setdefault(feature, {})
        if grammar in of:
            problems.add(table.where(index), f"grammar '{grammar}' stands twice for {feature}")
        of[grammar] = value
    return found
