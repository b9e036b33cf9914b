"""Faults found while something is read: all are collected before any is raised."""

from __future__ import annotations

from src.errors import GrambenchError

_SHOWN = 20


class Problems:
    """A list of faults, each with the place where it was found."""

    def __init__(self) -> None:
        self.found: list[str] = []

    def add(self, where: str, what: str) -> None:
        """Note a fault; ``where`` names the file and, where it has one, the row or key."""
        self.found.append(f"{where}: {what}")

    def raise_any(self, title: str, advice: str) -> None:
        """Raise GrambenchError with the first faults found, if there are any."""
        if not self.found:
            return
        lines = [f"  {fault}" for fault in self.found[:_SHOWN]]
        if len(self.found) > _SHOWN:
            lines.append(f"  ... and {len(self.found) - _SHOWN} more")
        number = "1 problem" if len(self.found) == 1 else f"{len(self.found)} problems"
        raise GrambenchError("\n".join([f"{title} ({number}):", *lines, advice]))
