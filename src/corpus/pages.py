"""Page numbers as text: "12-14, 20" for the pages 12, 13, 14 and 20."""

from __future__ import annotations

import re
from collections.abc import Iterable, Sequence

from src.corpus.text import excerpt

LAST_PAGE = 999_999  # books have fewer; longer numbers are something else

MOST_PAGES = 10_000  # of one list; what names more would only fill the memory

# Hyphens, dashes and the minus sign all stand between the first page and the last.
_SPAN = re.compile(r"(\d{1,6})(?:\s*[-\u2010-\u2015\u2212]\s*(\d{1,6}))?")
_NAMED = 5  # parts in a message
_BETWEEN = re.compile("[,;]")


def parse_pages(text: str) -> tuple[int, ...]:
    """Read 1-based page numbers, in their order; ValueError says what is wrong with the text.

    Nothing is guessed: a range whose last page is shortened (366-71) is refused too.
    """
    pages: list[int] = []
    strange = []
    for part in map(str.strip, _BETWEEN.split(text)) if text.strip() else []:
        match = _SPAN.fullmatch(part)
        if not match:
            strange.append(part)
            continue
        first = int(match[1])
        last = int(match[2] or match[1])
        if first < 1 or last < first:
            where = "" if part == text.strip() else f": '{part}'"
            raise ValueError(f"pages {excerpt(text)} do not count upwards from page 1{where}")
        if len(pages) + last - first >= MOST_PAGES:
            raise ValueError(f"pages {excerpt(text)} are more than {MOST_PAGES}, which cannot be")
        pages.extend(range(first, last + 1))
    if strange:
        named = ", ".join(map(excerpt, strange[:_NAMED]))
        more = f" and {len(strange) - _NAMED} more" if len(strange) > _NAMED else ""
        where = "" if strange == [text.strip()] else f": {named}{more}"
        raise ValueError(f"pages {excerpt(text)} are not like '12-13' or '12, 14'{where}")
    return tuple(pages)


def unique(pages: Iterable[int]) -> tuple[int, ...]:
    """Return a set of pages: ascending, each once."""
    return tuple(sorted(set(pages)))


def format_pages(pages: Sequence[int]) -> str:
    """Write page numbers so that parse_pages reads the same numbers again."""
    spans: list[list[int]] = []
    for page in pages:
        if spans and page == spans[-1][-1] + 1:
            spans[-1][1:] = [page]
        else:
            spans.append([page])
    return ", ".join("-".join(map(str, span)) for span in spans)
