"""Which grammar a row of somebody's table speaks of: by id, file name, stem or path."""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from pathlib import PurePosixPath

from src.corpus.text import nfc
from src.importers.grammars.finding import Found, safe_id
from src.importers.grammars.near import Hints, stem_of


class Names:
    """All names that grammars go by in tables."""

    def __init__(self, found: Sequence[Found]) -> None:
        self._hints = Hints([one.id for one in found])
        self._exact: dict[str, Found] = {}
        self._folded: dict[str, dict[str, Found]] = {}
        for one in found:
            for name in _names(one):
                self._exact.setdefault(name, one)
                self._folded.setdefault(name.casefold(), {})[one.id] = one

    def find(self, key: str) -> Found | None:
        """Return the grammar that a key names; case counts only where it tells two apart."""
        for name in _readings(key):
            if name in self._exact:
                return self._exact[name]
            alike = self._folded.get(name.casefold(), {})
            if len(alike) == 1:
                return next(iter(alike.values()))
        return None

    def hint(self, key: str) -> str:
        """Return a suggestion for a key that names none, or ``""``; only the first few get one."""
        return self._hints.near(key)


def _names(one: Found) -> Iterable[str]:
    names = [one.id, one.file]
    if one.path.name != "main.tex":
        names += [one.path.name, one.path.stem]
    return [nfc(name) for name in names]


def _readings(key: str) -> Iterable[str]:
    """Return what a key may mean, the most literal first: a path's end is a file or folder."""
    path = PurePosixPath(nfc(key).strip().replace("\\", "/"))
    parts = [str(path), path.name, stem_of(path.name)]
    if path.name == "main.tex":
        parts = [str(path), "/".join(path.parts[-2:]), path.parent.name]
    return [name for name in [*parts, safe_id(parts[-1])] if name]
