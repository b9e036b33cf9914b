"""Imports whole grammars from PDF, LaTeX, plain text and Markdown."""

from src.importers.grammars.importing import Imported, Wanted, import_grammars

__all__ = ["Imported", "Wanted", "import_grammars"]
