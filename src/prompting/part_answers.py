"""Answers that code each part of a feature as 1 or 0."""

from __future__ import annotations

import re
from collections.abc import Collection, Mapping, Sequence
from dataclasses import dataclass
from functools import lru_cache

from src.prompting.features import NO, YES, Feature
from src.prompting.markup import lines_of
from src.prompting.mentions import spelled
from src.prompting.readings import Reading

_YES = r"1|yes|true|present|applies|attested|✓|✔|☑|✅"
_NO = r"0|(?:no|none)(?![ \t]+\w)|false|not\s+(?:present|attested)|absent|✗|✘|☒|❌"
_GAP = r"[ \t]*"
_SAYS = r"(?:[:=|>-]|->|\bis\b|\bcoded?\b|\bvalue\b|\bas\b)"
_SEPARATOR = rf"'?{_GAP}(?:\([^()\n]{{0,60}}\){_GAP})?(?:{_SAYS}\s*)+"
_CODE = rf"[(\['\s]*(?P<code>{_YES}|{_NO})(?!\w)(?!\s*(?:/|\bor\b)\s*[01])"
_BRACKETED = rf"{_GAP}[(\[]\s*(?P<bracketed>{_YES}|{_NO})\s*[)\]]"
_SPACED = r"[ \t]+(?P<spaced>[01])(?![\w.])"
_BEFORE = rf"(?:^[^\w\n]{{0,10}}|[.;]\s?)(?P<first>{_YES}|{_NO}){_GAP}[-:=|]+\s*"
_AND = rf"{_GAP}(?:[,;&]{_GAP}(?:and\s)?|\band\b){_GAP}"
# What introduces the prompt's example of an answer, and the line after it.
_EXAMPLE = re.compile(
    r"^.*\b(?:examples?|e\.g\.|for instance|format|template)\b.*(?:\n.*)?",
    re.IGNORECASE | re.MULTILINE,
)
_IS_YES = re.compile(rf"(?:{_YES})$", re.IGNORECASE)

# What a list of names may have beside the names.
_GLUE = re.compile(
    r"\b(?:and|or|also|both|plus|the|a|an|with|by|of|in|for|to|uses?|using|via|are|is|namely|only|all"
    r"|strateg(?:y|ies)|polar|yes|no|questions?|forming|form|formed|marking|marked|mark|following"
    r"|language|present|used|found|attested|available|particles?|morphology)\b",
    re.IGNORECASE,
)
_SIGNED = re.compile(r"[:=|]\s*[-+]\s*\|?\s*$")  # what "+" and "-" mean is not asked for
_NONE = re.compile(r"^\W*none(?:\s+of\s+(?:the|these)(?:\s+\w+){0,4})?\W*$", re.IGNORECASE)


@dataclass(frozen=True)
class _Names:
    """A feature's names of parts: which part each is, and where some are found with a code."""

    parts: Mapping[str, str]
    name: re.Pattern[str]
    coded: re.Pattern[str]
    listed: re.Pattern[str]
    starting: re.Pattern[str]


def read_parts(piece: str, feature: Feature) -> Reading | None:
    """Return the codes of a piece of plain text that follows an announcement, or None.

    Parts with codes may stand in any order, in lists, tables or a line; of several complete
    listings the last counts, unless what follows it takes a code back. Without any code, names
    alone are what is 1.
    """
    codes = codes_in(piece, feature)
    if codes:
        return Reading(piece.strip(), _last_listing(codes, feature))
    lines = lines_of(piece)
    return _names_only(lines, feature) if lines else None


def read_anywhere(text: str, feature: Feature) -> Reading | None:
    """Return the last complete listing of a text that announces none, or None."""
    labels = _last_listing(codes_in(_EXAMPLE.sub("", text), feature), feature)
    return Reading(text.strip()[-300:], labels) if labels else None


def codes_in(text: str, feature: Feature) -> list[tuple[str, str]]:
    """Return the parts (ids) that a text codes and their codes, in the text's order.

    Codes follow the names, or else precede them (``1: Tone``, ``absent: Tone, ...``).
    """
    names = _names(feature)
    found = [
        (part_of(match["name"], feature), match["code"] or match["bracketed"] or match["spaced"])
        for match in names.coded.finditer(text)
    ] or [
        (part_of(name[0], feature), match["first"])
        for match in names.listed.finditer(text)
        for name in names.name.finditer(match["names"])
    ]
    return [(part, YES if _IS_YES.match(code) else NO) for part, code in found]


def part_of(name: str, feature: Feature) -> str:
    """Return the id of the part that a name stands for, ``""`` if there is none."""
    return _names(feature).parts.get(_key(name), "")


def _last_listing(codes: Sequence[tuple[str, str]], feature: Feature) -> dict[str, str]:
    last: dict[str, str] = {}
    current: dict[str, str] = {}
    for part, code in codes:
        if part in current and len(current) == len(feature.parts):
            current = {}
        elif part in current and current[part] != code:
            return {}
        current[part] = code
        if len(current) == len(feature.parts):
            last = current
    if current is not last and any(last.get(part) != code for part, code in current.items()):
        return {}
    return last


def _names_only(lines: Sequence[str], feature: Feature) -> Reading | None:
    if _NONE.match(lines[0]):
        return Reading(lines[0], {part.id: NO for part in feature.parts})
    names = _names(feature)
    here: set[str] = set()
    read = []
    for line in lines:
        named = {part_of(match[0], feature) for match in names.name.finditer(line)}
        left = _GLUE.sub("", names.name.sub("", line))
        if any(character.isalnum() for character in left) or (not named and here):
            break
        here |= named
        read.append(line)
    if not here:
        return None
    rest = "\n".join(lines[len(read) :])
    if any(map(_SIGNED.search, read)) or _names_more(rest, here, feature):
        return Reading("\n".join(read))
    return Reading("\n".join(read), {p.id: YES if p.id in here else NO for p in feature.parts})


def _names_more(text: str, known: Collection[str], feature: Feature) -> bool:
    """Tell whether a line begins with another part than those that are known."""
    started = _names(feature).starting.finditer(text)
    return any(part_of(match["name"], feature) not in known for match in started)


@lru_cache(maxsize=16)
def _names(feature: Feature) -> _Names:
    parts = {
        _key(name): part.id
        for part in feature.parts
        for name in (part.id, part.id.replace("_", " "), *part.aliases, part.label)
    }
    longest_first = sorted(parts, key=len, reverse=True)
    inner = "|".join(spelled(name, r"[\s_-]+") for name in longest_first)
    after = rf"(?:{_SEPARATOR}{_CODE}|{_BRACKETED}|{_SPACED})"
    return _Names(
        parts,
        re.compile(inner, re.IGNORECASE),
        re.compile(rf"(?P<name>{inner}){after}", re.IGNORECASE),
        re.compile(
            rf"{_BEFORE}(?P<names>(?:{inner})(?:{_AND}(?:{inner}))*)", re.IGNORECASE | re.MULTILINE
        ),
        re.compile(rf"^\W*(?:\d{{1,2}}[.)]\s*)?(?P<name>{inner})", re.IGNORECASE | re.MULTILINE),
    )


def _key(name: str) -> str:
    return " ".join(re.split(r"[\s_-]+", name.casefold().strip()))
