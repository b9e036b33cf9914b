"""Where sentences end, and text cut there into pieces that fit."""

from __future__ import annotations

from collections.abc import Iterator

import regex

# What is followed by more of its own sentence, though a full stop stands after it.
_SHORT = """
    acc adj adv al app approx ca cap cf ch chap chaps chs cit col cols dat dr ed eds eg eq eqs esp
    et ex exs exx fem fig figs fn fns gen ibid ie intr jr lit loc masc mr mrs ms mss nb neut no nom
    nos nr op orig p par pers phd pl poss pp prof pron pt ref refs resp rev sc sec sect secs sects
    seq sg sic sp spp sq st tab tabs tr trans transl univ usu viz vol vols vs
"""
_ABBREVIATIONS = frozenset(_SHORT.split())
_STOP = regex.compile(
    r"""
    (?<! [.?!…] ) [.?!…]++ [”’"'»›)\]}]*+ (?= \s | $ )  # brackets, quotes close with a sentence
    | [。！？] [”’」』）]*+  # no space follows these
    """,
    regex.VERBOSE,
)
_BEFORE = regex.compile(r"(?:[\p{L}\p{M}\p{N}]+\.)*[\p{L}\p{M}\p{N}]+$")
_LOOK_BACK = 40  # longer than any abbreviation with its points
_LOWER = regex.compile(r"\s*[“‘\"'«‹(\[{¿¡]*\p{Ll}")


def sentences(text: str) -> Iterator[str]:
    """Yield the sentences of a text without the white space between them; nothing is left out.

    A full stop ends none after an abbreviation ("cf.", "et al.", "Fig. 3"), an initial, a number
    that opens its sentence ("1. Vowels"), before a small letter, or within a word ("3.2",
    "1SG.POSS"). Where in doubt there is no end: an overlong piece is better than half a sentence.
    """
    start = 0
    for stop in _STOP.finditer(text):
        if _ends(text, start, stop.start(), stop.end()):
            yield from _stripped(text[start : stop.end()])
            start = stop.end()
    yield from _stripped(text[start:])


def _stripped(piece: str) -> Iterator[str]:
    if piece := piece.strip():
        yield piece


def _ends(text: str, start: int, stop: int, end: int) -> bool:
    """Tell whether the stop at ``stop``, closed by ``end``, ends what began at ``start``."""
    if _LOWER.match(text, end):
        return False
    if text[stop] != "." or text[stop + 1 : stop + 2] == ".":
        return True
    near = max(start, stop - _LOOK_BACK)
    before = _BEFORE.search(text, max(near, text.rfind(" ", near, stop)), stop)
    if before is None:
        return True
    parts = before[0].split(".")
    if all(part.isdigit() for part in parts):  # "1. Vowels", but "... in 1990. Vowels"
        return text[start : stop - len(before[0])].strip() != ""
    return not (all(len(part) == 1 for part in parts) or _is_short(parts[-1]))


def _is_short(word: str) -> bool:
    """Tell an abbreviation ("cf", "Cf"), but not a gloss in a sentence ("It marks the GEN.")."""
    return word[:1].lower() + word[1:] in _ABBREVIATIONS


def cut(text: str, room: int) -> list[str]:
    """Cut a text into sentences; one longer than ``room`` is cut at spaces into pieces that fit.

    A word that is longer still is cut anywhere, though never before a combining mark.
    """
    pieces: list[str] = []
    for sentence in sentences(text):
        pieces.extend([sentence] if len(sentence) <= room else _at_spaces(sentence, room))
    return pieces


def _at_spaces(text: str, room: int) -> Iterator[str]:
    start = 0
    while len(text) - start > room:
        end = max(text.rfind(space, start, start + room + 1) for space in " \n\t")
        if end <= start:
            end = start + 1 if text[start].isspace() else _before_marks(text, start, start + room)
        yield from _stripped(text[start:end])
        start = end
        while text[start].isspace():
            start += 1
    yield from _stripped(text[start:])


def _before_marks(text: str, start: int, end: int) -> int:
    """Return the last place up to ``end`` where no combining mark follows, or ``end`` if none."""
    place = end
    while place > start + 1 and regex.match(r"\p{M}", text[place]):
        place -= 1
    return place if place > start + 1 else end
