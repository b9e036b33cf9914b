"""Commands and environments by name, registered by the files that do what they say."""

from __future__ import annotations

from collections.abc import Callable

from src.books.latex.engine import Handler

COMMANDS: dict[str, Handler] = {}
ENVIRONMENTS: dict[str, Handler] = {}
# A book's own definition of these does not count: the reader knows better what they mean.
KEPT: set[str] = set()


def command(*names: str, kept: bool = False) -> Callable[[Handler], Handler]:
    """Register the function that does what these commands say."""

    def register(handler: Handler) -> Handler:
        for name in names:
            COMMANDS[name] = handler
            if kept:
                KEPT.add(name)
        return handler

    return register


def environment(*names: str) -> Callable[[Handler], Handler]:
    """Register the function that begins these environments."""

    def register(handler: Handler) -> Handler:
        for name in names:
            ENVIRONMENTS[name] = handler
        return handler

    return register


def skipper(signature: str) -> Handler:
    """Return a function that passes over a command's arguments."""
    return lambda engine: engine.stream.skip(signature)
