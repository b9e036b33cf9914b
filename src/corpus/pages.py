"""Page numbers as text: "12-14, 20" for the pages 12, 13, 14 and 20."""

from __future__ import annotations

import re
from collections.abc import Sequence

_SPAN = re.compile(r"(\d{1,6})(?:\s*[-–]\s*(\d{1,6}))?")


def parse_pages(text: str) -> tuple[int, ...]:
    """Read 1-based page numbers; ValueError says what is wrong with the text."""
    pages: list[int] = []
    for part in text.split(",") if text.strip() else []:
        match = _SPAN.fullmatch(part.strip())
        if not match:
            raise ValueError(f"pages '{text}' are not like '12-13' or '12, 14'")
        first = int(match[1])
        last = int(match[2] or match[1])
        if first < 1 or last < first:
            raise ValueError(f"pages '{text}' do not count upwards from page 1")
        pages.extend(range(first, last + 1))
    return tuple(pages)


def format_pages(pages: Sequence[int]) -> str:
    """Write page numbers so that parse_pages reads the same numbers again."""
    spans: list[list[int]] = []
    for page in pages:
        if spans and page == spans[-1][-1] + 1:
            spans[-1][1:] = [page]
        else:
            spans.append([page])
    return ", ".join("-".join(map(str, span)) for span in spans)
