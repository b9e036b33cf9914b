"""Numbered and glossed examples: gb4e, langsci-gb4e, and what single books have of their own."""

from __future__ import annotations

from src.books.latex.engine import Engine, Handler
from src.books.latex.flows import Body, Example, Flow, squeeze
from src.books.latex.numbering import Target, letters, roman
from src.books.latex.registry import ENVIRONMENTS, command, environment
from src.books.latex.state import Frame
from src.books.latex.structure import step
from src.books.latex.tokens import CLOSE, LEFT, OPEN, TEXT, WORD, Token, text_of


def example_of(engine: Engine) -> Example | None:
    """Return the example that is being read, or None."""
    return engine.flow if isinstance(engine.flow, Example) else None


def _begin(engine: Engine, closer: str) -> Frame:
    if isinstance(engine.flow, Example):
        frame = engine.open(closer)
    else:
        frame = engine.capture(closer, Example())
    frame.caps = frame.ipa = False
    return frame


@environment("exe", "examples", "numex")
def _exe(engine: Engine) -> None:
    engine.stream.optional()
    _begin(engine, "exe")


def _deeper(engine: Engine, closer: str, style: str) -> None:
    """Begin a list of sub-examples: a, b; in it i, ii."""
    example = example_of(engine)
    above = engine.frames[-1].target.number
    if example is None:
        frame = _begin(engine, closer)
        example = example_of(engine)
    else:
        frame = engine.open(closer)
    if example is None or frame is not engine.frames[-1]:
        return
    lists, finish = example.lists, frame.on_close
    lists.append((style or "aia"[min(len(lists), 2)], 0, above))

    def end() -> None:
        lists.pop()
        if finish is not None:
            finish()

    frame.on_close = end


def _xlist(style: str) -> Handler:
    def begin(engine: Engine) -> None:
        engine.stream.optional()
        _deeper(engine, "xlist", style)

    return begin


for _name, _style in (("xlist", ""), ("xlista", "a"), ("xlisti", "i"), ("xlistn", "1")):
    ENVIRONMENTS[_name] = _xlist(_style)


def _numbered(engine: Engine, number: str | None = None) -> None:
    """Begin an item of the example; ``number`` is given, or counted."""
    example = example_of(engine)
    if example is None:
        if number is None:
            number = _counted(engine)
        engine.flow.text.append(f" {number} ")
        return
    example.newline()
    if number is None:
        number = _sub_number(engine, example) if example.lists else _counted(engine)
    mark = _judgement(engine)
    if number:
        example.prefix.append(f"{number} ")
    example.prefix.append(mark)


def _counted(engine: Engine) -> str:
    """Return the next number; examples in footnotes have small Roman ones of their own."""
    number = step(engine, "fnx" if engine.within_notes else "exx")
    engine.frames[-1].target = Target(number, "exx")
    return f"({number})"


def _sub_number(engine: Engine, example: Example) -> str:
    style, count, above = example.lists[-1]
    count += 1
    example.lists[-1] = (style, count, above)
    item = {"a": letters, "i": roman}.get(style, str)(count)
    engine.frames[-1].target = Target(above + item, "exx")
    return f"{item}."


def _judgement(engine: Engine) -> str:
    """Return a judgement such as * in brackets directly before a group: ``\\ex[*]{...}``."""
    token = engine.stream.next()
    if token is None:
        return ""
    engine.stream.back()
    if token.kind != LEFT:
        return ""
    content = engine.stream.optional() or []
    return engine.render(content)


@command("ex", kept=True)
def _ex(engine: Engine) -> None:
    _numbered(engine)


@command("exi", kept=True)
def _exi(engine: Engine) -> None:
    tokens = engine.stream.argument()
    number = engine.render(tokens)
    engine.frames[-1].target = Target(number.strip("()."), "exx")
    _numbered(engine, number)


@command("exp", kept=True)
def _exp(engine: Engine) -> None:
    if example_of(engine) is None:
        engine.flow.text.append("exp")
        return
    key = text_of(engine.stream.argument()).strip()
    mark = engine.state.labels.reference(key, "number", engine.stream.where())
    engine.frames[-1].target = Target(f"{mark}′", "exx")
    _numbered(engine, f"({mark}′)")


@command("sn", kept=True)
def _sn(engine: Engine) -> None:
    _numbered(engine, "")


@command("ea", "eal", "eanoraggedright", kept=True)
def _ea(engine: Engine) -> None:
    if example_of(engine) is None:
        _begin(engine, "exe")
    else:
        _deeper(engine, "xlist", "")
    _numbered(engine)


@command("z", "zl", "zlast", kept=True)
def _z(engine: Engine) -> None:
    """End what ``\\ea``, or an environment that stands for the same, began."""
    open_ones = [frame.closer for frame in engine.frames if frame.closer in ("exe", "xlist")]
    engine.close(open_ones[-1] if open_ones else "exe")


@command("eabox", "exbox", "akexbox", "eabox*", kept=True)
def _eabox(engine: Engine) -> None:
    """An example whose whole content is an argument."""
    engine.stream.star()
    engine.stream.optional()
    token = engine.stream.ahead()
    if token is None or token.kind != OPEN:
        return
    content = engine.stream.argument()
    ended = [Token(WORD, "z"), Token(TEXT, " ")]
    engine.stream.push([Token(WORD, "ea"), *content, *ended])


@command("gll", "glll", "gllll", "glllll", "glossll", kept=True)
def _gll(engine: Engine) -> None:
    if isinstance(engine.flow, Example):
        engine.flow.newline()
    elif isinstance(engine.flow, Body):
        engine.flow.begin_gloss()


@command("glend", "gltoffset", kept=True)
def _glend(engine: Engine) -> None:
    if isinstance(engine.flow, Example):
        engine.flow.newline()
    else:
        engine.flow.text.append(" ")


@command("glt", "trans", "gltd", kept=True)
def _glt(engine: Engine) -> None:
    if isinstance(engine.flow, Example):
        engine.flow.newline()
    elif isinstance(engine.flow, Body):
        engine.flow.translate()
    else:
        engine.flow.text.append(" ")


@command("exsameline", kept=True)
def _exsameline(engine: Engine) -> None:
    engine.stream.optional()
    _numbered(engine)


@command("jambox", "hfill", kept=True)
def _jambox(engine: Engine) -> None:
    engine.stream.star()
    engine.flow.text.append(" ")


# Yauyos Quechua's own examples


@command("gloexe", kept=True)
def _gloexe(engine: Engine) -> None:
    """``\\gloexe{label}{number}{dialect}{surface}{morphemes with glosses}``, up to glotran."""
    if any(frame.closer == "gloexe" for frame in engine.frames):
        engine.remark("an example without \\glotran", "the next example ends it")
        engine.close("gloexe")
    label = text_of(engine.stream.argument()).strip()
    given = engine.render(engine.stream.argument())
    dialect = engine.render([Token(WORD, "textsc"), *_braced(engine.stream.argument())])
    surface = engine.stream.argument()
    glosses = engine.stream.argument()
    frame = engine.capture("gloexe", Example(label=label))
    number = given or step(engine, "gloss")
    frame.target = Target(number, "exx")
    if label:
        engine.state.labels.targets[label] = frame.target
    example = example_of(engine)
    if example is None:
        return
    example.prefix = [f"({number}) "]
    example.text += [engine.render(surface), " ", dialect]
    example.newline()
    _words(engine, example, glosses)


def _braced(tokens: list[Token]) -> list[Token]:
    return [Token(OPEN, "{"), *tokens, Token(CLOSE, "}")]


def _words(engine: Engine, example: Example, tokens: list[Token]) -> None:
    """Add a line of morphemes and one of glosses from ``\\morglo{morphemes}{gloss}`` ..."""
    words, glosses = Flow(), Flow()
    kept = engine.pairs
    engine.pairs = (words, glosses)
    rest = engine.render(tokens)
    engine.pairs = kept
    for line in (squeeze(words.text), squeeze(glosses.text), rest):
        if line:
            example.text.append(line)
            example.newline()


@command("morglo", kept=True)
def _morglo(engine: Engine) -> None:
    word, gloss = engine.stream.argument(), engine.stream.argument()
    if engine.pairs is None:
        engine.flow.text.append(f"{engine.render(word)} {engine.render(gloss)} ")
        return
    engine.pairs[0].text.append(engine.render(word) + " ")
    engine.pairs[1].text.append(engine.render(gloss) + " ")


@command("glotran", "glotrannq", kept=True)
def _glotran(engine: Engine) -> None:
    translation = engine.render(engine.stream.argument())
    engine.stream.skip("mmm")
    if example_of(engine) is None:
        engine.flow.text.append(translation)
        return
    engine.flow.text.append(f"‘{translation}’" if translation else "")
    engine.close("gloexe")
