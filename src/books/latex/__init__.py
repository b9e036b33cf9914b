"""LaTeX books of linguists, read into blocks."""

from src.books.latex.reader import read_latex
from src.books.latex.residue import residue

__all__ = ["read_latex", "residue"]
