"""When two spellings of a label are the same."""

from __future__ import annotations

import re
from unicodedata import normalize

_DASHES = re.compile(r"[-‐-―−⁃﹘﹣－]")
_INVISIBLE = re.compile("[\u00ad\u200b-\u200f\u2060\ufeff]")
_EDGES = " .,;:!?…\"'`“”„‘’«»*_#()[]{}"


def normal(text: str) -> str:
    """Return what two spellings of a label have in common.

    NFKC without case or invisible characters; a dash of any kind is a space, spaces are single;
    punctuation and marks of emphasis at both ends are dropped, unless there is nothing else.
    """
    text = normalize("NFKC", normalize("NFKC", text).casefold())
    text = " ".join(_INVISIBLE.sub("", text).split())
    # a dash alone is a label, such as "-" beside "+"
    return " ".join(_DASHES.sub(" ", text).strip(_EDGES).split()) or text
