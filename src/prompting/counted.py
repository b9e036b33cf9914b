"""Options that are ranges of a number: ``6-7 cases`` and what says the same."""

from __future__ import annotations

import math
import re
from collections.abc import Callable, Iterable, Sequence

_NUMBERS = (
    *("zero", "one", "two", "three", "four", "five", "six", "seven", "eight", "nine", "ten"),
    *("eleven", "twelve", "thirteen", "fourteen", "fifteen", "sixteen", "seventeen", "eighteen"),
    "nineteen",
)
_TENS = ("twenty", "thirty", "forty", "fifty", "sixty")
_NUMBER = (
    rf"(?:\d{{1,3}}(?![\d.,]\d)|(?:{'|'.join(_TENS)})(?:[\s-](?:{'|'.join(_NUMBERS[1:10])})\b)?|"
    + "|".join(sorted(_NUMBERS, key=len, reverse=True))
    + ")"
)
_BETWEEN = (
    r"(?:(?:distinct|different|productive|morphological|separate|grammatical|nominal|overt"
    r"|total)(?:ly)?[\s,-]+){0,3}"
)
# as many suffixes are another number of cases: the unmarked form may be one
_FORM = (
    r"(?:suffix|prefix|affix|clitic|enclitic|marker|ending|particle|postposition"
    r"|morpheme)(?:e?s)?\b"
)
_COUNT = (
    r"(?P<before>\b(?:at least|more than|over|no fewer than|not fewer than|up to|at most|fewer than"
    r"|less than|under|between|from)\s+|(?<![-=])[<>≤≥]=?\s*)?"
    rf"(?<![\w.])(?P<low>{_NUMBER})(?:\s*\((?P<again>{_NUMBER})\))?"
    rf"(?:\s*(?:-|/|\bto\b|\bor\b|\band\b)\s*(?P<high>{_NUMBER})\b)?"
    r"(?P<after>\s*\+|\s*(?:or|and)\s+(?:more|above|fewer|less)\b|\s*plus\b)?"
)

Finder = Callable[[str], Iterable[tuple[int, int, str]]]
Range = tuple[float, float]


def counted(labels: Sequence[str]) -> Finder | None:
    """Return what finds numbers of the labels' unit in a text, or None if they are no numbers.

    A number that is within none of the labels' ranges, or not within one only, is found as ``""``.
    """
    unit = _unit(labels)
    if unit is None:
        return None
    plural = re.escape(unit)
    singular = plural.removesuffix("s")
    unit_after = rf"[\s-]*{_BETWEEN}(?:{plural}|{singular})(?!\w)(?!\s+{_FORM})"
    with_unit = re.compile(_COUNT + unit_after, re.IGNORECASE)
    alone = re.compile(
        rf"(?:^|\bis\s|\b{plural}\s*[:=])[\s(]*(?:(?:about|around|approximately)\s+)?{_COUNT}"
        r"[\s.)]*$",
        re.IGNORECASE,
    )
    ranges = {label: _range(match) for label in labels if (match := with_unit.fullmatch(label))}

    def find(text: str) -> Iterable[tuple[int, int, str]]:
        matches = list(with_unit.finditer(text))
        if not matches and (match := alone.search(text)):
            matches = [match]
        for match in matches:
            yield match.start(), match.end(), _label(_range(match), ranges)

    return find


def _unit(labels: Sequence[str]) -> str | None:
    """Return the word that counts in most labels: what stands last in those with a number."""
    last = [label.split()[-1].lower() for label in labels if re.match(r"\d+[ -]", label)]
    return last[0] if len(last) > 1 and len(set(last)) == 1 and last[0].isalpha() else None


def _label(found: Range, ranges: dict[str, Range]) -> str:
    low, high = found
    return next((label for label, (a, b) in ranges.items() if a <= low and high <= b), "")


def _range(match: re.Match[str]) -> Range:
    low = _number(match["low"])
    high = _number(match["high"] or match["again"]) if match["high"] or match["again"] else low
    low, high = min(low, high), max(low, high)
    before = (match["before"] or "").lower().strip()
    after = (match["after"] or "").lower()
    if before in {"up to", "at most", "fewer than", "less than", "under", "<", "<=", "≤"}:
        return 0, high
    if re.search(r"fewer|less", after):
        return 0, high
    if before in {"more than", "over", ">"}:
        return low + 1, math.inf
    is_open = before in {"at least", "no fewer than", "not fewer than", "≥", ">="} or after
    joined = re.search(r"\band\b", match[0], re.IGNORECASE) and match["high"]
    if joined and before != "between":
        return low, math.inf  # "two and three cases": not one number
    return low, math.inf if is_open else high


def _number(text: str) -> int:
    if text.isdigit():
        return int(text)
    tens, *ones = re.split(r"[\s-]", text.lower())
    if tens in _TENS:
        return 10 * (_TENS.index(tens) + 2) + sum(map(_NUMBERS.index, ones))
    return _NUMBERS.index(tens)
