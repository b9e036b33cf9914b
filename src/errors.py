"""Errors that are meant for people: what is wrong, where, and what to do."""

from __future__ import annotations

import difflib
from collections.abc import Iterable


class GrambenchError(Exception):
    """A fault that the user can put right; shown as its message, without a traceback."""


def suggest(unknown: str, known: Iterable[str]) -> str:
    """Return `` Did you mean 'x'?`` (with the leading space) or, where nothing is near, ``""``."""
    choices = list(known)
    lowered = {choice.lower(): choice for choice in choices}
    near = difflib.get_close_matches(unknown.lower(), lowered, n=1, cutoff=0.6)
    return f" Did you mean '{lowered[near[0]]}'?" if near else ""
