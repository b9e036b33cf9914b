"""Text of books as it is kept: composed characters, no ligatures, nothing that cannot be seen."""

from __future__ import annotations

import re
import unicodedata

_LINE_ENDS = re.compile("\r\n?")
# At a line's end a soft hyphen is printed as a hyphen; elsewhere it is not printed at all.
_BROKEN_WORD = re.compile("\u00ad+(?=[ \t]*\n)")
_UNWANTED = re.compile("[\x00-\x08\x0b-\x1f\x7f-\x9f\u00ad\ufb00-\ufb06]")
_LIGATURES = dict(zip("ﬀﬁﬂﬃﬄﬅﬆ", ("ff", "fi", "fl", "ffi", "ffl", "st", "st"), strict=True))


def clean(text: str) -> str:
    r"""Return a text in NFC, without ligatures (U+FB00 to U+FB06), soft hyphens and controls.

    Line ends become ``\n``, tabulators stay; form feeds go, so that page breaks must have been
    read before. A soft hyphen before a line's end is seen in print and becomes a hyphen, for
    :func:`src.books.hyphens.join_lines` to judge. Nothing else changes, least of all IPA: NFKC
    would turn ``tʰ`` into ``th``. Cleaning twice is the same as cleaning once.
    """
    text = _LINE_ENDS.sub("\n", text)
    text = _UNWANTED.sub(lambda found: _LIGATURES.get(found[0], ""), _BROKEN_WORD.sub("-", text))
    return unicodedata.normalize("NFC", text)
