"""Tables on disk: CSV and Parquet read into columns, and written with the same bytes each time."""

from __future__ import annotations

import csv
import io
import itertools
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import Any, cast

from src.corpus.digest import table_files
from src.corpus.problems import Problems
from src.corpus.text import decode
from src.errors import suggest

Column = Sequence[Any]

# The csv module refuses fields beyond 131,072 characters; grammars have longer paragraphs.
_LONGEST_FIELD = 2**31 - 1
_ROWS_AT_ONCE = 10_000


@dataclass(frozen=True)
class Table:
    """Columns of equal length, and how their rows are counted in the file they come from."""

    file: str
    columns: Mapping[str, Column]
    first_row: int

    def where(self, index: int) -> str:
        """Name a row as people count it: in CSV the header is row 1, in Parquet there is none."""
        return f"{self.file}, row {index + self.first_row}"

    def __len__(self) -> int:
        return len(next(iter(self.columns.values()), ()))


def read_table(folder: Path, name: str, columns: Sequence[str], problems: Problems) -> Table | None:
    """Read a table of a pack; ``None`` where it is absent, or unreadable, which is a problem."""
    files = table_files(folder, name)
    if not files:
        return None
    if len(files) > 1:
        names = " and ".join(path.name for path in files)
        problems.add(names, "the same table twice; keep one of them")
        return None
    path = files[0]
    if not path.resolve().is_relative_to(folder.resolve()):
        problems.add(path.name, "leads out of the pack's folder")
        return None
    try:
        read = _read_csv(path, problems) if path.suffix == ".csv" else _read_parquet(path)
    except (OSError, ValueError) as error:
        problems.add(path.name, str(error))
        return None
    return None if read is None else _with_columns(read, columns, problems)


def parse_csv(text: str, between: str = ",") -> list[list[str]]:
    """Split CSV text into rows of fields, leaving every character in a field as it is.

    ``between`` stands between fields. A blank line is an empty row. Raises ValueError where the
    quoting is broken.
    """
    csv.field_size_limit(_LONGEST_FIELD)
    reader = csv.reader(io.StringIO(text, newline=""), strict=True, delimiter=between)
    try:
        return list(reader)
    except csv.Error as error:
        raise ValueError(f"not CSV near line {reader.line_num}: {error}") from error


def write_csv(path: Path, columns: Mapping[str, Column]) -> None:
    """Write columns as UTF-8 CSV with ``\\n`` between rows."""
    rows = list(zip(*columns.values(), strict=True))
    # The csv module leaves a bare carriage return unquoted, and then reads it as a row's end.
    bare = any("\r" in str(cell) for row in rows for cell in row)
    with path.open("w", encoding="utf-8", newline="") as file:
        writer = csv.writer(
            file, lineterminator="\n", quoting=csv.QUOTE_ALL if bare else csv.QUOTE_MINIMAL
        )
        writer.writerow(columns)
        writer.writerows(rows)


def write_parquet(path: Path, columns: Mapping[str, Column]) -> None:
    """Write columns as Parquet: cells are texts, numbers, truth values, or sequences of them."""
    import pyarrow as pa
    import pyarrow.parquet as pq

    table = pa.table({name: _arrow(column) for name, column in columns.items()})
    pq.write_table(table, path, compression="zstd", version="2.6", write_statistics=False)


def columns_of(rows: Iterable[Mapping[str, Any]]) -> dict[str, Column]:
    """Turn rows into columns, in the order of their first use; what a row lacks is ``None``."""
    rows = list(rows)
    names = dict.fromkeys(name for row in rows for name in row)
    return {name: [row.get(name) for row in rows] for name in names}


def _arrow(values: Column) -> Any:
    """Let Arrow find the type; other readers refuse columns whose type is unknown."""
    import pyarrow as pa

    array = pa.array(list(values))
    if pa.types.is_null(array.type):
        return array.cast(pa.string())
    if pa.types.is_list(array.type) and pa.types.is_null(array.type.value_type):
        return array.cast(pa.list_(pa.int64()))
    return array


def _read_csv(path: Path, problems: Problems) -> Table | None:
    rows = parse_csv(decode(path.read_bytes()))
    while rows and not rows[-1]:
        rows.pop()
    if not rows or not rows[0]:
        raise ValueError("no header in the first row")
    header = rows[0]
    if len(set(header)) < len(header):
        raise ValueError("a column's name stands in the header twice")
    ragged = [(n, row) for n, row in enumerate(rows[1:], start=2) if len(row) != len(header)]
    for number, row in ragged:
        problems.add(
            f"{path.name}, row {number}", f"{len(row)} fields, but the header has {len(header)}"
        )
    if ragged:
        return None
    columns = zip(*rows[1:], strict=True) if len(rows) > 1 else ((),) * len(header)
    return Table(path.name, dict(zip(header, columns, strict=True)), first_row=2)


def _read_parquet(path: Path) -> Table:
    import pyarrow as pa
    import pyarrow.parquet as pq

    try:
        with pq.ParquetFile(path) as file:
            columns: dict[str, list[Any]] = {name: [] for name in file.schema_arrow.names}
            if len(columns) < len(file.schema_arrow.names):
                raise ValueError("two columns have the same name")
            # In pieces, or a large table would be in memory twice.
            for batch in file.iter_batches(_ROWS_AT_ONCE, use_threads=False):
                for column, array in zip(columns.values(), batch.columns, strict=True):
                    column += _cells(array)
    except pa.ArrowException as error:
        raise ValueError(f"not a Parquet file ({error})") from error
    return Table(path.name, columns, first_row=1)


def _cells(array: Any) -> list[Any]:
    """Return a column's cells; lists of numbers are cut from one list, which is much quicker."""
    import pyarrow as pa

    simple = pa.types.is_list(array.type) and pa.types.is_integer(array.type.value_type)
    if not simple or array.null_count:
        return cast(list[Any], array.to_pylist())
    values = array.values.to_pylist()
    return [values[start:end] for start, end in itertools.pairwise(array.offsets.to_pylist())]


def _with_columns(table: Table, columns: Sequence[str], problems: Problems) -> Table | None:
    missing = [name for name in columns if name not in table.columns]
    for name in missing:
        hint = suggest(name, set(table.columns) - set(columns))
        problems.add(
            table.file, f"no column '{name}'.{hint.replace('Did you mean', 'Is it called')}"
        )
    return None if missing else table
