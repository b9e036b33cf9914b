"""Books from PDF files: glyphs with their places, lines, columns, blocks."""

from src.books.pdf.reading import read_pdf

__all__ = ["read_pdf"]
