"""Text of Markdown without the marks of emphasis and code."""

from __future__ import annotations

from functools import cache
from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from markdown_it import MarkdownIt

_MARKS = frozenset("*_`\\")


def without_emphasis(text: str) -> str:
    """Return a line without the marks that CommonMark reads as emphasis, code or escape.

    An asterisk that none closes stays: before a word it says that the word is wrong.
    """
    if not _MARKS.intersection(text):
        return text
    tokens = _parser().parseInline(text)[0].children or []
    return "".join(token.content for token in tokens)


@cache
def _parser() -> MarkdownIt:
    from markdown_it import MarkdownIt

    return MarkdownIt("zero").enable(["emphasis", "backticks", "escape"])
