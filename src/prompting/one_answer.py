"""Which one of a feature's options a piece of text concludes."""

from __future__ import annotations

import re
from collections.abc import Sequence

from src.prompting.denials import affirmed, before, is_denied, takes_back
from src.prompting.markup import lines_of
from src.prompting.mentions import Mention, Options
from src.prompting.readings import Reading, of_one

_LONG = 300  # characters in a line that may be an option with a gloss

# Between two options: they are offered side by side.
_JOINED = re.compile(
    r"^\s*\)?\s*(?:[/|,&+;]|->|-|\bor\b|\band\b|\band/or\b|\bboth\b|\s)*\s*$", re.I
)
# Between two options: the first is concluded, and the second is about something else.
_CONTRAST = re.compile(
    r"[.;(\n]|\b(?:although|though|albeit|while|whereas|however|despite|rather|not|because|since"
    r"|unlike|contrary)\b",
    re.IGNORECASE,
)
_EITHER = re.compile(r"\s*(?:/|\||\bor\b)", re.IGNORECASE)
_COORDINATED = re.compile(
    r"[^,;:.(\n]{0,80}\b(?:and|or|as\s+well\s+as)\b[^,;:.(\n]*$", re.IGNORECASE
)
_GLOSSED = re.compile(r"\s*[:=]\s*\w")
_PARENTHESES = re.compile(r"\([^()]*\)")
_ASSERTED = re.compile(
    r"(?:\b(?:is|are|be|as|has|have|remains|falls\s+(?:in|into|under|within)|corresponds\s+to)\b|[:=])"
    r"(?:\s+(?:a|an|the|best|most|described|classified|analysed|analyzed|considered|coded|indeed"
    r"|therefore|thus|clearly|predominantly|primarily|likely|basically|as|to|be)\b)*[\s(]*$",
    re.IGNORECASE,
)
_UNSURE = re.compile(r"\b(?:if|whether|may|might|could|would|can|perhaps|possibly)\b", re.I)
_UNDECIDED = re.compile(
    r"\b(?:cannot|can\s*not|can't|could\s+not|not\s+possible\s+to|impossible\s+to|unable\s+to)"
    r"\s+(?:\w+\s+)?(?:determine|decide|conclude|establish|say"
    r"|be\s+(?:\w+\s+)?(?:determined|concluded|decided|established))"
    r"|\b(?:insufficient|not\s+enough)\s+(?:information|data|evidence)"
    r"|\b(?:unclear|undetermined|indeterminate|inconclusive|unknown)\b",
    re.IGNORECASE,
)
_NOTHING_SAID = re.compile(
    r"\b(?:not|never)\s+(?:(?:explicitly|directly|clearly)\s+)?"
    r"(?:mentioned|stated|described|discussed|specified)\b"
    r"|\bno\s+(?:mention|information)\b"
    r"|\b(?:insufficient|not\s+enough)\s+(?:information|data|evidence)\b",
    re.IGNORECASE,
)
_SILENT = re.compile(
    r"\b(?:does|do|did)(?:\s+not|n't)\s+(?:\w+\s+)?(?:mention|state|describe|discuss|specify"
    r"|(?:provide|contain|give|offer|have|include)\s+(?:enough|sufficient|any|clear|explicit)"
    r"\s+(?:\w+\s+)?(?:information|data|evidence))\b",
    re.IGNORECASE,
)
_IN_LIST = re.compile(r"^\(?\d{1,2}[.)]\s+\S{1,12}$")
_NUMBERED = re.compile(r"^\(?(\d{1,2})[.)]\s+")
_NUMBERED_TEXT = re.compile(r"^\(?\d{1,2}\)\s+(?=[^\W\d])")  # "(1) There is a suffix"


def read_one(piece: str, options: Options, not_mentioned: str = "") -> Reading | None:
    """Return what a piece of plain text, which follows an announcement, concludes.

    Where its first line begins with an option or is nothing but one, that is it; else a line that
    is nothing but an option; else the first line, if it says one thing; else all lines, if they
    do. ``not_mentioned`` is the label for replies that say that they cannot tell, if there is one.
    None is returned where the piece names nothing at all.
    """
    lines = _unnumbered(lines_of(piece))
    if not lines:
        return None
    first = lines[0]
    standing = _standing(first, options)
    next_to_it = _standing(lines[1], options) if lines[1:] else ""
    if standing and next_to_it not in {standing, ""}:
        return of_one(first, "")
    leading = standing or _leading(first, options)
    if leading:
        taken_back = takes_back("\n".join(lines), leading, options)
        return of_one(first, "" if taken_back else leading)
    said = _said(first, options, not_mentioned)
    alone = {label: line for line in lines if (label := _standing(line, options))}
    if alone:
        labels = {*alone, *(said.labels.values() if said else ())}
        label, line = next(iter(alone.items()))
        return of_one(line, label if len(labels) == 1 else "")
    if leading is not None:
        return of_one(first, "")
    return said or _said("\n".join(lines[1:]), options, not_mentioned)


def read_bare(text: str, options: Options) -> Reading | None:
    """Return what a reply without any announcement says.

    Its first or last line is an option, or it has one line, which ends with the only option of it
    (``The dominant order is SOV.``).
    """
    lines = lines_of(text)
    if len(lines) == 1 and (label := _stated(lines[0], options)):
        return of_one(lines[0], label)
    outer = {label for line in (lines[:1] + lines[-1:]) if (label := _standing(line, options))}
    if not outer:
        return None
    return of_one(lines[-1], outer.pop() if len(outer) == 1 else "")


def _unnumbered(lines: Sequence[str]) -> list[str]:
    """Drop the numbers of a numbered list, so that they are not taken for answers."""
    numbers = [match[1] for line in lines if (match := _NUMBERED.match(line))]
    is_list = numbers[:2] == ["1", "2"]
    return [
        (_NUMBERED if is_list or _IN_LIST.match(line) else _NUMBERED_TEXT).sub("", line)
        for line in lines
    ]


def _standing(line: str, options: Options) -> str:
    """Return the option that a line consists of, a gloss in parentheses aside."""
    # a line of an option alone is short
    mentions = options.mentions(line) if len(line) <= _LONG else []
    if not mentions or len({mention.label for mention in mentions}) != 1:
        return ""
    rest, at = [], 0
    for mention in mentions:
        rest.append(line[at : mention.start])
        at = mention.end
    left = _PARENTHESES.sub("", "".join([*rest, line[at:]]))
    is_more = any(character.isalnum() for character in left) or is_denied(mentions[0], line)
    return "" if is_more else mentions[0].label


def _leading(line: str, options: Options) -> str | None:
    """Return the option that a line begins with, ``""`` if others stand beside it."""
    mentions = options.mentions(line)
    if not mentions or any(character.isalnum() for character in line[: mentions[0].start]):
        return None
    first = mentions[0]
    if is_denied(first, line):
        return None
    second = next((m for m in mentions if m.label != first.label), None)
    if second is None:
        return first.label
    between = _PARENTHESES.sub(" ", line[_last_of(first, mentions, second).end : second.start])
    if first.label == options.free and not _EITHER.match(between):
        is_list = len({mention.label for mention in mentions}) > 2
        return first.label if is_list or not _JOINED.match(between) else ""
    if _is_key(first, second, line) or _is_gloss(first, second, line):
        return ""
    if not _JOINED.match(between) and _CONTRAST.search(
        _PARENTHESES.sub(" ", line[first.end : second.start])
    ):
        return first.label
    return ""


def _is_key(first: Mention, second: Mention, line: str) -> bool:
    """Tell whether a line says what the options mean (``1: yes; 0: no``)."""
    return all(_GLOSSED.match(line, mention.end) for mention in (first, second))


def _is_gloss(first: Mention, second: Mention, line: str) -> bool:
    """Tell whether an option stands alone in parentheses behind another (``SOV (OSV)``)."""
    return line[first.end : second.start].strip() == "(" and line[second.end :].lstrip()[:1] == ")"


def _last_of(first: Mention, mentions: Sequence[Mention], second: Mention) -> Mention:
    return [m for m in mentions if m.label == first.label and m.end <= second.start][-1]


def _said(text: str, options: Options, not_mentioned: str) -> Reading | None:
    """Return what a sentence or several say, what they deny or concede aside."""
    named = options.mentions(text)
    if not_mentioned and not named and _SILENT.search(text):
        return of_one(text, not_mentioned)
    mentions = affirmed(named, text)
    labels = {mention.label for mention in mentions}
    if labels:
        label = labels.pop() if len(labels) == 1 else _asserted(mentions, text)
        is_free = len(labels) > 2 and options.free in labels
        return of_one(text, label or (options.free if is_free else ""))
    if not_mentioned and _NOTHING_SAID.search(text):
        return of_one(text, not_mentioned)
    return of_one(text, "") if _UNDECIDED.search(text) else None


def _stated(line: str, options: Options) -> str:
    mentions = options.mentions(line)
    if len({mention.label for mention in mentions}) != 1 or len(line) > _LONG:
        return ""
    said = _ASSERTED.search(before(mentions[0], line))
    is_said = said and not (_UNSURE.search(line) or is_denied(mentions[0], line))
    after = _PARENTHESES.sub("", line[mentions[-1].end :]).strip(" .!)")
    return mentions[0].label if is_said and not after else ""


def _is_coordinated(between: str) -> bool:
    return bool(_JOINED.match(between) or _COORDINATED.match(between))


def _asserted(mentions: Sequence[Mention], text: str) -> str:
    """Return the only option that is said to be it (``the order is SOV``), not beside another."""
    found = set()
    for at, mention in enumerate(mentions):
        after = mentions[at + 1] if at + 1 < len(mentions) else None
        beside = (
            after
            and after.label != mention.label
            and _is_coordinated(text[mention.end : after.start])
        )
        if _ASSERTED.search(before(mention, text)):
            found.add("" if beside else mention.label)
    return found.pop() if len(found) == 1 else ""
