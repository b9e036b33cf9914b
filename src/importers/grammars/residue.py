"""How many paragraphs have a LaTeX command left in them."""

from __future__ import annotations

from collections.abc import Sequence

from src.records import Paragraph


def residue_of(form: str, paragraphs: Sequence[Paragraph]) -> float:
    """Return the share of paragraphs with a LaTeX command left in them; 0 for other forms."""
    if form != "latex":
        return 0.0
    from src.books.latex.residue import residue

    return sum(bool(residue(paragraph.text)) for paragraph in paragraphs) / len(paragraphs)
