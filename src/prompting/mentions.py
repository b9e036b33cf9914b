"""Where a text names the options of a feature."""

from __future__ import annotations

import re
from collections.abc import Callable, Iterable, Mapping, Sequence
from dataclasses import dataclass
from functools import lru_cache

from src.prompting.counted import counted
from src.prompting.features import Part
from src.prompting.word_orders import free_order, word_orders


@dataclass(frozen=True, slots=True)
class Mention:
    """A place that names an option; ``label`` is ``""`` for one that the feature does not have."""

    start: int
    end: int
    label: str


Finder = Callable[[str], Iterable[tuple[int, int, str]]]


@dataclass(frozen=True)
class Options:
    """The options of a part, and how they are found in plain text.

    ``free`` is the option of an order that is none (``No dominant order``), if there is one: who
    chooses it names others to say which orders there are.
    """

    labels: tuple[str, ...]
    exact: Mapping[str, str]
    finders: tuple[Finder, ...]
    free: str = ""

    def mentions(self, text: str) -> list[Mention]:
        """Return all places that name an option, in order; of those that overlap the first."""
        places = [place for find in self.finders for place in find(text)]
        found: list[Mention] = []
        for start, end, label in sorted(places, key=lambda place: (place[0], -place[1])):
            if not found or start >= found[-1].end:
                found.append(Mention(start, end, label))
        return found


def spelled(text: str, between: str = r"[\s-]+") -> str:
    """Return a pattern for a text in whole words, with any spaces or hyphens between them."""
    words = [re.escape(word) for word in re.split(r"[\s-]+", text.strip()) if word]
    return r"(?<!\w)(?<!non-)" + between.join(words) + r"(?!\w)"


@lru_cache(maxsize=64)
def options_of(part: Part) -> Options:
    """Return the options of a part."""
    names = {
        name.casefold(): value.label
        for value in part.values
        for name in (value.label, *value.aliases)
    }
    if set(part.labels) == {"0", "1"}:
        names = {"yes": "1", "no": "0", **names}
    finders = [_names(names), word_orders(part.labels), counted(part.labels)]
    found = tuple(finder for finder in finders if finder)
    return Options(part.labels, names, found, free_order(part.labels))


def _names(names: Mapping[str, str]) -> Finder:
    """Find the options' names; those that may be anything only where they must be an option."""
    short = {name: label for name, label in names.items() if _may_be_anything(name)}
    long = {name: label for name, label in names.items() if name not in short}
    finders = [
        _pattern(names, around) for names, around in ((long, "%s"), (short, _SHORT)) if names
    ]
    return lambda text: [place for find in finders for place in find(text)]


# At the beginning of a line or after one of these words, where no sentence goes on behind it and
# no other option follows ("1, 0").
_SHORT = (
    r"(?:^[\s(\[]*|(?:\b(?:is|be|as|option|value|code|coded|answer|choose|chose|select|but|not|than"
    r"|so|therefore|thus|hence)|[:=;>])[\s(\[]*|\b(?:with|to|of)\s+)%s"
    r"(?=\s*(?:$|\.(?!\d)|[;:=!)\]}\n([-]|\b(?:because|since|as|due|given|rather|and\s+not)\b"
    r"|,(?!\s*(?:(?:or|and)\s+)?(?:%s|\d))))"
)
_WORDS = frozenset(
    {
        "all",
        "any",
        "few",
        "low",
        "none",
        "not",
        "one",
        "six",
        "some",
        "ten",
        "top",
        "two",
        "yes",
        "zero",
    }
)


def _may_be_anything(name: str) -> bool:
    """Tell digits, letters and words of English text from names such as ``SOV``."""
    return name in _WORDS or len(name) < 3 or (len(name) == 3 and not name.isalpha())


def _pattern(names: Mapping[str, str], around: str) -> Finder:
    by_words = {_key(name): label for name, label in names.items()}
    longest_first: Sequence[str] = sorted(names, key=len, reverse=True)
    inner = "|".join(spelled(name) for name in longest_first)
    # the last %s, if there is one, is what must not follow
    regex = around.replace("%s", f"({inner})", 1).replace("%s", f"(?:{inner})")
    pattern = re.compile(regex, re.IGNORECASE | re.MULTILINE)

    def find(text: str) -> Iterable[tuple[int, int, str]]:
        for match in pattern.finditer(text):
            yield match.start(1), match.end(1), by_words[_key(match[1])]

    return find


def _key(name: str) -> str:
    return " ".join(re.split(r"[\s-]+", name.casefold().strip()))
