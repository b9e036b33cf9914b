"""Typological features: what is looked for, asked, and answered."""

from __future__ import annotations

from dataclasses import dataclass, field

from omegaconf import MISSING


@dataclass
class FeatureValue:
    """A value of a feature: its label, how people write it, what annotators wrote for it.

    ``offered`` values stand in the prompt's list of options; ``meaning`` explains one there.
    """

    label: str = MISSING
    aliases: list[str] = field(default_factory=list)
    annotations: list[str] = field(default_factory=list)
    meaning: str = ""
    offered: bool = True


@dataclass
class FeaturePart:
    """One of several binary features that are asked together; ``annotations`` mean that it is 1."""

    id: str = MISSING
    label: str = MISSING
    aliases: list[str] = field(default_factory=list)
    annotations: list[str] = field(default_factory=list)
    meaning: str = ""


@dataclass
class Feature:
    """A typological feature; ``term`` is its short query, ``definition`` a long one.

    What an LLM is asked: ``question``, ``counts`` (what counts and what does not) and, in longer
    prompts, ``guidelines``. A feature has ``values``, one of which is right, or ``parts``, each of
    which is 1 or 0; its ``values`` may then be 1 and 0, with annotations that speak of all parts.
    ``not_mentioned`` is the label where a grammar does not mention the feature (of parts: 0 in
    all).
    """

    id: str = MISSING
    title: str = MISSING
    term: str = MISSING
    definition: str = ""
    question: str = ""
    counts: str = ""
    guidelines: str = ""
    values: list[FeatureValue] = field(default_factory=list)
    parts: list[FeaturePart] = field(default_factory=list)
    not_mentioned: str = ""
