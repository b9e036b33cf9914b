"""Commands that change how text looks, as far as plain text can show it, and accents."""

from __future__ import annotations

import re

from src.books.latex.accents import ACCENTS, accented, lowered, raised
from src.books.latex.engine import Engine, Handler
from src.books.latex.flows import Grid
from src.books.latex.ipa import PREFIXED
from src.books.latex.registry import COMMANDS, command
from src.books.latex.tokens import (
    CALL,
    CLOSE,
    LEFT,
    OPEN,
    PAR,
    RIGHT,
    SYMBOL,
    TEXT,
    WORD,
    Token,
    text_of,
)


@command("textsc", "fauxsc", "MakeUppercase", "uppercase", kept=True)
def _capitals(engine: Engine) -> None:
    engine.group(caps=True)


@command("scshape", "sc")
def _capitals_from_here(engine: Engine) -> None:
    engine.frames[-1].caps = True


@command("normalfont", "upshape", "rmfamily")
def _no_capitals(engine: Engine) -> None:
    engine.frames[-1].caps = False


@command("textnormal", "textup")
def _no_capitals_within(engine: Engine) -> None:
    engine.group(caps=False)


_OF_WORDS = {
    "": "text mbox hbox textit textbf textrm textsf",
    "ooom": "parbox",
}


def _words(arguments: str) -> Handler:
    """Return what reads an argument as text, also within mathematics."""

    def put(engine: Engine) -> None:
        engine.stream.skip(arguments)
        if engine.frames[-1].math:
            engine.group(math=False)

    return put


for _arguments, _names in _OF_WORDS.items():
    command(*_names.split())(_words(_arguments))


@command("textipa")
def _ipa(engine: Engine) -> None:
    engine.group(ipa=True)


@command("textsuperscript", "super")
def _superscript(engine: Engine) -> None:
    engine.group(lambda text: engine.plain(raised(text)))


@command("textsubscript")
def _subscript(engine: Engine) -> None:
    engine.group(lambda text: engine.plain(lowered(text)))


@command("left", "right")
def _delimiter(engine: Engine) -> None:
    """What follows is a bracket that grows with its content; a full stop stands for none."""
    token = engine.stream.ahead()
    if token is not None and token.kind == TEXT and token.text[0] == ".":
        engine.stream.argument()


@command("linebreak")
def _linebreak(engine: Engine) -> None:
    engine.stream.optional()
    engine.flow.text.append(" ")


# What xspace puts no space before: these characters, and commands that begin with none.
_NO_SPACE = frozenset(" \n\t,.'’”/?;:!~-)")
_NO_SPACE_COMMANDS = frozenset(("footnote", "footnotemark", " ", "/", "space", "xspace"))


@command("xspace")
def _xspace(engine: Engine) -> None:
    """A space, unless a group ends or what follows wants none (xspace's list of exceptions)."""
    token = engine.stream.next()
    if token is None:
        return
    engine.stream.back()
    if token.kind == TEXT:
        wanted = token.text[0] not in _NO_SPACE
    elif token.kind in (WORD, SYMBOL):
        wanted = token.text not in _NO_SPACE_COMMANDS
    else:
        wanted = token.kind not in (OPEN, CLOSE, PAR, CALL)
    if wanted:
        engine.flow.text.append(" ")


@command("\\", "newline", "tabularnewline", "cr")
def _newline(engine: Engine) -> None:
    engine.stream.star()
    token = engine.stream.next()
    if token is not None:
        engine.stream.back()
        if token.kind == LEFT:
            _length(engine)
    engine.flow.newline()


_LENGTH = re.compile(r"\s*[-+\d.,]*\s*(\\?[a-z]+)?\s*")


def _length(engine: Engine) -> None:
    """Pass over a distance in brackets; other brackets are text ("[...]")."""
    engine.stream.next()
    found: list[Token] = []
    while len(found) < 6:
        token = engine.stream.next()
        if token is None:
            break
        found.append(token)
        if token.text == "]":
            if _LENGTH.fullmatch(text_of(found[:-1])) and len(found) > 1:
                return
            break
        if token.kind == PAR:
            break
    engine.stream.push([Token(LEFT, "["), *found])


def _accent(name: str, mark: str) -> Handler:
    def put(engine: Engine) -> None:
        if (
            isinstance(engine.flow, Grid)
            and name in "='`"
            and engine.frames[-1].closer == "tabbing"
        ):
            if name == "=":
                engine.flow.cell()
            return
        engine.group(lambda text: engine.plain(accented(text, mark)))

    return put


for _name, _mark in ACCENTS.items():
    COMMANDS[_name] = _accent(_name, _mark)


@command(">")
def _tabulator(engine: Engine) -> None:
    if isinstance(engine.flow, Grid):
        engine.flow.cell()
    else:
        engine.flow.text.append(" ")


def _prefix(name: str) -> Handler:
    table = PREFIXED[name]
    otherwise = {":": " ", ";": " ", "!": "", "*": ""}[name]

    def put(engine: Engine) -> None:
        if not engine.frames[-1].ipa:
            engine.flow.text.append(otherwise)
            return
        letter = text_of(engine.stream.argument())
        engine.flow.text.append(table.get(letter, letter))

    return put


for _name in PREFIXED:
    COMMANDS[_name] = _prefix(_name)


@command("xbox", "foreignlanguage", "adjustbox", "hyperlink", "hypertarget")
def _second(engine: Engine) -> None:
    """Keep the second argument only."""
    engine.stream.skip("om")


@command("texorpdfstring")
def _first(engine: Engine) -> None:
    """Keep the first argument only: the second is for the reader's outline."""
    tokens = engine.stream.argument()
    engine.stream.argument()
    engine.stream.push(tokens)


@command("symbol", "char")
def _by_number(engine: Engine) -> None:
    text = text_of(engine.stream.argument()).strip()
    try:
        if text.startswith('"'):
            number = int(text[1:], 16)
        elif text.startswith("'"):
            number = int(text[1:], 8)
        else:
            number = int(text)
        engine.plain(chr(number) if 31 < number < 0x110000 and number >> 11 != 27 else "")
    except ValueError:
        engine.remark(f"\\symbol {text[:20]!r} names no character", "left out")


@command("ding")
def _dingbat(engine: Engine) -> None:
    text = text_of(engine.stream.argument()).strip()
    engine.plain(chr(0x2700 + int(text) - 32) if text.isdecimal() and 32 < int(text) < 255 else "")


@command("enquote")
def _quoted(engine: Engine) -> None:
    engine.group(lambda text: engine.flow.text.append(f"“{text.strip()}”"))


@command("slash")
def _slash(engine: Engine) -> None:
    engine.plain("/")


@command("frac", "dfrac", "tfrac", "nicefrac", "sfrac")
def _fraction(engine: Engine) -> None:
    engine.group(lambda text: engine.flow.text.append(text + "/"))


@command("Tree", "qroof")
def _tree(engine: Engine) -> None:
    """A tree drawing vanishes."""
    depth = 0
    while (token := engine.stream.next()) is not None:
        depth += (token.kind == LEFT) - (token.kind == RIGHT)
        if token.kind in (PAR, CALL) or (token.kind == CLOSE and not depth):
            engine.stream.back()
            return
        if token.kind == RIGHT and not depth:
            return
