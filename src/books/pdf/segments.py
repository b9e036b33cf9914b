"""Segments: what stands on one line of a page without a wide gap."""

from __future__ import annotations

from dataclasses import dataclass

from src.books.pdf.pieces import Piece

# In parts of the type size: a gap that is no blank between words.
_GAP = 0.7


@dataclass(slots=True)
class Segment:
    """Pieces of a line without a wide gap; ``order`` is its place in the file."""

    pieces: list[Piece]
    x0: float
    x1: float
    y: float
    order: int

    @property
    def letters(self) -> int:
        """How many characters it has."""
        return sum(len(piece.text) for piece in self.pieces)


def segments_of(pieces: list[Piece]) -> list[Segment]:
    """Return the segments that pieces make, in the order of the file."""
    found: list[Segment] = []
    for piece in pieces:
        last = found[-1] if found else None
        if (
            last
            and abs(piece.y - last.y) < 0.4 * piece.size
            and -0.5 * piece.size < piece.x0 - last.x1 <= _GAP * piece.size
        ):
            last.pieces.append(piece)
            last.x1 = max(last.x1, piece.x1)
        else:
            found.append(Segment([piece], piece.x0, piece.x1, piece.y, len(found)))
    return found
