"""Where a reply says that it concludes."""

from __future__ import annotations

import re
from dataclasses import dataclass

_MOST = 8000
"""Characters after an announcement that are read: what comes later is no conclusion."""

_WORD = re.compile(
    r"\b(?:conclusions?|answer|verdict|decision|classification|option|choice|output|result"
    r"|response|label|value)\b|\\boxed\s*\{",
    re.IGNORECASE,
)
# These say by themselves that an answer follows; the other words do after one of _FIRST.
_ALONE = frozenset({"conclusion", "conclusions", "answer", "verdict"})
_FIRST = re.compile(
    r"(?:\b(?:final|overall|chosen|selected|correct|best|right|appropriate|my|our|therefore)\b"
    r"[\s*_`\"']*(?:feature|most)?[\s*_`\"']*)$",
    re.IGNORECASE,
)
_MARKS = r"[*_`\"'”’ \t]{0,12}"
_COLON = re.compile(
    rf"(?:[ \t]{{0,12}}\([^()\n]{{0,60}}\))?{_MARKS}(?:(?:is|are){_MARKS})?[:：=](?!=)"
)
_EXAMPLE = re.compile(
    r"\b(?:examples?|e\.g\.|for instance|format|template)\b|\blong(?:er)?\s*$", re.IGNORECASE
)
_QUOTES = tuple("\"'“”‘’`")
_IS = re.compile(
    r"[*_`\" \t]{1,12}is\b(?!\s+(?:based|drawn|supported|reached|made|derived|consistent|not"
    r"|further|in|also|tentative|only|subject|hypothetical|speculative)\b)(?:[ \t]+that\b)?[,:]?",
    re.IGNORECASE,
)
_HEADING_START = re.compile(
    r"^[\s#*_>`\"']{0,40}(?:\(?\d{1,2}[.):]|[-•+])?[\s*_`\"']*"
    r"(?:(?:the|my|our|final|overall|general|brief|summary|and|&|step|\d{1,2}[.:])[\s*_`]+)*$",
    re.IGNORECASE,
)
_WEAK = re.compile(
    r"\b(?:in conclusion|to conclude|(?:I|we)(?: can| must| therefore| thus| would)* conclude"
    r"|(?:it is|we can|one can)[\w ]{0,30} conclude|leads? (?:me |us )?to the conclusion)"
    r"(?: that)?\b[,:]?",
    re.IGNORECASE,
)


@dataclass(frozen=True, slots=True)
class Conclusion:
    """A place where a reply concludes: where it begins, and where what it concludes begins.

    What a ``sentence`` concludes must stand on the rest of its line.
    """

    start: int
    body: int
    sentence: bool = False


def conclusions(text: str) -> list[str]:
    """Return what follows each announcement of a conclusion, the last of them first.

    An announcement is ``Conclusion:``, ``Final answer:``, a heading ``Conclusion`` or ``the answer
    is``, with any markup around; a piece reaches to the next announcement.
    """
    found = [place for match in _WORD.finditer(text) if (place := _place(text, match))]
    ends = [*(place.start for place in found[1:]), len(text)][: len(found)]
    pieces = [_piece(text, place, end) for place, end in zip(found, ends, strict=True)]
    return pieces[::-1]


def asides(text: str) -> list[str]:
    """Return what follows ``in conclusion`` and ``I conclude that`` on its line, the last first."""
    ends = (match.end() for match in _WEAK.finditer(text))
    return [text[end:].split("\n", 1)[0] for end in ends][::-1]


def _piece(text: str, place: Conclusion, end: int) -> str:
    piece = text[place.body : min(max(end, place.body), place.body + _MOST)]
    if not place.sentence:
        return piece
    line, _, rest = piece.lstrip(" \t").partition("\n")
    return line if any(c.isalnum() for c in line) else rest


def _place(text: str, match: re.Match[str]) -> Conclusion | None:
    word, start, end = match[0].lower(), match.start(), match.end()
    if word.startswith("\\"):
        return Conclusion(start, start, sentence=True)
    line_start = text.rfind("\n", 0, start) + 1
    before = text[max(line_start, start - 80) : start]
    alone = word in _ALONE
    if _EXAMPLE.search(before) or not (alone or _FIRST.search(before)):
        return None
    if before.endswith("<") and text.startswith(">", end):
        return Conclusion(start, end + 1)
    colon = _COLON.match(text, end)
    if colon:
        is_name = before[-1:] in _QUOTES and text[colon.end() : colon.end() + 1] in _QUOTES
        # "Conclusion:" in quotes is the prompt's, "conclusion":" is JSON
        return None if is_name and '"' not in colon[0] else Conclusion(start, colon.end())
    sentence = _IS.match(text, end)
    if sentence:
        return Conclusion(start, sentence.end(), sentence=True)
    is_title = word.startswith("conclusion") or _FIRST.search(before)
    return _heading(text, start, end, line_start) if is_title else None


def _heading(text: str, start: int, end: int, line_start: int) -> Conclusion | None:
    line_end = text.find("\n", end)
    line_end = len(text) if line_end < 0 else line_end
    before, rest = text[line_start:start], text[end:line_end]
    if not _HEADING_START.match(before):
        return None
    bare = not any(character.isalnum() for character in rest)
    dash = re.match(r"[*_` \t]+[-–—]+[ \t]+|[*_` \t]*(?:[–—]|[-=]+>|→)", rest)
    if dash:
        return Conclusion(start, end + dash.end())
    if bare or (before.lstrip().startswith("#") and not re.search(r"[:.?!]", rest)):
        return Conclusion(start, line_end)
    return None
