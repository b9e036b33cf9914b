"""Headings, captions, footnotes, labels and references."""

from __future__ import annotations

from src.books.latex.engine import Engine, Handler
from src.books.latex.flows import Body, Draft, Example, squeeze
from src.books.latex.numbering import Target, letters
from src.books.latex.registry import COMMANDS, KEPT, command
from src.books.latex.tokens import CLOSE, OPEN, WORD, Token, text_of

_LEVELS = {
    "part": 0,
    "chapter": 1,
    "section": 2,
    "subsection": 3,
    "subsubsection": 4,
    "subsubsubsection": 5,
    "paragraph": 5,
    "subparagraph": 6,
    "addpart": 0,
    "addchap": 1,
    "addsec": 2,
    "minisec": 6,
}
_COUNTER = {"subsubsubsection": "paragraph"}
_UNNUMBERED = frozenset(("addpart", "addchap", "addsec", "minisec"))


def shown(engine: Engine, counter: str) -> str:
    """Return a counter's number as it is printed."""
    return engine.render([Token(WORD, f"the{counter}")])


def step(engine: Engine, counter: str) -> str:
    """Step a counter, let labels point to it, and return its number."""
    if engine.state.preamble:
        return ""
    engine.state.counters.step(counter)
    number = shown(engine, counter)
    engine.frames[-1].target = Target(number, counter)
    return number


def _heading(name: str) -> Handler:
    level = _LEVELS[name]
    counter = _COUNTER.get(name, name)

    def head(engine: Engine) -> None:
        if engine.state.preamble:
            return
        starred = engine.stream.star() or name in _UNNUMBERED
        engine.stream.optional()
        if engine.rendering:
            return
        body = engine.home()
        body.paragraph()
        number = ""
        if not starred and _is_numbered(engine, level):
            number = step(engine, counter)
        elif level <= 1:
            engine.frames[-1].target = Target()
        engine.group(lambda text: _place(engine, level, number, text))

    return head


def _is_numbered(engine: Engine, level: int) -> bool:
    state = engine.state
    if level == 1 and not state.numbered:
        return False
    return level - 1 <= state.counters.values["secnumdepth"]


def _place(engine: Engine, level: int, number: str, text: str) -> None:
    title = squeeze([text])
    body = engine.body
    if level <= 1 and not (
        body.drafts and body.drafts[-1].kind == "heading" and body.drafts[-1].level == 0 < level
    ):
        body.chapter += 1
    target = engine.frames[-1].target
    engine.frames[-1].target = Target(target.number, target.kind, title)
    full = f"{number} {title}".strip()
    if full:
        engine.add(Draft("heading", full, level))


for _name in _LEVELS:
    COMMANDS[_name] = _heading(_name)
    KEPT.add(_name)


@command("label", kept=True)
def _label(engine: Engine) -> None:
    key = text_of(engine.stream.argument()).strip()
    if not key or engine.rendering:
        return
    engine.state.labels.targets[key] = engine.frames[-1].target
    flow = engine.flow
    if isinstance(flow, Example):
        flow.label = flow.label or key
    elif isinstance(flow, Body) and flow.drafts and not "".join(flow.text).strip():
        last = flow.drafts[-1]
        if last.kind == "heading" and not last.label:
            last.label = key


def _reference(style: str, before: str = "", after: str = "") -> Handler:
    def refer(engine: Engine) -> None:
        engine.stream.star()
        keys = text_of(engine.stream.argument()).strip()
        if engine.frames[-1].ipa or not keys:
            return
        where = engine.stream.where()
        split = keys.split(",") if style == "name" else [keys]
        marks = [engine.state.labels.reference(key.strip(), style, where) for key in split]
        engine.flow.text.append(before + ", ".join(marks) + after)

    return refer


for _style, _before, _after, _names in (
    ("number", "", "", "ref Ref getrefnumber thref"),
    ("number", "(", ")", "REF eqref"),
    ("number", "Section ", "", "sectref secref"),
    ("number", "Table ", "", "tabref"),
    ("number", "Figure ", "", "figref"),
    ("number", "Chapter ", "", "chapref"),
    ("number", "Part ", "", "partref"),
    ("name", "", "", "Cref cref autoref vref"),
    ("title", "", "", "nameref"),
    ("page", "", "", "pageref"),
):
    for _name in _names.split():
        COMMANDS[_name] = _reference(_style, _before, _after)


@command("fnref", "appref")
def _other_reference(engine: Engine) -> None:
    engine.stream.push([Token(WORD, "ref")])


@command("hyperref")
def _hyperref(engine: Engine) -> None:
    engine.stream.optional()


@command("captionof", kept=True)
def _captionof(engine: Engine) -> None:
    engine.frames[-1].float = text_of(engine.stream.argument()).strip()
    _caption(engine)


@command("caption", kept=True)
def _caption(engine: Engine) -> None:
    starred = engine.stream.star()
    kind = engine.frames[-1].float or "figure"
    engine.stream.optional()
    number = ""
    if not starred:
        number = f"{engine.render([Token(WORD, kind + 'name')])} {step(engine, kind)}: "
        for frame in reversed(engine.frames[:-1]):
            if not frame.float:
                break
            frame.target = engine.frames[-1].target
    engine.group(lambda text: _put_caption(engine, number + squeeze([text])))


def _put_caption(engine: Engine, text: str) -> None:
    text = text.rstrip(": ") if text.endswith(": ") else text
    if text:
        engine.add(Draft("caption", text))


@command("subfigure", "subfloat")
def _subfigure(engine: Engine) -> None:
    """A part of a figure has a caption in brackets; labels in it lead to the figure's letter."""
    caption = engine.stream.optional()
    if not caption or engine.rendering:
        return
    counters = engine.state.counters
    counters.reset_within("subfigure", "figure")
    counters.step("subfigure")
    letter = letters(counters.values["subfigure"])
    to_come = engine.frames[-1].target.kind != "figure"  # the figure's own caption counts it
    counters.values["figure"] += to_come
    target = Target(shown(engine, "figure") + letter, "figure")
    counters.values["figure"] -= to_come
    engine.stream.push([Token(OPEN, "{"), *caption, Token(CLOSE, "}")])
    engine.group(lambda text: _put_caption(engine, f"({letter}) {squeeze([text])}"))
    engine.frames[-1].target = target


@command("footnotetext", kept=True)
def _footnotetext(engine: Engine) -> None:
    given = engine.stream.optional()
    _note(engine, engine.render(given) if given else shown(engine, "footnote"))


def _note(engine: Engine, number: str) -> None:
    token = engine.stream.ahead()
    if token is None or token.kind != OPEN:
        return
    engine.stream.next()
    note = Body(kind="footnote", bullet=f"{number} ")
    frame = engine.open("}", note)
    if frame.flow is None:
        return
    frame.caps = frame.ipa = frame.math = False
    frame.target = Target(number, "footnote")
    outer = frame.flow

    engine.within_notes += 1
    engine.state.counters.values["fnx"] = 0

    def finish() -> None:
        engine.within_notes -= 1
        engine.flow = outer
        outer.notes.extend(note.close())

    frame.on_close = finish


@command("footnote", "tablefootnote", kept=True)
def _numbered_footnote(engine: Engine) -> None:
    if engine.rendering or engine.state.preamble:
        engine.stream.skip("om")
        return
    given = engine.stream.optional()
    if given:
        _note(engine, engine.render(given))
        return
    engine.state.counters.step("footnote")
    _note(engine, shown(engine, "footnote"))


@command("footnotemark", kept=True)
def _footnotemark(engine: Engine) -> None:
    if engine.stream.optional() is None and not engine.rendering:
        engine.state.counters.step("footnote")
