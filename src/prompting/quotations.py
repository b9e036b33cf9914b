"""What a reply quotes, and whether a text has it word for word."""

from __future__ import annotations

import re
from functools import lru_cache
from unicodedata import normalize

_WORDS, _CHARACTERS = 4, 20
_KEPT = 8192

# A quotation does not go on behind an empty line or in the next item of a list.
_END = re.compile(r"\n[ \t]*(?:\n|(?=(?:[-*•+]|\d+[.)])[ \t]))")
_BLOCK = re.compile(r"(?:^[ \t]*>[^\n]*(?:\n|$))+", re.MULTILINE)
_QUOTED = re.compile(
    r'(?<!\w)"([^"]+)"(?!\w)|“([^“”]+)”|„([^„“”]+)[“”]|«([^«»]+)»|»([^«»]+)«|(?<!\w)‘((?:[^‘’]|’(?=\w))+)’'
)
# "Tone: 0, ..." in quotes is an answer, in the form that was asked for
_CODES = re.compile(r"(?:[^:,\n]+:\s*[01X]\s*[,.;]?\s*)+")
_ELLIPSIS = re.compile(r"[\[(]\s*(?:\.\s?\.\s?\.|…)\s*[\])]|\.\s?\.\s?\.+|…")
_ALIKE = str.maketrans(
    {
        **dict.fromkeys("‐‑‒–—―−﹣－\x96\x97", "-"),
        # with the apostrophes of IPA, and what Windows has where scans were read as Latin-1
        **dict.fromkeys('"“”„‟«»‘’‚‛‹›′″`´ʼʻʽ\x91\x92\x93\x94', "'"),
        **dict.fromkeys("\u00ad\u200b\u200c\u200d\u2060\ufeff*", None),
    }
)
_EDGES = ".,;:!?'-()[]"


def quotations_in(text: str) -> list[str]:
    """Return what stands in quotation marks or block quotes, as written, each once.

    Short ones are left out: under four words and 20 characters, or a single word. Straight single
    quotes are not looked at: in linguistics they are translations and apostrophes.
    """
    blocks = [_without_marks(match[0]) for match in _BLOCK.finditer(text)]
    rest = _BLOCK.sub("\n\n", text)
    quoted = [
        next(group for group in match.groups() if group)
        for block in _END.split(rest)
        for match in _QUOTED.finditer(block)
    ]
    different: dict[str, str] = {}
    for quotation in filter(_is_long, [*blocks, *quoted]):
        different.setdefault(even(quotation).strip(_EDGES), quotation.strip())
    return list(different.values())


def stands_in(quotation: str, text: str) -> bool:
    """Tell whether a text has a quotation, word for word.

    Case, spaces, kinds of quotes and dashes, emphasis and punctuation at the edges may differ; what
    ellipses separate must occur in this order.
    """
    pieces = [even(piece).strip(_EDGES) for piece in _ELLIPSIS.split(quotation)]
    within, at = even(text), 0
    for piece in filter(None, pieces):
        found = within.find(piece, at)
        if found < 0:
            return False
        at = found + len(piece)
    return any(pieces)


@lru_cache(maxsize=_KEPT)
def even(text: str) -> str:
    """Return a text without what may differ between a source and a faithful quotation."""
    # spaces count for nothing: scanned grammars have them within words and lack them between
    return "".join(normalize("NFC", text.translate(_ALIKE)).casefold().split())


def _is_long(quotation: str) -> bool:
    if _CODES.fullmatch(quotation.strip()):
        return False
    words = quotation.split()
    return len(words) >= _WORDS or (len(words) > 1 and len(quotation.strip()) >= _CHARACTERS)


def _without_marks(block: str) -> str:
    lines = re.sub(r"^[ \t]*>+[ \t]?", "", block, flags=re.MULTILINE)
    return lines.strip().strip('"“”„«»')
