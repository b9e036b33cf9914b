"""Tables, and the floats that tables and figures stand in."""

from __future__ import annotations

import re

from src.books.latex.engine import Engine, Handler
from src.books.latex.flows import Body, Grid
from src.books.latex.registry import COMMANDS, ENVIRONMENTS, command
from src.books.latex.tokens import text_of

# Environments of rows and cells, with the arguments that their beginnings take.
_GRIDS = {
    "tabular": "om",
    "tabular*": "mom",
    "tabularx": "mom",
    "tabulary": "mom",
    "longtable": "om",
    "longtable*": "om",
    "longtabu": "m",
    "xltabular": "omom",
    "supertabular": "om",
    "tabu": "m",
    "tabbing": "",
    "array": "om",
    "tblr": "om",
    "NiceTabular": "om",
    "matrix": "",
    "bmatrix": "",
    "pmatrix": "",
    "cases": "",
    "align": "",
    "align*": "",
    "aligned": "o",
}
_FLOATS = {
    "table": "table",
    "table*": "table",
    "sidewaystable": "table",
    "sidewaystable*": "table",
    "wraptable": "table",
    "figure": "figure",
    "figure*": "figure",
    "sidewaysfigure": "figure",
    "wrapfigure": "figure",
    "SCfigure": "figure",
}
_WRAPPED = {"wraptable": "mm", "wrapfigure": "omm"}


def _grid(name: str) -> Handler:
    def begin(engine: Engine) -> None:
        engine.stream.skip(_GRIDS[name])
        frame = engine.capture(name, Grid())
        if name.startswith(("longtable", "xltabular", "longtabu")):
            frame.float = "table"
        frame.caps = False
        frame.math = frame.math and name not in ("tabular", "tabularx")

    return begin


for _name in _GRIDS:
    ENVIRONMENTS[_name] = _grid(_name)


def _float(name: str) -> Handler:
    def begin(engine: Engine) -> None:
        engine.stream.skip(_WRAPPED.get(name, "o"))
        frame = engine.open(name)
        frame.float = _FLOATS[name]
        body = engine.flow
        if not isinstance(body, Body):
            return
        body.paragraph()
        engine.state.floats += 1
        outer, body.float = body.float, engine.state.floats

        def finish() -> None:
            body.paragraph()
            body.float = outer

        frame.on_close = finish

    return begin


for _name in _FLOATS:
    ENVIRONMENTS[_name] = _float(_name)


@command("multicolumn")
def _multicolumn(engine: Engine) -> None:
    columns = text_of(engine.stream.argument()).strip()
    engine.stream.skip("m")
    if isinstance(engine.flow, Grid) and re.fullmatch(r"[1-9]\d?", columns):
        engine.flow.spanned = int(columns) - 1


@command("multirow")
def _multirow(engine: Engine) -> None:
    engine.stream.skip("omomo")


@command("cmidrule")
def _cmidrule(engine: Engine) -> None:
    engine.stream.optional()
    token = engine.stream.ahead()
    if token is not None and str(token.text).startswith("("):
        for _ in range(20):
            token = engine.stream.next()
            if token is None or ")" in str(token.text):
                break
    engine.stream.argument()


@command("tablevspace", "addlinespace")
def _space(engine: Engine) -> None:
    engine.stream.skip("*o")
    engine.flow.newline()


@command("specialrule")
def _rule(engine: Engine) -> None:
    engine.stream.skip("mmm")


def _part(name: str) -> Handler:
    def begin(engine: Engine) -> None:
        if isinstance(engine.flow, Grid):
            engine.flow.begin_body(name)

    return begin


for _name in ("endhead", "endfirsthead", "endfoot", "endlastfoot"):
    COMMANDS[_name] = _part(_name)


@command("kill")
def _kill(engine: Engine) -> None:
    if isinstance(engine.flow, Grid):
        engine.flow.kill()


@command("diagbox", "slashbox", "backslashbox")
def _diagonal(engine: Engine) -> None:
    engine.group(lambda text: engine.flow.text.append(text + "/"))
