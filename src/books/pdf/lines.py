"""Lines of a page: pieces that stand on one height, put together to words."""

from __future__ import annotations

from collections.abc import Iterable
from dataclasses import dataclass, field
from itertools import pairwise

from src.books.pdf.pieces import Piece

# In parts of the type size: raised and lowered type stays nearer to its line than this.
_SAME_LINE = 0.45
_RAISED_BY = 0.15
_RAISED_SIZE = 0.88
_MANY_VALUES = 4


# Two of the code points that Unicode promises never to give to a character.
RAISED, LEVEL = "\ufdd0", "\ufdd1"
_SIGNS = str.maketrans("", "", RAISED + LEVEL)


def plain(text: str) -> str:
    """Return a text without the signs for raised type."""
    return text.translate(_SIGNS) if RAISED in text else text


@dataclass(slots=True)
class Word:
    """A word with its place; small raised type in it stands between ``RAISED`` and ``LEVEL``."""

    text: str
    x0: float
    x1: float
    bold: bool = False


@dataclass(slots=True)
class Line:
    """A line of a page; ``y`` grows downwards; ``column`` is 1 or 2, or 0 for the full width."""

    words: list[Word]
    y: float
    size: float
    column: int = 0
    raised_start: bool = False
    x0: float = field(init=False)
    x1: float = field(init=False)

    def __post_init__(self) -> None:
        self.x0 = self.words[0].x0
        self.x1 = max(word.x1 for word in self.words)

    @property
    def text(self) -> str:
        """The words with single blanks between them."""
        return plain(" ".join([word.text for word in self.words]))

    @property
    def bold(self) -> bool:
        """Whether all words are bold."""
        return all(word.bold for word in self.words)

    def cells(self, gap: float) -> list[list[Word]]:
        """Return the words in groups that are more than ``gap`` type sizes apart."""
        groups = [[self.words[0]]]
        for before, word in pairwise(self.words):
            if word.x0 - before.x1 > gap * self.size:
                groups.append([])
            groups[-1].append(word)
        return groups


def lines_of(pieces: Iterable[Piece], column: int = 0) -> list[Line]:
    """Return the lines that pieces make, from the top."""
    found: list[Line] = []
    row: list[Piece] = []
    for piece in sorted(pieces, key=lambda piece: piece.y):
        if row and piece.y - row[-1].y > _SAME_LINE * max(piece.size, row[-1].size):
            found.append(_line(row, column))
            row = []
        row.append(piece)
    if row:
        found.append(_line(row, column))
    return found


def _line(row: list[Piece], column: int) -> Line:
    size, y = _measure(row)
    row.sort(key=lambda piece: piece.x0)
    words: list[Word] = []
    open_word, edge, raised_start = False, 0.0, False
    for piece in row:
        text = piece.text.strip()
        raised = piece.size < _RAISED_SIZE * size and piece.y < y - _RAISED_BY * size
        joined = open_word and piece.x0 - edge <= piece.gap * max(piece.size, size * 0.7)
        if not words:
            raised_start = raised
        elif raised_start and len(words) == 1 and not raised:
            joined = False
        if raised and words:
            text = RAISED + text + LEVEL
        if joined:
            words[-1].text += text
            words[-1].bold &= piece.bold or raised
        else:
            words.append(Word(text, piece.x0, piece.x1, piece.bold))
        words[-1].x1 = max(words[-1].x1, piece.x1)
        edge, open_word = max(edge, piece.x1), not piece.blank
    return Line(words, y, size, column, raised_start)


def _measure(row: list[Piece]) -> tuple[float, float]:
    """Return the type size and the height of most of a line."""
    size = _most((round(piece.size, 1), len(piece.text) * piece.size) for piece in row)
    return size, _most(
        (piece.y, piece.x1 - piece.x0) for piece in row if piece.size > _RAISED_SIZE * size
    )


def _most(weighted: Iterable[tuple[float, float]]) -> float:
    """Return the value with most of the weight; the median where none has half (OCR)."""
    weights: dict[float, float] = {}
    for value, weight in weighted:
        weights[value] = weights.get(value, 0.0) + weight
    most, half = max(weights, key=lambda key: (weights[key], key)), sum(weights.values()) / 2
    if weights[most] >= half or len(weights) < _MANY_VALUES:
        return most
    below = 0.0
    for value in sorted(weights):
        below += weights[value]
        if below >= half:
            break
    return value
