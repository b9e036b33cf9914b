"""A document's frame: its class, its files, its environments, its beginning and its end."""

from __future__ import annotations

from pathlib import PurePosixPath

from src.books.latex.counting import usual
from src.books.latex.engine import Engine, Handler
from src.books.latex.flows import Flow
from src.books.latex.macros import bare
from src.books.latex.numbering import Counters
from src.books.latex.registry import ENVIRONMENTS, command
from src.books.latex.tokens import CALL, CLOSE, OPEN, PAR, TEXT, WORD, Token, text_of

_ARTICLES = ("article", "scrartcl", "paper", "amsart", "extarticle")
MOST_FILES = 2_000


@command("documentclass", "LoadClass", kept=True)
def _documentclass(engine: Engine) -> None:
    options = text_of(engine.stream.optional() or [])
    name = text_of(engine.stream.argument()).strip().rsplit("/", 1)[-1]
    state = engine.state
    if not state.preamble:
        state.preamble, state.waiting = True, engine.flow
        engine.flow = Flow()
    if len(state.reading) > 1:
        return
    langsci = "langsci" in name or "lsp" in name
    state.document_class = name
    state.has_chapters = name not in _ARTICLES and "output=paper" not in options
    state.counters = Counters.of_class(state.has_chapters, langsci)
    depth = 4 if langsci else (2 if state.has_chapters else 3)
    state.counters.values["secnumdepth"] = depth
    usual(engine)


# Files


def _include(names: str) -> Handler:
    def include(engine: Engine) -> None:
        name = _file_name(engine)
        if names == "include" and engine.state.only is not None and name not in engine.state.only:
            return
        follow(engine, name, paper=names == "paper")

    return include


for _kind, _names in (
    ("include", ("include",)),
    ("input", ("input", "subfile", "subfileinclude", "InputIfFileExists", "loadglsentries")),
    ("paper", ("includepaper",)),
):
    command(*_names, kept=True)(_include(_kind))


def _file_name(engine: Engine) -> str:
    """Return the name in braces, or up to the next space."""
    token = engine.stream.ahead()
    if token is None or token.kind != TEXT:
        return engine.render(bare(engine.stream.argument()))
    engine.stream.next()
    name, _, rest = token.text.partition(" ")
    first, line, more = name.partition("\n")
    rest = more + " " + rest if line else rest
    engine.stream.push([Token(TEXT, rest, token.at)] if rest else [])
    return str(first)


@command("import", "subimport", "includefrom", "subincludefrom", "inputfrom", kept=True)
def _import(engine: Engine) -> None:
    folder = engine.render(bare(engine.stream.argument()))
    name = engine.render(bare(engine.stream.argument()))
    follow(engine, f"{folder.rstrip('/')}/{name}")


def follow(engine: Engine, name: str, paper: bool = False) -> None:
    """Let a file come next, where it is there, within the folder, and not being read."""
    state, stream, project = engine.state, engine.stream, engine.project
    where = stream.where()
    if not name or engine.rendering:
        return
    path = project.find(name, state.folders[-1], where)
    if path is None:
        return
    key = path.as_posix()
    if key in state.reading or len(project.pieces) >= MOST_FILES:
        why = "it includes itself" if key in state.reading else "there are too many files"
        project.remark(where, f"{name} is not read again", why)
        return
    source = project.read(path)
    preamble, depth = state.preamble, len(engine.frames)
    state.reading.append(key)
    state.folders.append(PurePosixPath(source.name).parent.as_posix())

    def leave(engine: Engine) -> None:
        state.reading.pop()
        state.folders.pop()
        state.preamble = preamble
        if not preamble:
            _leave_preamble(engine)
        while paper and len(engine.frames) > depth:
            engine.pop()

    stream.push([Token(CALL, leave)])
    if paper:
        engine.open("paper")
    stream.push_file(source)


@command("includeonly", kept=True)
def _includeonly(engine: Engine) -> None:
    names = text_of(engine.stream.argument()).split(",")
    engine.state.only = frozenset(name.strip() for name in names)


@command("endinput", kept=True)
def _endinput(engine: Engine) -> None:
    engine.stream.end_file()


# What a document says of itself


def _saying(name: str) -> Handler:
    def say(engine: Engine) -> None:
        engine.stream.optional()
        tokens = engine.stream.argument()
        papers = len(engine.state.reading) > 1 and any(f.closer == "paper" for f in engine.frames)
        if papers:
            engine.state.paper[name] = tokens
        elif name in ("title", "author", "subtitle", "date"):
            engine.state.metadata[name] = engine.render(_without_marks(tokens))

    return say


def _without_marks(tokens: list[Token]) -> list[Token]:
    """Return an author line with "and" for \\and."""
    return [
        Token(TEXT, " and ") if token.kind == WORD and token.text in ("and", "lastand") else token
        for token in tokens
    ]


for _name in ("title", "subtitle", "author", "date", "abstract"):
    command(_name, kept=True)(_saying(_name))


@command("maketitle", kept=True)
def _maketitle(engine: Engine) -> None:
    """A chapter that is a paper of its own begins with its title, authors and abstract."""
    paper = engine.state.paper
    if "title" not in paper:
        return
    engine.state.paper = {}
    author = engine.render(_without_marks(paper.get("author", [])))
    after = [Token(PAR, "\n\n"), *paper.get("abstract", []), Token(PAR, "\n\n")]
    engine.stream.push(after)
    if author:
        engine.stream.push([Token(PAR, "\n\n"), Token(TEXT, author)])
    chapter = [Token(WORD, "chapter"), Token(OPEN, "{"), *paper["title"], Token(CLOSE, "}")]
    engine.stream.push(chapter)


# Environments


@command("begin", kept=True)
def _begin(engine: Engine) -> None:
    name = text_of(engine.stream.argument()).strip()
    own = engine.defined_environments.get(name)
    if own is not None:
        frame = engine.open(f"own {name}")
        frame.target = engine.frames[-1].target
        if not engine.stream.expand(name, own.begin):
            del engine.defined_environments[name]
        return
    handler = ENVIRONMENTS.get(name)
    if handler is not None:
        handler(engine)
    else:
        engine.open(name)


@command("end", kept=True)
def _end(engine: Engine) -> None:
    name = text_of(engine.stream.argument()).strip()
    own = engine.defined_environments.get(name)
    if name == "document":
        _end_document(engine)
    elif own is not None:
        engine.stream.push([*own.end, Token(CALL, lambda engine: engine.close(f"own {name}"))])
    else:
        if name in _PARAGRAPHS and not engine.rendering:
            engine.flow.paragraph()
        engine.close(name)


def _end_document(engine: Engine) -> None:
    if len(engine.state.reading) > 1:
        engine.close("document")
        engine.stream.end_file()
        return
    engine.stream.levels.clear()
    engine.stream.files.clear()
    engine.state.ended = True


@command("begingroup", "bgroup")
def _begingroup(engine: Engine) -> None:
    engine.open("begingroup")


@command("endgroup", "egroup")
def _endgroup(engine: Engine) -> None:
    engine.close("begingroup")


_PARAGRAPHS = {
    "quote": "", "quotation": "", "verse": "", "center": "", "flushleft": "", "flushright": "",
    "abstract": "", "adjustwidth": "mm", "minipage": "ooom", "mdframed": "o",
    "linenumbers": "", "landscape": "", "otherlanguage": "m", "sideways": "", "rotate": "m",
    "titlepage": "", "refsection": "o", "tablenotes": "o", "subfigure": "om", "theorem": "o",
}  # fmt: skip


def _paragraphs(name: str) -> Handler:
    def begin(engine: Engine) -> None:
        engine.stream.skip(_PARAGRAPHS[name])
        if not engine.rendering:
            engine.flow.paragraph()
        engine.open(name)

    return begin


for _name in _PARAGRAPHS:
    ENVIRONMENTS[_name] = _paragraphs(_name)


def _columns(engine: Engine) -> None:
    """Columns; what stands above them is text too."""
    engine.stream.argument()
    above = engine.stream.optional()
    if not engine.rendering:
        engine.flow.paragraph()
    engine.open("multicols")
    if above:
        engine.stream.push([*above, Token(PAR, "\n\n")])


ENVIRONMENTS["multicols"] = ENVIRONMENTS["multicols*"] = _columns
_PARAGRAPHS["multicols"] = _PARAGRAPHS["multicols*"] = "mo"


def _mathematics(name: str) -> Handler:
    def begin(engine: Engine) -> None:
        engine.open(name).math = True

    return begin


for _name in ("math", "displaymath", "equation", "equation*"):
    ENVIRONMENTS[_name] = _mathematics(_name)


@command("par")
def _par(engine: Engine) -> None:
    engine.paragraph()


_VANISHED = """
    tikzpicture forest axis pspicture picture comment filecontents filecontents* bchart vowel
    thebibliography theindex tikzcd xy asy CCSXML music dependency avm tree deptext groupplot"""


def _vanish(name: str) -> Handler:
    def skip(engine: Engine) -> None:
        started = engine.stream.where()
        stream, depth = engine.stream, 0
        while (token := stream.next()) is not None:
            if token.kind == CALL:
                stream.back()
                break
            if token.kind != WORD or token.text not in ("begin", "end"):
                continue
            if text_of(stream.argument()).strip() != name:
                continue
            if token.text == "end":
                if not depth:
                    return
                depth -= 1
            elif name != "comment":
                depth += 1
        engine.project.remark(started, f"{name} is not closed", "the rest of the file is left out")

    return skip


for _name in _VANISHED.split():
    ENVIRONMENTS[_name] = _vanish(_name)


def _document(engine: Engine) -> None:
    """Here the text begins: what the preamble left is none."""
    _leave_preamble(engine)
    engine.state.preamble = False
    engine.open("document")


def _leave_preamble(engine: Engine) -> None:
    if engine.state.waiting is not None:
        engine.flow, engine.state.waiting = engine.state.waiting, None


ENVIRONMENTS["document"] = _document
