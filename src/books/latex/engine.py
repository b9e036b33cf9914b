"""The engine: takes token after token, keeps groups and environments, and gives text to flows."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from typing import Any

from src.books.latex.accents import lowered, raised
from src.books.latex.flows import Body, Draft, Flow, squeeze
from src.books.latex.ipa import from_shortcuts
from src.books.latex.macros import Alias, Environment, Macro, Meaning
from src.books.latex.project import Project
from src.books.latex.state import Frame, State
from src.books.latex.stream import Stream
from src.books.latex.symbols import CHARACTERS, RELATIONS, abbreviations, symbols, typographic
from src.books.latex.tokens import (
    ALIGN,
    CALL,
    CLOSE,
    LEFT,
    MATH,
    OPEN,
    PAR,
    PARAM,
    RIGHT,
    SUB,
    SUPER,
    SYMBOL,
    TEXT,
    VERB,
    WORD,
    Token,
)

DEEPEST = 1_000
DEEPEST_RENDERING = 12
Handler = Callable[["Engine"], None]


class Engine:
    """Reads a project; ``commands`` and ``environments`` are what it knows without definitions."""

    def __init__(
        self, project: Project, commands: dict[str, Handler], environments: dict[str, Handler]
    ) -> None:
        self.project = project
        self.commands = commands
        self.environments = environments
        self.stream = Stream(project)
        self.state = State()
        self.macros: dict[str, Meaning] = {}
        self.defined_environments: dict[str, Environment] = {}
        self.body = Body()
        self.flow: Flow = self.body
        self.frames = [Frame("")]
        self.unknown: dict[str, tuple[int, str]] = {}
        self.rendering = 0
        self.within_notes = 0
        self.lists: list[tuple[str, int]] = []
        self.pairs: tuple[Flow, Flow] | None = None
        self._deeper = 0
        self.symbols = symbols()
        self._short = abbreviations()
        self._simple: dict[int, Callable[[], object]] = {
            PAR: self.paragraph,
            ALIGN: lambda: self.flow.cell(),
            CLOSE: lambda: self.close("}"),
            LEFT: lambda: self.flow.text.append("["),
            RIGHT: lambda: self.flow.text.append("]"),
            SUPER: lambda: self._shift("^", raised),
            SUB: lambda: self._shift("_", lowered),
            PARAM: lambda: None,
            OPEN: lambda: self.open("}"),
        }

    # Running

    def run(self) -> None:
        """Take tokens until there are none."""
        following = self.stream.next
        while (token := following()) is not None:
            kind, text, _ = token
            if kind == TEXT:
                self.emit(text)
            elif kind == WORD:
                self.command(text)
            else:
                self._other(kind, text)

    def _other(self, kind: int, text: Any) -> None:
        if kind == CALL:
            text(self)
        elif kind in self._simple:
            self._simple[kind]()
        elif kind == VERB:
            self.flow.text.append(text)
        elif kind == SYMBOL:
            self._symbol(text)
        elif kind == MATH:
            self._mathematics(text)

    def render(self, tokens: Sequence[Token]) -> str:
        """Return tokens as a line of text, apart from all that is being collected."""
        if self.rendering >= DEEPEST_RENDERING:
            return ""
        self.rendering += 1
        kept, flow, height = len(self.frames), self.flow, self.stream.stop()
        self.flow = line = Flow()
        self.frames.append(Frame("render", target=self.frames[-1].target))
        self.stream.push(tokens)
        self.run()
        while len(self.frames) > kept:
            self.pop()
        self.flow = flow
        self.stream.resume(height)
        self.rendering -= 1
        return squeeze(line.text)

    def remark(self, what: str, why: str = "") -> None:
        """Keep a remark about the place that is being read."""
        self.project.remark(self.stream.where(), what, why)

    # Text

    def emit(self, text: str) -> None:
        """Add text as it is typeset here."""
        frame = self.frames[-1]
        if frame.ipa:
            text = from_shortcuts(text)
        elif "-" in text or "`" in text or "'" in text or '"' in text:
            text = typographic(text, frame.math)
        if "~" in text:
            text = text.replace("~", " ")
        self.flow.text.append(text.upper() if frame.caps else text)

    def plain(self, text: str) -> None:
        """Add characters that stand for themselves."""
        self.flow.text.append(text.upper() if self.frames[-1].caps else text)

    def paragraph(self) -> None:
        """End a paragraph; mathematics that is still open ends with it."""
        if self.frames[-1].closer == "$":
            self.remark("a $ that is never closed", "the paragraph ends it")
            self.close("$")
        self.flow.paragraph()

    # Groups

    def open(self, closer: str, flow: Flow | None = None) -> Frame:
        """Begin a group or an environment; with ``flow``, what follows goes there."""
        top = self.frames[-1]
        frame = Frame(closer, top.caps, top.ipa, top.math, top.target, top.float)
        if len(self.frames) >= DEEPEST:
            if not self._deeper:
                self.remark("groups are nested too deeply", "the inner ones are read as text")
            self._deeper += 1
            return frame
        if flow is not None:
            frame.flow = self.flow
            self.flow = flow
        self.frames.append(frame)
        return frame

    def close(self, closer: str) -> None:
        """End the innermost group of this kind, and all that is still open within it."""
        if self._deeper:
            self._deeper -= 1
            return
        for depth in range(len(self.frames) - 1, 0, -1):
            frame = self.frames[depth]
            if frame.closer == closer:
                if depth < len(self.frames) - 1:
                    self.remark(f"{self.frames[-1].closer} is not closed", f"{closer} ends it")
                while len(self.frames) > depth:
                    self.pop()
                return
            if frame.closer == "render" or (closer == "}" and frame.closer not in "}$"):
                break
        self.remark(f"{closer} closes nothing", "left out")

    def pop(self) -> Frame:
        """Leave the innermost group."""
        frame = self.frames.pop()
        for name, meaning in frame.saved.items():
            if meaning is None:
                self.macros.pop(name, None)
            else:
                self.macros[name] = meaning
        inner = self.flow
        if frame.on_close is not None:
            frame.on_close()
            frame.on_close = None
        if frame.flow is not None and self.flow is inner:
            self.flow = frame.flow
        return frame

    def group(self, on_close: Callable[[str], None] | None = None, **looks: bool) -> None:
        """Read the next argument in a group of its own; its text goes to ``on_close``."""
        token = self.stream.ahead()
        if token is None or token.kind in (CLOSE, PAR, CALL):
            if on_close is not None:
                on_close("")
            return
        if token.kind == OPEN:
            self.stream.next()
        else:
            tokens = self.stream.argument()
            self.stream.push([*tokens, Token(CLOSE, "}")])
        frame = self.open("}", Flow() if on_close is not None else None)
        for look, value in looks.items():
            setattr(frame, look, value)
        if on_close is not None and frame.flow is not None:
            line, handler = self.flow, on_close
            frame.on_close = lambda: self._hand_over(frame, line, handler)

    def _hand_over(self, frame: Frame, line: Flow, handler: Callable[[str], None]) -> None:
        assert frame.flow is not None
        self.flow = frame.flow
        for note in line.notes:
            self.flow.notes.append(note)
        handler("".join(line.text))

    def capture(self, closer: str, flow: Flow) -> Frame:
        """Begin a group whose text goes to ``flow``, and from there to the flow around it."""
        frame = self.open(closer, flow)
        if frame.flow is None:
            return frame

        def finish() -> None:
            assert frame.flow is not None
            self.flow = frame.flow
            self.flow.add(flow.close())

        frame.on_close = finish
        return frame

    # Commands

    def command(self, name: str) -> None:
        """Do what a command says."""
        meaning = self.macros.get(name)
        if isinstance(meaning, Macro):
            if not self.stream.expand(name, meaning):
                self.macros.pop(name, None)
            return
        if isinstance(meaning, Alias):
            name = meaning.name
        handler = self.commands.get(name)
        if handler is not None:
            handler(self)
        elif name in self.symbols:
            self.plain(self.symbols[name])
            if self.frames[-1].math and self.symbols[name] in RELATIONS:
                following = self.stream.ahead()
                if following is not None and following.kind == TEXT:
                    self.flow.text.append(" ")
        elif name in self._short:
            self.flow.text.append(self._short[name].upper())
        else:
            self._unknown(name)

    def _unknown(self, name: str) -> None:
        for length in range(len(name) - 1, 0, -1) if not name.isascii() else ():
            if name[:length] in self.macros or name[:length] in self.commands:
                self.stream.push([Token(TEXT, name[length:])])
                self.command(name[:length])
                return
        if not self.state.preamble:
            count, where = self.unknown.get(name, (0, ""))
            self.unknown[name] = (count + 1, where or self.stream.where())

    def _symbol(self, name: str) -> None:
        meaning = self.macros.get(name)
        handler = self.commands.get(name)
        if meaning is not None or handler is not None:
            self.command(name)
        elif name in CHARACTERS:
            self.flow.text.append(CHARACTERS[name])
        else:
            self.plain(name)

    def _mathematics(self, text: str) -> None:
        if self.frames[-1].closer == "$":
            self.close("$")
            if text == "$":
                return
        elif text == "$$":
            self.flow.text.append(" ")
            return
        self.open("$").math = True

    def _shift(self, char: str, shifted: Callable[[str], str]) -> None:
        if self.frames[-1].math:
            self.group(lambda text: self.flow.text.append(shifted(text)))
        else:
            self.flow.text.append(char)

    def define(self, name: str, meaning: Meaning, everywhere: bool = False) -> None:
        """Give a command a meaning, until the group ends (or everywhere)."""
        if not everywhere and len(self.frames) > 1:
            self.frames[-1].saved.setdefault(name, self.macros.get(name))
        self.macros[name] = meaning

    # Blocks

    def home(self) -> Body:
        """Close what a heading cannot stand in (an example, a table); return the book's body."""
        for depth, frame in enumerate(self.frames):
            if frame.flow is not None and frame.closer != "render":
                if frame.flow is self.body or depth:
                    self.remark(f"{frame.closer} is not closed", "a heading ends it")
                while len(self.frames) > depth:
                    self.pop()
                break
        return self.body

    def add(self, draft: Draft) -> None:
        """Add a finished block here."""
        self.flow.add([draft])
