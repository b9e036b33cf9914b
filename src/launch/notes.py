"""What a reader must know of several runs, each thing said once."""

from __future__ import annotations

from collections.abc import Mapping, Sequence

_NAMED = 3


def noted(notes: Mapping[str, Sequence[str]]) -> list[str]:
    """Lay out the notes of runs, each with the runs that it holds for unless it holds for all."""
    lines = []
    for note in dict.fromkeys(note for own in notes.values() for note in own):
        names = [name for name, own in notes.items() if note in own]
        lines.append(f"\nnote: {note}" + ("" if len(names) == len(notes) else _in(names)))
    return lines


def _in(names: Sequence[str]) -> str:
    count = f"{len(names)} runs: " if len(names) > 1 else ""
    more = f" and {len(names) - _NAMED} more" if len(names) > _NAMED else ""
    return f" (in {count}{'; '.join(names[:_NAMED])}{more})"
