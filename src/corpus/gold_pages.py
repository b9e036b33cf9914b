"""Gold pages: the pages of a grammar that describe a feature, as annotators write them down."""

from __future__ import annotations

from src.corpus.pages import LAST_PAGE, parse_pages, unique
from src.corpus.text import excerpt


def parse_gold(text: str, offset: int | None = None) -> tuple[int, ...]:
    """Read a list such as ``11, 366-371`` into PDF pages, ascending and each once.

    ``offset`` is what must be added to a printed page to get its page in the PDF, counted from
    1; without it the list is of PDF pages. An empty text stands for no pages. ValueError names
    what is not understood, such as ``passim``, roman numerals or ``366-71``: nothing is guessed.
    """
    pages = unique(page + (offset or 0) for page in parse_pages(text))
    if pages and (pages[0] < 1 or pages[-1] > LAST_PAGE):
        raise ValueError(
            f"pages {excerpt(text)} with an offset of {offset} are the PDF's pages {pages[0]} to "
            f"{pages[-1]}, which cannot be"
        )
    return pages
