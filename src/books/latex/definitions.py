"""Commands that define others, and TeX's conditions as far as books of linguists use them."""

from __future__ import annotations

from src.books.latex.engine import Engine
from src.books.latex.macros import Alias, Environment, Macro, bare
from src.books.latex.registry import COMMANDS, KEPT, command
from src.books.latex.tokens import CALL, CLOSE, OPEN, PARAM, SYMBOL, TEXT, WORD, Token, text_of


def _name(tokens: list[Token]) -> str:
    for token in tokens:
        if token.kind in (WORD, SYMBOL):
            return str(token.text)
    return ""


def _count(tokens: list[Token] | None) -> int:
    text = text_of(tokens or []).strip()
    return min(int(text), 9) if text.isdecimal() else 0


def _set(engine: Engine, name: str, macro: Macro, everywhere: bool = False) -> None:
    if name and name not in KEPT:
        engine.define(name, macro, everywhere)


def _new(engine: Engine, *, only_new: bool = False) -> None:
    engine.stream.star()
    name = _name(engine.stream.argument())
    count = _count(engine.stream.optional())
    default = engine.stream.optional()
    body = tuple(engine.stream.argument())
    known = name in engine.macros or name in COMMANDS or name in engine.symbols
    if not (only_new and known):
        first = tuple(default) if default is not None else None
        _set(engine, name, Macro(count, body, first), everywhere=engine.state.preamble)


@command("newcommand", "renewcommand", "DeclareRobustCommand", "newrobustcmd", "renewrobustcmd")
def _newcommand(engine: Engine) -> None:
    _new(engine)


@command("providecommand")
def _providecommand(engine: Engine) -> None:
    _new(engine, only_new=True)


@command("DeclareMathOperator")
def _operator(engine: Engine) -> None:
    engine.stream.star()
    name = _name(engine.stream.argument())
    _set(engine, name, Macro(0, tuple(engine.stream.argument())))


@command("NewDocumentCommand", "RenewDocumentCommand", "DeclareDocumentCommand")
def _document_command(engine: Engine) -> None:
    name = _name(engine.stream.argument())
    shape = text_of(engine.stream.argument()).replace(" ", "")
    body = tuple(engine.stream.argument())
    default: tuple[Token, ...] | None = () if shape[:1] in ("o", "O") else None
    _set(engine, name, Macro(min(9, sum(shape.count(char) for char in "moO")), body, default))


def _definition(engine: Engine, everywhere: bool) -> None:
    name = _name(engine.stream.argument())
    delimiters: list[Token | None] = []
    for _ in range(40):
        token = engine.stream.next()
        if token is None or token.kind == CALL:
            return
        if token.kind == OPEN:
            break
        if token.kind == PARAM:
            delimiters.append(None)
        elif delimiters and delimiters[-1] is None:
            delimiters[-1] = token
    body = tuple(engine.stream.balanced())
    _set(engine, name, Macro(len(delimiters), body, None, tuple(delimiters)), everywhere)


@command("def", "edef")
def _def(engine: Engine) -> None:
    _definition(engine, False)


@command("gdef", "xdef")
def _gdef(engine: Engine) -> None:
    _definition(engine, True)


@command("let")
def _let(engine: Engine) -> None:
    name = _name(engine.stream.argument())
    token = engine.stream.ahead()
    if token is not None and token.kind == TEXT and token.text[0] == "=":
        engine.stream.next()
        engine.stream.push([Token(TEXT, token.text[1:])])
    value = engine.stream.argument()
    if not name or name in KEPT or not value:
        return
    target = _name(value)
    if not target:
        engine.define(name, Macro(0, tuple(value)))
    elif target != name:
        engine.define(name, engine.macros.get(target) or Alias(target))


@command("newenvironment", "renewenvironment", "provideenvironment")
def _newenvironment(engine: Engine) -> None:
    engine.stream.star()
    name = text_of(engine.stream.argument()).strip()
    count = _count(engine.stream.optional())
    default = engine.stream.optional()
    begin = tuple(engine.stream.argument())
    end = tuple(engine.stream.argument())
    first = tuple(default) if default is not None else None
    engine.defined_environments[name] = Environment(Macro(count, begin, first), end)


@command("NewEnviron", "RenewEnviron")
def _newenviron(engine: Engine) -> None:
    name = text_of(engine.stream.argument()).strip()
    count = _count(engine.stream.optional())
    default = engine.stream.optional()
    engine.stream.argument()
    first = tuple(default) if default is not None else None
    engine.defined_environments[name] = Environment(Macro(count, (), first), ())


@command("newleipzig", "renewleipzig")
def _newleipzig(engine: Engine) -> None:
    engine.stream.optional()
    name = text_of(bare(engine.stream.argument()))
    short = engine.stream.argument()
    engine.stream.argument()
    body = (Token(WORD, "textsc"), Token(OPEN, "{"), *short, Token(CLOSE, "}"))
    _set(engine, name[:1].upper() + name[1:], Macro(0, body), everywhere=True)


@command("newfontfamily", "newfontface", "DeclareTextFontCommand", "newfontscript")
def _newfont(engine: Engine) -> None:
    """A command that changes the font: of it nothing is seen in a text."""
    name = _name(engine.stream.argument())
    engine.stream.skip("omo")
    _set(engine, name, Macro(0, ()), everywhere=True)


@command("newif")
def _newif(engine: Engine) -> None:
    name = _name(engine.stream.argument())
    switch = name[2:]
    engine.state.switches[switch] = False

    def turn(value: bool, engine: Engine) -> None:
        engine.state.switches[switch] = value

    engine.commands.setdefault(name, lambda engine: _decide(engine, engine.state.switches[switch]))
    engine.commands.setdefault(f"{switch}true", lambda engine: turn(True, engine))
    engine.commands.setdefault(f"{switch}false", lambda engine: turn(False, engine))


_NAMES = """
    if ifx ifnum ifdim ifodd ifcase ifcat ifvmode ifhmode ifmmode ifinner ifdefined ifcsname
    iftrue iffalse ifvoid ifhbox ifvbox ifeof"""
_CONDITIONS = frozenset(_NAMES.split())


def _decide(engine: Engine, truth: bool) -> None:
    """Go on with the branch that holds; ``\\else`` and ``\\fi`` are met later, or skipped now."""
    if not truth:
        _skip_branch(engine, stop_at_else=True)


def _skip_branch(engine: Engine, stop_at_else: bool) -> None:
    depth = 0
    started = engine.stream.where()
    while (token := engine.stream.next()) is not None:
        if token.kind == CALL:
            engine.stream.back()
            break
        if token.kind != WORD:
            continue
        name = token.text
        if name in _CONDITIONS or (name[:2] == "if" and name[2:] in engine.state.switches):
            depth += 1
        elif name == "fi":
            if not depth:
                return
            depth -= 1
        elif name == "else" and not depth and stop_at_else:
            return
    engine.project.remark(
        started, "a condition without \\fi", "what follows in the file is skipped"
    )


@command("iffalse", *sorted(_CONDITIONS - {"iffalse", "iftrue"}), kept=True)
def _false(engine: Engine) -> None:
    _decide(engine, False)


@command("iftrue", "fi", kept=True)
def _true(engine: Engine) -> None:
    """What follows holds."""


@command("else", kept=True)
def _else(engine: Engine) -> None:
    _skip_branch(engine, stop_at_else=False)


@command("ifthenelse", kept=True)
def _ifthenelse(engine: Engine) -> None:
    condition = bare(engine.stream.argument())
    yes, no = engine.stream.argument(), engine.stream.argument()
    engine.stream.push(yes if _holds(condition) else no)


def _holds(condition: list[Token]) -> bool:
    """Tell whether \\equal{a}{b} holds; what else can be asked is taken as false."""
    text = text_of(condition)
    if not text.startswith("\\equal{"):
        return False
    left, _, right = text[len("\\equal{") :].partition("}{")
    return left.strip() == right.removesuffix("}").strip()


@command("@ifnextchar", "ifnextchar")
def _ifnextchar(engine: Engine) -> None:
    char = text_of(engine.stream.argument())
    yes, no = engine.stream.argument(), engine.stream.argument()
    token = engine.stream.ahead()
    engine.stream.push(yes if token is not None and str(token.text)[:1] == char else no)


@command("csname", kept=True)
def _csname(engine: Engine) -> None:
    found: list[Token] = []
    while len(found) < 40 and (token := engine.stream.next()) is not None:
        if token.kind == WORD and token.text == "endcsname":
            engine.stream.push([Token(WORD, text_of(found).strip())])
            return
        found.append(token)
