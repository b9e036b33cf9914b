"""Whether what a reply quotes and cites is in the paragraphs that it was given."""

from __future__ import annotations

import re
from collections.abc import Iterable, Sequence
from dataclasses import dataclass

from src.prompting.markup import without_reasoning
from src.prompting.quotations import quotations_in, stands_in
from src.records import Paragraph

_MOST = 1000
_NUMBER = r"[*_#]*\d{1,4}(?![\d])[*_]*"
_SINGLE = re.compile(r"(\d+)(?:[*_\s]*(?:-|–|—|\bto\b|\bthrough\b)[*_\s]*(\d+))?")
_CITED = re.compile(
    r"\b(?:paragraphs?|paras?\.?)[*_\s]*(?:(?:nos?\.?|numbers?)[*_\s]*)?"
    rf"({_NUMBER}(?:\s*(?:,|;|&|/|-|–|—|\band\b|\bor\b|\bto\b|\bthrough\b)\s*(?:(?:and|or)\s+)?"
    rf"(?:paragraphs?\s+)?{_NUMBER})*)",
    re.IGNORECASE,
)


@dataclass(frozen=True)
class Evidence:
    """What a reply rests on, as counts and as what they count.

    ``quotations`` are the different ones of some length, ``quotations_found`` those that a given
    paragraph has word for word; ``cited`` are the different paragraph numbers that the
    reply names, ``cited_found`` those of them that exist (1 to the number of paragraphs given).
    ``quoted_numbers`` are the paragraphs in which quotations were found.
    """

    quotations: int = 0
    quotations_found: int = 0
    cited: int = 0
    cited_found: int = 0
    cited_numbers: tuple[int, ...] = ()
    quoted_numbers: tuple[int, ...] = ()
    not_found: tuple[str, ...] = ()


def evidence_of(text: str, paragraphs: Sequence[Paragraph], asked: str = "") -> Evidence:
    """Look up a reply's quotations and citations; reasoning tags are left out.

    ``paragraphs`` are those of the prompt, in its order. What is quoted from ``asked``, the rest of
    the prompt (definitions, options), is no quotation of a grammar.
    """
    said = without_reasoning(text)
    quotations = [q for q in quotations_in(said) if not stands_in(q, asked)]
    places = [_places(quotation, paragraphs) for quotation in quotations]
    numbers = cited_numbers(said)
    return Evidence(
        quotations=len(quotations),
        quotations_found=sum(map(bool, places)),
        cited=len(numbers),
        cited_found=sum(1 <= number <= len(paragraphs) for number in numbers),
        cited_numbers=numbers,
        quoted_numbers=tuple(sorted({number for found in places for number in found})),
        not_found=tuple(q for q, found in zip(quotations, places, strict=True) if not found),
    )


def cited_numbers(text: str) -> tuple[int, ...]:
    """Return the different numbers in "Paragraph 3", "paragraphs 2 and 5", "Paragraphs 4-6"."""
    return tuple(sorted({n for match in _CITED.finditer(text) for n in _expanded(match[1])}))


def _expanded(numbers: str) -> Iterable[int]:
    for match in _SINGLE.finditer(numbers):
        first, last = int(match[1]), int(match[2] or match[1])
        # "5-3" and "1-9999" are no ranges of paragraphs
        yield from range(first, last + 1) if 0 <= last - first < _MOST else (first, last)


def _places(quotation: str, paragraphs: Sequence[Paragraph]) -> list[int]:
    return [n for n, paragraph in enumerate(paragraphs, 1) if stands_in(quotation, paragraph.text)]
