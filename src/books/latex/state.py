"""What the engine keeps: groups and environments, and what is true of the whole book."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass, field

from src.books.latex.flows import Flow
from src.books.latex.macros import Meaning
from src.books.latex.numbering import Counters, Labels, Target
from src.books.latex.tokens import Token


@dataclass(slots=True)
class Frame:
    """A group or an environment: what closes it, how text looks in it, what happens at its end."""

    closer: str
    caps: bool = False
    ipa: bool = False
    math: bool = False
    target: Target = field(default_factory=Target)
    float: str = ""
    flow: Flow | None = None
    on_close: Callable[[], None] | None = None
    saved: dict[str, Meaning | None] = field(default_factory=dict)


@dataclass
class State:
    """What is true of the whole book: counters, labels, where its parts begin, what it says."""

    counters: Counters = field(default_factory=lambda: Counters.of_class(False, False))
    labels: Labels = field(default_factory=Labels)
    metadata: dict[str, str] = field(default_factory=dict)
    document_class: str = ""
    has_chapters: bool = False
    preamble: bool = False
    waiting: Flow | None = None
    numbered: bool = True
    ended: bool = False
    folders: list[str] = field(default_factory=lambda: [""])
    reading: list[str] = field(default_factory=list)
    only: frozenset[str] | None = None
    switches: dict[str, bool] = field(default_factory=dict)
    floats: int = 0
    paper: dict[str, list[Token]] = field(default_factory=dict)
