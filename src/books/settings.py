"""How a book is cut into paragraphs: ``paragraphs`` in params.yaml."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, fields

from src.errors import GrambenchError, suggest

VERSION = 1  # raised when the same settings give other paragraphs than before

METHODS = ("blocks", "paper")
HEADINGS = ("all", "first", "none")
FEWEST_CHARACTERS = 100


@dataclass(frozen=True)
class ParagraphSettings:
    """What determines the paragraphs of a book; a GrambenchError names a bad value.

    ``characters`` (the longest paragraph) and ``headings`` (which paragraphs begin with the
    heading above them: all, the first of each section, none) count for ``method="blocks"`` only.
    """

    method: str = "blocks"
    characters: int = 1500
    headings: str = "all"

    def __post_init__(self) -> None:
        """Check the values."""
        _check_choice("method", self.method, METHODS)
        _check_choice("headings", self.headings, HEADINGS)
        number = self.characters
        if isinstance(number, bool) or not isinstance(number, int) or number < FEWEST_CHARACTERS:
            raise GrambenchError(
                f"paragraphs.characters is {number!r}; give a whole number of at least "
                f"{FEWEST_CHARACTERS} (a paragraph's longest length in characters)."
            )

    def key(self) -> str:
        """Return one line that is equal for settings that give equal paragraphs."""
        made = f"paragraphs-{VERSION} method={self.method}"
        if self.method == "paper":
            return made
        return f"{made} characters={self.characters} headings={self.headings}"


def settings_from(values: Mapping[str, object]) -> ParagraphSettings:
    """Read ``paragraphs`` of params.yaml; what is left out has its default."""
    known = [field.name for field in fields(ParagraphSettings)]
    for name in values:
        if name not in known:
            raise GrambenchError(
                f"paragraphs.{name} is not a setting; there are {', '.join(known)}."
                f"{suggest(str(name), known)}"
            )
    return ParagraphSettings(**values)  # type: ignore[arg-type]  # checked when it is made


def _check_choice(name: str, value: object, known: tuple[str, ...]) -> None:
    if value not in known:
        raise GrambenchError(
            f"paragraphs.{name} is {value!r}; choose one of {', '.join(known)}."
            f"{suggest(str(value), known)}"
        )
