"""Digests of packs: a checksum of the tables that hold data, whatever the pack is called."""

from __future__ import annotations

import hashlib
from pathlib import Path

# Every table that holds data, and the forms in which it may be kept.
TABLES: dict[str, tuple[str, ...]] = {
    "grammars": (".csv", ".parquet"),
    "paragraphs": (".parquet", ".csv"),
    "grades": (".csv", ".parquet"),
    "queries": (".yaml",),
    "scores": (".parquet", ".csv"),
    "documents": (".csv", ".parquet"),
    "gold_pages": (".csv", ".parquet"),
    "candidates": (".parquet", ".csv"),
    "values": (".csv", ".parquet"),
    "replies": (".parquet", ".csv"),
    "prompts": (".parquet", ".csv"),
}

_CHUNK = 1 << 20


def table_files(folder: Path, table: str) -> list[Path]:
    """Return the files of a pack that hold one table: one, or none, or (wrongly) several."""
    paths = (folder / f"{table}{suffix}" for suffix in TABLES[table])
    # A link that leads nowhere is no missing table: opening it must fail.
    return [path for path in paths if path.exists() or path.is_symlink()]


def pack_files(folder: Path) -> list[Path]:
    """Return the files of a pack that hold data, in the order of their names."""
    found = [path for table in TABLES for path in table_files(folder, table)]
    return sorted(found, key=lambda path: path.name)


def pack_digest(folder: Path) -> str:
    """Return the SHA-256 (hex) of a pack's data: names and contents of its tables.

    SOURCE.yaml and import_report.csv tell how the data came here and are left out.
    """
    total = hashlib.sha256()
    for path in pack_files(folder):
        total.update(f"{path.name}\0{file_digest(path)}\n".encode())
    return total.hexdigest()


def file_digest(path: Path) -> str:
    """Return the SHA-256 (hex) of a file, read in pieces."""
    digest = hashlib.sha256()
    with path.open("rb") as file:
        while chunk := file.read(_CHUNK):
            digest.update(chunk)
    return digest.hexdigest()
