"""Commands and environments that a book defines itself."""

from __future__ import annotations

from dataclasses import dataclass

from src.books.latex.tokens import PARAM, TEXT, Token


@dataclass(frozen=True)
class Macro:
    """A command: how many arguments, the default of an optional first one, what it stands for.

    ``delimiters`` holds for each argument of a ``\\def`` the token that ends it, or None.
    """

    count: int
    body: tuple[Token, ...]
    default: tuple[Token, ...] | None = None
    delimiters: tuple[Token | None, ...] = ()


@dataclass(frozen=True)
class Alias:
    """Another name of a command that the reader knows (``\\let``)."""

    name: str


@dataclass(frozen=True)
class Environment:
    """An environment: what its beginning and its end stand for."""

    begin: Macro
    end: tuple[Token, ...]


Meaning = Macro | Alias


def substitute(body: tuple[Token, ...], arguments: list[list[Token]]) -> list[Token]:
    """Return the body with the arguments in place of #1, #2 ..."""
    if not any(token.kind == PARAM for token in body):
        return list(body)
    found: list[Token] = []
    for token in body:
        if token.kind != PARAM:
            found.append(token)
            continue
        number = int(token.text[1:] or 0)
        if 1 <= number <= len(arguments):
            found.extend(arguments[number - 1])
    return found


def bare(tokens: list[Token]) -> list[Token]:
    """Return the tokens without white space around them."""
    first, last = 0, len(tokens)
    while first < last and tokens[first].kind == TEXT and not tokens[first].text.strip():
        first += 1
    while last > first and tokens[last - 1].kind == TEXT and not tokens[last - 1].text.strip():
        last -= 1
    return tokens[first:last]
