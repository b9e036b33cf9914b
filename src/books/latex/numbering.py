"""Counters as LaTeX keeps them, and labels with the numbers that they came to."""

from __future__ import annotations

import re
from collections.abc import Callable
from dataclasses import dataclass, field
from itertools import pairwise

MARK = "\ufdd0"
_REFERENCE = re.compile(f"{MARK}(\\d+){MARK}")
SECTIONS = ("chapter", "section", "subsection", "subsubsection", "paragraph", "subparagraph")


def letters(number: int) -> str:
    """Return a for 1, z for 26, aa for 27."""
    found = ""
    while number > 0:
        number, rest = divmod(number - 1, 26)
        found = chr(97 + rest) + found
    return found


def roman(number: int) -> str:
    """Return a small Roman number."""
    if number > 4999:
        return str(number)
    found = ""
    pairs = "m1000 cm900 d500 cd400 c100 xc90 l50 xl40 x10 ix9 v5 iv4 i1"
    for pair in pairs.split():
        value = int(pair.lstrip("mcdxlvi"))
        times, number = divmod(max(0, number), value)
        found += pair.rstrip("0123456789") * times
    return found


STYLES: dict[str, Callable[[int], str]] = {
    "arabic": str,
    "alph": letters,
    "Alph": lambda number: letters(number).upper(),
    "roman": roman,
    "Roman": lambda number: roman(number).upper(),
    "fnsymbol": lambda number: "∗†‡§¶"[number - 1] if 0 < number < 6 else str(number),
}


@dataclass
class Counters:
    """Counters, and which of them begin anew when another one is stepped."""

    values: dict[str, int] = field(default_factory=dict)
    within: dict[str, list[str]] = field(default_factory=dict)

    @classmethod
    def of_class(cls, chapters: bool, examples_by_chapter: bool) -> Counters:
        """Return the counters of a class with or without chapters."""
        made = cls()
        for name in ("part", *SECTIONS, "exx", "table", "figure", "footnote", "secnumdepth"):
            made.values[name] = 0
        for above, below in pairwise(SECTIONS):
            made.reset_within(below, above)
        if chapters:
            for name in ("table", "figure", "footnote"):
                made.reset_within(name, "chapter")
        if examples_by_chapter:
            made.reset_within("exx", "chapter")
        return made

    def reset_within(self, name: str, above: str) -> None:
        """Let ``name`` begin anew with each ``above``."""
        below = self.within.setdefault(above, [])
        if name not in below:
            below.append(name)

    def never_within(self, name: str, above: str) -> None:
        """Let ``name`` no longer begin anew with each ``above``."""
        if name in self.within.get(above, ()):
            self.within[above].remove(name)

    def step(self, name: str) -> None:
        """Add one, and let all begin anew that counts within it."""
        self.values[name] = self.values.get(name, 0) + 1
        waiting, seen = list(self.within.get(name, ())), {name}
        while waiting:
            below = waiting.pop()
            if below not in seen:
                seen.add(below)
                self.values[below] = 0
                waiting += self.within.get(below, ())


@dataclass(frozen=True)
class Target:
    """What a label points to: the number, the kind (a counter's name), the title."""

    number: str = ""
    kind: str = ""
    title: str = ""


_NAMES = {
    "part": "Part",
    "chapter": "Chapter",
    "table": "Table",
    "figure": "Figure",
    "footnote": "Footnote",
    "exx": "Example",
}


@dataclass
class Labels:
    """Labels and the references to them, which are resolved when all is read."""

    targets: dict[str, Target] = field(default_factory=dict)
    wanted: list[tuple[str, str, str]] = field(default_factory=list)
    unresolved: list[tuple[str, str]] = field(default_factory=list)

    def reference(self, label: str, style: str, where: str) -> str:
        """Return a mark that stands for a reference until ``resolve``."""
        self.wanted.append((label, style, where))
        return f"{MARK}{len(self.wanted) - 1}{MARK}"

    def resolve(self, text: str) -> str:
        """Return ``text`` with numbers for marks; ?? where there is no such label."""
        return _REFERENCE.sub(lambda match: self._show(int(match[1])), text)

    def _show(self, index: int) -> str:
        label, style, where = self.wanted[index]
        target = self.targets.get(label)
        if style == "page":
            return "??"
        if target is None or not (target.title if style == "title" else target.number):
            self.unresolved.append((label, where))
            return "??"
        if style == "title":
            return _REFERENCE.sub("??", target.title)
        if style == "name":
            return f"{_NAMES.get(target.kind, 'Section')} {target.number}"
        return _REFERENCE.sub(lambda match: self._number(int(match[1])), target.number)

    def _number(self, index: int) -> str:
        """Return the number that an example repeats (\\exp)."""
        target = self.targets.get(self.wanted[index][0])
        return "??" if target is None or MARK in target.number else target.number
