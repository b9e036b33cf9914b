"""Lists and their items."""

from __future__ import annotations

from src.books.latex.engine import Engine, Handler
from src.books.latex.flows import Body, Example
from src.books.latex.macros import Macro
from src.books.latex.numbering import Target, letters, roman
from src.books.latex.registry import COMMANDS, ENVIRONMENTS, command
from src.books.latex.tokens import WORD, Token

_BULLETS = "•–∗·"
_NEAR = 8  # twice as many lists as have bullets and numbers of their own
_ENUMERATED = ("{}.", "({})", "{}.", "{}.")


def _list(name: str) -> Handler:
    def begin(engine: Engine) -> None:
        engine.stream.optional()
        if name == "list":
            engine.stream.skip("mm")
        frame = engine.open(name)
        if frame is not engine.frames[-1]:  # nested too deeply
            return
        body = engine.flow
        if not isinstance(body, Body):
            engine.lists.append((name, 0))
            frame.on_close = lambda: _end(engine)
            return
        body.paragraph()
        kind = body.kind
        engine.lists.append((name, 0))

        def finish() -> None:
            body.paragraph()
            body.kind, body.bullet = kind, ""
            _end(engine)

        frame.on_close = finish

    return begin


def _end(engine: Engine) -> None:
    if engine.lists:
        engine.lists.pop()


_LISTS = """
    itemize enumerate description compactitem compactenum inparaenum itemize* enumerate* list
    asparaitem asparaenum"""
for _name in _LISTS.split():
    ENVIRONMENTS[_name] = _list(_name)


@command("item")
def _item(engine: Engine) -> None:
    flow = engine.flow
    if isinstance(flow, Example):
        own = isinstance(engine.macros.get("thexnumi"), Macro)
        if own:
            number = engine.render([Token(WORD, "thexnumi")])
            engine.frames[-1].target = Target(number, "exx")
            flow.newline()
            flow.prefix.append(f"({number}) ")
        else:
            COMMANDS["ex"](engine)
        return
    label = engine.stream.optional()
    if isinstance(flow, Body):
        flow.paragraph()
    bullet = _bullet(engine) if label is None else engine.render(label)
    if isinstance(flow, Body):
        if flow.kind == "text":
            flow.kind = "item"
        flow.bullet = f"{bullet} " if bullet else ""
    else:
        flow.text.append(f" {bullet} ")


def _bullet(engine: Engine) -> str:
    if not engine.lists:
        return "•"
    name, count = engine.lists[-1]
    count += 1
    engine.lists[-1] = (name, count)
    near = engine.lists[-_NEAR:]
    if "enum" not in name:
        depth = sum("item" in other for other, _ in near)
        return _BULLETS[min(max(depth, 1), 4) - 1]
    depth = min(sum("enum" in other for other, _ in near), 4)
    number = (str, letters, roman, lambda n: letters(n).upper())[depth - 1](count)
    engine.frames[-1].target = Target(number, "item")
    return _ENUMERATED[depth - 1].format(number)
