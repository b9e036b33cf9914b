"""Lengths that are written as TeX does, without braces: ``\\hangindent=6pt``, ``\\kern-.25pt``."""

from __future__ import annotations

import re

from src.books.latex.engine import Engine, Handler
from src.books.latex.registry import COMMANDS, command
from src.books.latex.tokens import TEXT, WORD, Token

_UNIT = r"(?:true\s*)?(?:pt|mm|cm|em|ex|in|sp|bp|dd|cc|pc|mu|fill?l?)"
_LENGTH = re.compile(
    rf"\s*[-+]?\s*(?:\d[\d.,]*|[.,]\d+)\s*(?:{_UNIT}\b"
    rf"(?:\s*(?:plus|minus)\s*[-+]?[\d.,]+\s*{_UNIT}\b)*)?\s?"
)
_MEASURE = re.compile(rf"\s*-?(?:\d+[.,]?\d*|[.,]\d+)\s*{_UNIT}\b")
_QUOTED = re.compile(r'"[^"\n]*"')
# These are followed by a length, the others only after an equals sign, or by one with its unit.
_ALWAYS = "kern mkern hskip vskip mskip hangindent hangafter looseness penalty lower raise"
_ASSIGNED = """
    parindent parskip tabcolsep leftskip rightskip emergencystretch baselineskip lineskip textwidth
    linewidth columnsep hfuzz vfuzz hbadness vbadness tolerance pretolerance clubpenalty
    widowpenalty interlinepenalty exhyphenpenalty hyphenpenalty XeTeXlinebreakskip columnwidth
    textheight jot medskipamount smallskipamount bigskipamount itemsep parsep topsep leftmargin"""


def _length(always: bool) -> Handler:
    def skip(engine: Engine) -> None:
        stream = engine.stream
        token = stream.ahead()
        if token is None:
            return
        text = token.text if token.kind == TEXT else ""
        assigned = text.startswith("=")
        if not (assigned or always or _MEASURE.match(text)):
            return
        if assigned:
            stream.next()
            text = text[1:].lstrip()
            stream.push([Token(TEXT, text, token.at)] if text else [])
            token = stream.ahead()
        if token is not None:
            _skip_length(engine, token)

    return skip


def _skip_length(engine: Engine, token: Token) -> None:
    stream = engine.stream
    if token.kind == WORD:
        stream.next()
        return
    if token.kind != TEXT:
        return
    match = _LENGTH.match(token.text)
    if match is None and token.text.strip() not in ("-", "+"):
        return
    stream.next()
    rest = token.text[match.end() :] if match is not None else ""
    stream.push([Token(TEXT, rest, token.at)] if rest else [])
    following = stream.ahead() if not rest else None
    factor = match is None or not match[0].rstrip()[-1:].isalpha()
    named = following is not None and following.kind == WORD
    if factor and named and following is not None and following.text in _ASSIGNED.split():
        stream.next()


@command("advance", "multiply", "divide")
def _advance(engine: Engine) -> None:
    """``\\advance\\parskip by 2pt``, or without "by"."""
    stream = engine.stream
    stream.argument()
    token = stream.ahead()
    if token is not None and token.kind == TEXT and token.text.startswith("by"):
        stream.next()
        rest = token.text[2:].lstrip()
        stream.push([Token(TEXT, rest, token.at)] if rest else [])
        token = stream.ahead()
    if token is not None:
        _skip_length(engine, token)


@command("XeTeXlinebreaklocale")
def _locale(engine: Engine) -> None:
    token = engine.stream.ahead()
    match = _QUOTED.match(token.text) if token is not None and token.kind == TEXT else None
    if token is not None and match is not None:
        engine.stream.next()
        rest = token.text[match.end() :]
        engine.stream.push([Token(TEXT, rest, token.at)] if rest else [])


for _name in _ALWAYS.split():
    COMMANDS[_name] = _length(True)
for _name in _ASSIGNED.split():
    COMMANDS[_name] = _length(False)
