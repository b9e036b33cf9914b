"""A paragraph before it has its number."""

from __future__ import annotations

from dataclasses import dataclass


@dataclass(frozen=True, slots=True)
class Piece:
    """The text of a paragraph, its pages, and the headings above it (see ``records.Paragraph``)."""

    text: str
    pages: tuple[int, ...] = ()
    section: str = ""
    label: str = ""
