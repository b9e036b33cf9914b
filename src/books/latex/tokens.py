"""From LaTeX to tokens; comments are gone, white space and positions are kept."""

from __future__ import annotations

import re
from collections.abc import Iterator
from typing import Any, NamedTuple

TEXT, WORD, SYMBOL, OPEN, CLOSE, MATH, ALIGN, PAR, SUPER, SUB, PARAM, LEFT, RIGHT, VERB, CALL = (
    range(15)
)


class Token(NamedTuple):
    """A token: its kind, its text (the name of a command without the backslash), where it began.

    A ``CALL`` never comes from a file: its text is a function that is called with the engine.
    """

    kind: int
    text: Any
    at: int = -1


_LETTERS = r"[^\W\d_]"
_SPACE = r"[ \t]*(?:\n(?![ \t]*\n)[ \t]*)?"
_PLAIN = r"[^\\{}$&%^_\[\]\n#]"
_PATTERN = re.compile(
    rf"(?P<text>{_PLAIN}+(?:\n(?![ \t]*\n){_PLAIN}*)*|\n(?![ \t]*\n){_PLAIN}*)"
    r"|\\(?:verb\*?(?P<bar>[^A-Za-z\s*])(?P<verb>[^\n]*?)(?P=bar)"
    r"|(?:url|path|nolinkurl)\s*\{(?P<url>[^{}\n]*)\}"
    r"|(?P<href>href)\s*\{[^{}\n]*\}"
    rf"|(?P<word>(?:{_LETTERS})+(?:@+(?:{_LETTERS})+)*@*|@[A-Za-z@]+){_SPACE}"
    r"|(?P<symbol>[\s\S]))"
    r"|(?P<open>\{)|(?P<close>\})|(?P<math>\$\$?)|(?P<align>&)"
    r"|(?P<par>\n[ \t]*\n\s*)"
    r"|%[^\n]*(?:\n[ \t]*(?P<blank>\n\s*)?)?"
    r"|(?P<super>\^)|(?P<sub>_)|(?P<param>\#\d?)|(?P<left>\[)|(?P<right>\])"
)
_KINDS = {
    "text": TEXT,
    "word": WORD,
    "symbol": SYMBOL,
    "open": OPEN,
    "close": CLOSE,
    "math": MATH,
    "align": ALIGN,
    "par": PAR,
    "blank": PAR,
    "super": SUPER,
    "sub": SUB,
    "param": PARAM,
    "left": LEFT,
    "right": RIGHT,
    "verb": VERB,
    "url": VERB,
}
_URL = _PATTERN.groupindex["url"]
_CHUNK = 20_000
_LONGEST_TEXT = 4_000
_ESCAPED = re.compile(r"\\([%_&#~{}])")
_PARTS = {number: _KINDS[name] for name, number in _PATTERN.groupindex.items() if name in _KINDS}


def tokenise(text: str) -> list[Token]:
    """Return the tokens of ``text``."""
    return [token for chunk in in_chunks(text) for token in chunk]


def in_chunks(text: str) -> Iterator[list[Token]]:
    """Give the tokens of ``text`` piece by piece, so that a large file needs little memory."""
    found: list[Token] = []
    new = tuple.__new__
    for match in _PATTERN.finditer(text):
        number = match.lastindex
        if number is None or number not in _PARTS:
            continue
        content = match[number]
        if number == _URL:
            content = _ESCAPED.sub(r"\1", content)
        at = match.start()
        if len(content) > _LONGEST_TEXT and _PARTS[number] == TEXT:
            *pieces, content = _pieces(content)
            for piece in pieces:
                found.append(new(Token, (TEXT, piece, at)))
                at += len(piece)
        found.append(new(Token, (_PARTS[number], content, at)))
        if len(found) >= _CHUNK:
            yield found
            found = []
    yield found


def _pieces(text: str) -> list[str]:
    """Cut a very long text: taking a letter of it as an argument copies the rest of the piece."""
    pieces, start = [], 0
    while len(text) - start > _LONGEST_TEXT:
        end = text.rfind(" ", start, start + _LONGEST_TEXT)
        end = end if end > start else start + _LONGEST_TEXT
        pieces.append(text[start:end])
        start = end
    return [*pieces, text[start:]]


def text_of(tokens: list[Token]) -> str:
    """Return the tokens as they would be written: names of labels, files, lengths."""
    parts = []
    for kind, text, _ in tokens:
        if kind in (WORD, SYMBOL):
            parts.append("\\" + text)
        elif kind == PAR:
            parts.append("\n\n")
        elif kind != CALL:
            parts.append(text)
    return "".join(parts)
