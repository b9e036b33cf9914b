"""The tokens of a book as they come: files within files, macros expanded, all of it bounded."""

from __future__ import annotations

from collections.abc import Sequence

from src.books.latex.macros import Macro, substitute
from src.books.latex.project import Project, Source
from src.books.latex.tokens import (
    CALL,
    CLOSE,
    LEFT,
    OPEN,
    PAR,
    RIGHT,
    TEXT,
    Token,
    in_chunks,
)

MOST_EXPANDED = 100_000
MOST_EXPANDED_IN_ALL = 5_000_000
MOST_BLOWN = 20
LONGEST_ARGUMENT = 200_000
SHORT_ARGUMENT = 200
MOST_UNCLOSED = 20


class _Level:
    __slots__ = ("chunks", "index", "source", "stop", "tokens")

    def __init__(
        self, tokens: Sequence[Token], source: Source | None = None, stop: bool = False
    ) -> None:
        self.tokens = tokens
        self.index = 0
        self.source = source
        self.stop = stop
        self.chunks = in_chunks(source.text) if source is not None else None

    def refill(self) -> bool:
        """Go on to the next tokens of a file; False where there are none."""
        if self.chunks is None:
            return False
        for chunk in self.chunks:
            if chunk:
                self.tokens, self.index = chunk, 0
                return True
        return False

    def at(self) -> int:
        """Return where in its file the token began that was read last."""
        return self.tokens[max(0, self.index - 1)].at if self.tokens else 0


def _loose(tokens: list[Token]) -> list[Token]:
    """Return tokens without the braces that nothing closes, so that none looks for an end again.

    Brackets outside all braces become text: none of them was closed.
    """
    unclosed: list[int] = []
    kept = list(tokens)
    for index, (kind, text, at) in enumerate(tokens):
        if kind == OPEN:
            unclosed.append(index)
        elif kind == CLOSE and unclosed:
            unclosed.pop()
        elif kind == LEFT and not unclosed:
            kept[index] = Token(TEXT, text, at)
    dropped = set(unclosed)
    return [token for index, token in enumerate(kept) if index not in dropped]


class Stream:
    """Gives token after token; what is pushed comes next."""

    def __init__(self, project: Project) -> None:
        self.project = project
        self.levels: list[_Level] = []
        self.files: list[_Level] = []
        self._mark = (0, 0)
        self._spent = 0
        self._spent_in_all = 0
        self._unclosed = 0
        self.blown = 0

    def next(self) -> Token | None:
        """Return the next token, or None at the end (or at a stop)."""
        levels = self.levels
        while levels:
            level = levels[-1]
            index = level.index
            if index < len(level.tokens):
                level.index = index + 1
                return level.tokens[index]
            if level.stop:
                return None
            if level.refill():
                continue
            levels.pop()
            if level.source is not None:
                self.files.pop()
        return None

    def back(self) -> None:
        """Take back the token that was read last."""
        self.levels[-1].index -= 1

    def push(self, tokens: Sequence[Token]) -> None:
        """Let these tokens come next."""
        if tokens:
            self.levels.append(_Level(tokens))

    def push_file(self, source: Source) -> None:
        """Let a file come next."""
        level = _Level((), source)
        self.levels.append(level)
        self.files.append(level)

    def stop(self) -> int:
        """Put up a stop: ``next`` gives None before it passes it."""
        self.levels.append(_Level((), stop=True))
        return len(self.levels)

    def resume(self, height: int) -> None:
        """Take the stop down again, with all that stands above it."""
        self._drop(height - 1)

    def _drop(self, height: int) -> None:
        for level in self.levels[height:]:
            if level.source is not None:
                self.files.remove(level)
        del self.levels[height:]

    def end_file(self) -> None:
        """Leave the file that is being read, and all that it pushed."""
        while self.levels and not self.levels[-1].stop:
            level = self.levels.pop()
            if level.source is not None:
                self.files.pop()
                return

    def where(self) -> str:
        """Return file and line of what is being read."""
        if not self.files:
            return self.project.main.name
        level = self.files[-1]
        assert level.source is not None
        return f"{level.source.name}:{level.source.line(level.at())}"

    def expand(self, name: str, macro: Macro) -> bool:
        """Put what a macro stands for in its place; False when that would never end."""
        arguments = self._arguments(macro)
        tokens = substitute(macro.body, arguments)
        mark = (len(self.files), self.files[-1].at() if self.files else 0)
        if mark != self._mark:
            self._mark = mark
            self._spent = 0
        self._spent += 1 + len(tokens)
        self._spent_in_all += 1 + len(tokens)
        too_much = self._spent > MOST_EXPANDED or self._spent_in_all > MOST_EXPANDED_IN_ALL
        if too_much or self.blown > MOST_BLOWN:
            self._blow(name)
            return False
        self.push(tokens)
        return True

    def _blow(self, name: str) -> None:
        self._spent = 0
        self.blown += 1
        why = "it stands for itself, or for far too much"
        self.project.remark(self.where(), f"\\{name} is not expanded", why)
        while self.levels and not self.levels[-1].stop and self.levels[-1].source is None:
            self.levels.pop()

    def _arguments(self, macro: Macro) -> list[list[Token]]:
        found: list[list[Token]] = []
        if macro.delimiters:
            return [
                self.argument() if end is None else self._until(end) for end in macro.delimiters
            ]
        if macro.default is not None and macro.count:
            given = self.optional()
            found.append(list(macro.default) if given is None else given)
        while len(found) < macro.count:
            found.append(self.argument())
        return found

    def _until(self, end: Token) -> list[Token]:
        found: list[Token] = []
        depth = 0
        for _ in range(SHORT_ARGUMENT * 5):
            token = self.next()
            if token is None or token.kind in (PAR, CALL):
                if token:
                    self.back()
                break
            if not depth and (token.kind, token.text) == (end.kind, end.text):
                break
            if end.kind == TEXT and not depth and token.kind == TEXT and end.text in token.text:
                head, _, rest = token.text.partition(end.text)
                self.push([Token(TEXT, rest, token.at)])
                found.append(Token(TEXT, head, token.at))
                break
            depth += (token.kind == OPEN) - (token.kind == CLOSE)
            found.append(token)
        return found

    def ahead(self) -> Token | None:
        """Return the next token that is no white space, without taking it."""
        while True:
            token = self.next()
            if token is None:
                return None
            if token.kind == TEXT:
                text = token.text.lstrip()
                if not text:
                    continue
                if text != token.text:
                    self.push([Token(TEXT, text, token.at)])
                    return self.levels[-1].tokens[0]
            self.back()
            return token

    def argument(self) -> list[Token]:
        """Return a command's next argument: a group without its braces, or one token."""
        token = self.ahead()
        if token is None or token.kind in (CLOSE, PAR, CALL):
            return []
        self.next()
        if token.kind == OPEN:
            return self.balanced()
        if token.kind == TEXT and len(token.text) > 1:
            self.push([Token(TEXT, token.text[1:], token.at)])
            return [Token(TEXT, token.text[0], token.at)]
        return [token]

    def balanced(self, end: int = CLOSE) -> list[Token]:
        """Return all up to the brace or bracket that closes; what is never closed stays text."""
        found: list[Token] = []
        depth = 0
        bound = SHORT_ARGUMENT if self._unclosed > MOST_UNCLOSED else LONGEST_ARGUMENT
        while len(found) < bound:
            token = self.next()
            if token is None or token.kind == CALL:
                if token is not None:
                    self.back()
                break
            kind = token.kind
            if kind == OPEN:
                depth += 1
            elif not depth and kind == end:
                return found
            elif kind == CLOSE:
                depth -= 1
                if depth < 0:
                    self.back()
                    break
            found.append(token)
        self._unclosed += 1
        what = "a brace that is never closed" if end == CLOSE else "a bracket that is never closed"
        self.project.remark(self.where(), what, "its content is read as text")
        self.push(found if bound == SHORT_ARGUMENT else _loose(found))
        return []

    def optional(self) -> list[Token] | None:
        """Return an argument in brackets, or None where there is none."""
        token = self.ahead()
        if token is None or token.kind != LEFT:
            return None
        self.next()
        return self.balanced(RIGHT)

    def star(self) -> bool:
        """Take a star, if one comes next."""
        token = self.ahead()
        if token is None or token.kind != TEXT or token.text[0] != "*":
            return False
        self.next()
        if len(token.text) > 1:
            self.push([Token(TEXT, token.text[1:], token.at)])
        return True

    def skip(self, signature: str) -> None:
        """Pass over arguments: ``*`` a star, ``o`` in brackets, ``m`` in braces, ``p`` in ()."""
        for part in signature:
            if part == "*":
                self.star()
            elif part == "o":
                self.optional()
            else:
                self.argument()
