"""Lines of running text to one line; which hyphens at line ends belong to their words."""

from __future__ import annotations

from collections.abc import Container, Iterable, Sequence

import regex

_HYPHENS = ("-", "‐", "\u00ad")
_LETTERS = r"[\p{L}\p{M}]"
# Possessive: a text without spaces takes no longer than another.
_FIRST = regex.compile(rf"{_LETTERS}++")
_LAST = regex.compile(rf"(?<!{_LETTERS}){_LETTERS}++$")
# Neither half of a word that is broken over two lines is a word of the book.
_BREAK = "\x00"
_BROKEN = regex.compile(rf"[-‐\u00ad][^\S\n]*+(?:\n\s*+{_LETTERS}++|$)")
_WORD = regex.compile(rf"{_LETTERS}++{_BREAK}?")


def words_of(texts: Iterable[str]) -> frozenset[str]:
    """Return the words (runs of letters, case-folded) of texts, without those broken over lines."""
    found: set[str] = set()
    for text in texts:
        found.update(word[0] for word in _WORD.finditer(_BROKEN.sub(_BREAK, text)))
    return frozenset(word.casefold() for word in found if not word.endswith(_BREAK))


def join_lines(lines: Sequence[str], words: Container[str]) -> str:
    """Join lines of running text to one, with single spaces between them; empty lines go.

    A hyphen that ends a line is dropped only where the word without it is in ``words`` (from
    :func:`words_of`) and the next line does not go on with a capital (``North-`` / ``Western``),
    unless all is in capitals. Otherwise it stays, and no space follows it.
    """
    pieces: list[str] = []
    for line in filter(None, (line.strip() for line in lines)):
        if pieces and _ends_in_hyphen(pieces[-1]):
            bare = pieces[-1][:-1]
            pieces[-1] = bare if _is_one_word(bare, line, words) else bare + _kept(pieces[-1][-1])
        elif pieces:
            pieces.append(" ")
        pieces.append(line)
    return "".join(pieces)


def _ends_in_hyphen(line: str) -> bool:
    """Tell a hyphen from a dash: it follows a letter or a digit, or a bracket or quote on one."""
    return len(line) > 1 and line.endswith(_HYPHENS) and not line[-2].isspace()


def _is_one_word(before: str, after: str, words: Container[str]) -> bool:
    head, tail = _LAST.search(before), _FIRST.match(after)
    if head is None or tail is None:
        return False
    if tail[0][0].isupper() and not (head[0].isupper() and tail[0].isupper()):
        return False
    return (head[0] + tail[0]).casefold() in words


def _kept(hyphen: str) -> str:
    return "-" if hyphen == "\u00ad" else hyphen
