"""Near names, for who has misspelt one: of files, mostly."""

from __future__ import annotations

import difflib
from collections.abc import Iterable
from pathlib import PurePosixPath

_ENDINGS = (".pdf", ".txt", ".md", ".markdown", ".tex")
_NEAR = 0.6
# Each takes as long as there are names: for thousands of both it would be minutes.
_HINTS = 20


class Hints:
    """Suggestions among known names, for the first 20 unknown ones."""

    def __init__(self, known: Iterable[str]) -> None:
        self._known = list(known)
        self._left = _HINTS

    def near(self, unknown: str) -> str:
        """Return what :func:`near_name` does, or ``""`` when it has been asked often enough."""
        self._left -= 1
        return near_name(unknown, self._known) if self._left >= 0 else ""


def near_name(unknown: str, known: Iterable[str]) -> str:
    """Return `` Did you mean 'x'?`` or ``""``; folders and endings do not make names alike."""
    stems = {stem: name for name in known if (stem := _plain(name))}
    near = difflib.get_close_matches(_plain(unknown), stems, n=1, cutoff=_NEAR)
    return f" Did you mean '{stems[near[0]]}'?" if near else ""


def stem_of(name: str) -> str:
    """Return a name without a file's ending; a bib key may have a full stop in it."""
    path = PurePosixPath(name)
    return path.stem if path.suffix.lower() in _ENDINGS else name


def _plain(name: str) -> str:
    return stem_of(PurePosixPath(name.replace("\\", "/")).name).casefold()
