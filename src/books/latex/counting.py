"""Commands that count."""

from __future__ import annotations

import re

from src.books.latex.engine import Engine, Handler
from src.books.latex.macros import Macro
from src.books.latex.numbering import SECTIONS, STYLES
from src.books.latex.registry import COMMANDS, command
from src.books.latex.structure import step
from src.books.latex.tokens import WORD, text_of, tokenise

_NUMBER = re.compile(r"\s*(-?\d{1,6})\s*")
_VALUE = re.compile(r"\s*\\(?:value\{|c@)(\w+)\}?\s*")


def _counter(engine: Engine) -> str:
    name = text_of(engine.stream.argument()).strip()
    return "exx" if name == "equation" and "exx" in engine.state.counters.values else name


def _number(engine: Engine) -> int:
    text = text_of(engine.stream.argument())
    match = _NUMBER.fullmatch(text)
    if match is not None:
        return int(match[1])
    match = _VALUE.fullmatch(text)
    return engine.state.counters.values.get(match[1], 0) if match is not None else 0


@command("setcounter", kept=True)
def _setcounter(engine: Engine) -> None:
    name = _counter(engine)
    engine.state.counters.values[name] = _number(engine)


@command("addtocounter", kept=True)
def _addtocounter(engine: Engine) -> None:
    name = _counter(engine)
    value = engine.state.counters.values.get(name, 0) + _number(engine)
    engine.state.counters.values[name] = max(-(10**6), min(10**6, value))


@command("stepcounter", kept=True)
def _stepcounter(engine: Engine) -> None:
    engine.state.counters.step(_counter(engine))


@command("refstepcounter", kept=True)
def _refstepcounter(engine: Engine) -> None:
    step(engine, _counter(engine))


@command("newcounter", kept=True)
def _newcounter(engine: Engine) -> None:
    name = _counter(engine)
    above = engine.stream.optional()
    engine.state.counters.values.setdefault(name, 0)
    if above is not None:
        engine.state.counters.reset_within(name, text_of(above).strip())
    if f"the{name}" not in engine.macros:
        engine.macros[f"the{name}"] = standing_for(rf"\arabic{{{name}}}")


@command("@addtoreset", "counterwithin", "counterwithin*", kept=True)
def _addtoreset(engine: Engine) -> None:
    engine.stream.star()
    name = _counter(engine)
    engine.state.counters.reset_within(name, text_of(engine.stream.argument()).strip())


@command("@removefromreset", "counterwithout", kept=True)
def _removefromreset(engine: Engine) -> None:
    starred = engine.stream.star()
    name = _counter(engine)
    above = text_of(engine.stream.argument()).strip()
    engine.state.counters.never_within(name, above)
    if not starred:
        engine.macros[f"the{name}"] = standing_for(rf"\arabic{{{name}}}")


@command("ADD", kept=True)
def _sum(engine: Engine) -> None:
    """``\\ADD{1}{2}{\\sum}`` of the package calculator."""
    numbers = [engine.render(engine.stream.argument()) for _ in range(2)]
    names = [str(token.text) for token in engine.stream.argument() if token.kind == WORD]
    if names and all(_NUMBER.fullmatch(number) for number in numbers):
        engine.define(names[0], standing_for(str(sum(map(int, numbers)))))


@command("value", kept=True)
def _value(engine: Engine) -> None:
    name = _counter(engine)
    engine.flow.text.append(str(engine.state.counters.values.get(name, 0)))


def _style(name: str) -> Handler:
    def show(engine: Engine) -> None:
        counter = _counter(engine)
        if counter and counter != "*":
            value = min(engine.state.counters.values.get(counter, 0), 10**6)
            engine.flow.text.append(STYLES[name](value))

    return show


for _name in STYLES:
    COMMANDS[_name] = _style(_name)


@command("appendix", "appendixchapters", kept=True)
def _appendix(engine: Engine) -> None:
    first = "chapter" if engine.state.has_chapters else "section"
    engine.state.counters.values[first] = 0
    engine.state.numbered = True
    engine.macros[f"the{first}"] = standing_for(rf"\Alph{{{first}}}")


@command("frontmatter", "backmatter", kept=True)
def _unnumbered(engine: Engine) -> None:
    engine.state.numbered = False


@command("mainmatter", kept=True)
def _mainmatter(engine: Engine) -> None:
    engine.state.numbered = True


def standing_for(text: str) -> Macro:
    """Return a command without arguments that stands for ``text``."""
    return Macro(0, tuple(tokenise(text)))


def usual(engine: Engine) -> None:
    """Define the numbers and names that a class gives."""
    chapters = engine.state.has_chapters
    above = r"\thechapter." if chapters else ""
    numbers = {"part": r"\Roman{part}", "chapter": r"\arabic{chapter}"}
    for name, before in zip(SECTIONS[1:], SECTIONS, strict=False):
        start = rf"\the{before}." if before != "chapter" or chapters else ""
        numbers[name] = rf"{start}\arabic{{{name}}}"
    for name in ("table", "figure"):
        numbers[name] = rf"{above}\arabic{{{name}}}"
    for name in ("footnote", "exx", "equation", "gloss"):
        numbers[name] = rf"\arabic{{{name}}}"
    numbers["fnx"] = r"\roman{fnx}"
    for name, text in numbers.items():
        engine.macros[f"the{name}"] = standing_for(text)
    engine.macros["tablename"] = standing_for("Table")
    engine.macros["figurename"] = standing_for("Figure")
