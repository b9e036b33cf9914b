"""Which grammar a row of somebody's table speaks of: by id, file name, stem or path."""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from pathlib import PurePosixPath

from src.corpus.text import nfc
from src.importers.grammars.finding import Found, safe_id

_SUFFIXES = (".pdf", ".txt", ".md", ".markdown", ".tex")


class Names:
    """All names that grammars go by in tables."""

    def __init__(self, found: Sequence[Found]) -> None:
        self._by_name: dict[str, Found] = {}
        for one in found:
            for name in _names(one):
                self._by_name.setdefault(name, one)

    def find(self, key: str) -> Found | None:
        """Return the grammar that a key names; upper and lower case count as the same."""
        for name in _readings(key):
            if name in self._by_name:
                return self._by_name[name]
        return None

    def known(self) -> list[str]:
        """Return the ids, to suggest one of."""
        return list(dict.fromkeys(one.id for one in self._by_name.values()))


def _names(one: Found) -> Iterable[str]:
    names = [one.id, one.file]
    if one.path.name != "main.tex":
        names += [one.path.name, one.path.stem]
    return [nfc(name).casefold() for name in names]


def _readings(key: str) -> Iterable[str]:
    """Return what a key may mean, the most literal first: a path's end is a file or folder."""
    path = PurePosixPath(nfc(key).strip().replace("\\", "/"))
    parts = [str(path), path.name, _stem(path.name)]
    if path.name == "main.tex":
        parts = [str(path), "/".join(path.parts[-2:]), path.parent.name]
    return [name.casefold() for name in [*parts, safe_id(parts[-1])] if name]


def _stem(name: str) -> str:
    path = PurePosixPath(name)
    # Only what is a file's ending: a bib key may have a full stop in it.
    return path.stem if path.suffix.lower() in _SUFFIXES else name
