"""Names of packs, and where packs lie."""

from __future__ import annotations

import re
from pathlib import Path

from src.corpus.digest import pack_files
from src.errors import GrambenchError, suggest

_NAME = re.compile(r"[A-Za-z0-9][A-Za-z0-9._-]*")
_LONGEST = 100
# what is imported from somewhere else than the folders of a user's own
_MADE_BY = {"mtob": "import mtob PATH/TO/from-MTEB-to-MTOB"}


def check_name(name: str) -> str:
    """Return the name of a pack unchanged, or raise GrambenchError where it cannot be one."""
    if len(name) > _LONGEST:
        raise GrambenchError(
            f"A pack's name has at most {_LONGEST} characters; '{name[:40]}...' has {len(name)}."
        )
    if not _NAME.fullmatch(name) or ".." in name:
        raise GrambenchError(
            f"'{name}' cannot be the name of a pack: use letters (a-z), digits, '.', '_' and '-', "
            "begin with a letter or digit, and leave out '..' and slashes."
        )
    return name


def pack_names(data_dir: Path) -> list[str]:
    """Return the names of the packs in a folder, broken ones too, in order."""
    if not data_dir.is_dir():
        return []
    folders = (entry for entry in data_dir.iterdir() if entry.is_dir())
    return sorted(
        folder.name
        for folder in folders
        if not folder.name.startswith(".") and _looks_like_pack(folder)
    )


def find_pack(data_dir: Path, name: str) -> Path:
    """Return the folder of a pack by its name; raise GrambenchError where there is none."""
    folder = data_dir / check_name(name)
    if not folder.is_dir():
        raise no_such_pack(folder)
    return folder


def no_such_pack(folder: Path) -> GrambenchError:
    """Make the error that says that a pack is missing and which ones there are."""
    known = pack_names(folder.parent)
    there = f"Packs there: {', '.join(known)}." if known else "There are no packs there."
    near = suggest(folder.name, known)
    made_by = _MADE_BY.get(folder.name)
    how = f"`python -m src.data {made_by or 'import'}` makes {'it' if made_by else 'packs'}."
    return GrambenchError(
        f"There is no pack '{folder.name}' in {folder.parent}.{near} {there} {how}"
    )


def _looks_like_pack(folder: Path) -> bool:
    return (folder / "SOURCE.yaml").exists() or bool(pack_files(folder))
