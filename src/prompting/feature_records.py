"""What a typological feature is: its parts, values and texts."""

from __future__ import annotations

from dataclasses import dataclass

from src.errors import GrambenchError

LANGUAGE = "{language}"
"""Where the language's name stands in a feature's question."""

YES, NO = "1", "0"
"""The labels of a part of several."""


@dataclass(frozen=True, slots=True)
class Value:
    """A value of a feature: its label, other spellings of it, and what annotators wrote for it.

    ``offered`` values are among a prompt's options; ``meaning`` explains one there.
    """

    label: str
    aliases: tuple[str, ...] = ()
    annotations: tuple[str, ...] = ()
    meaning: str = ""
    offered: bool = True


@dataclass(frozen=True, slots=True)
class Part:
    """What has one value: the whole feature (``id`` and ``label`` are ``""``) or one of several.

    ``annotations`` are what annotators wrote where it is 1.
    """

    id: str
    label: str
    values: tuple[Value, ...]
    meaning: str = ""
    aliases: tuple[str, ...] = ()
    annotations: tuple[str, ...] = ()

    @property
    def labels(self) -> tuple[str, ...]:
        """The labels of its values."""
        return tuple(value.label for value in self.values)


@dataclass(frozen=True, slots=True)
class Feature:
    """A typological feature of one part or, where ``multiple``, of several that are each 1 or 0.

    ``question`` has the language's name in the place of ``{language}``. ``not_mentioned`` is the
    label where a grammar does not mention the feature, ``""`` where none is right.
    """

    id: str
    title: str
    parts: tuple[Part, ...]
    multiple: bool = False
    definition: str = ""
    question: str = ""
    counts: str = ""
    guidelines: str = ""
    not_mentioned: str = ""

    @property
    def options(self) -> tuple[Value, ...] | tuple[Part, ...]:
        """What is chosen from: the offered values, or the parts; each has a label and a meaning."""
        if self.multiple:
            return self.parts
        return tuple(value for value in self.parts[0].values if value.offered)

    def asked_of(self, language: str) -> str:
        """Return the question with the language's name in it.

        Raises:
            GrambenchError: the feature has no question.
        """
        if not self.question:
            raise GrambenchError(
                f"feature.question is empty (feature.id is '{self.id}'): it must say what to"
                f" ask, with {LANGUAGE} in the place of the language's name."
            )
        return self.question.replace(LANGUAGE, language)
