"""What a feature's config must keep to."""

from __future__ import annotations

import re
from collections.abc import Iterable

from src.errors import GrambenchError, suggest
from src.prompting.feature_records import LANGUAGE, NO, YES, Feature, Part, Value
from src.prompting.labels import normal

_ID = re.compile(r"[A-Za-z0-9_-]+")


def check_texts(feature: Feature) -> None:
    """Refuse a feature without a name, and a question that asks of no language."""
    for key, text in (("id", feature.id), ("title", feature.title)):
        if not text:
            raise GrambenchError(f"feature.{key} is missing: every feature has one.")
    if feature.question and LANGUAGE not in feature.question:
        raise GrambenchError(
            f"feature.question must hold {LANGUAGE}, where the language's name is put; it is"
            f" '{feature.question}'."
        )


def check_parts(feature: Feature) -> None:
    """Refuse parts and values that cannot be told apart, or that nothing can be chosen from."""
    if feature.multiple:
        _check_several(feature.parts)
    else:
        _check_one(feature.parts[0].values)
    known = [NO] if feature.multiple else list(feature.parts[0].labels)
    if feature.not_mentioned and feature.not_mentioned not in known:
        raise GrambenchError(
            f"feature.not_mentioned is '{feature.not_mentioned}', which is none of the labels"
            f" ({', '.join(known)}).{suggest(feature.not_mentioned, known)}"
        )


def _check_one(values: tuple[Value, ...]) -> None:
    if sum(value.offered for value in values) < 2:
        raise GrambenchError(
            "feature.values must have two values or more that are offered, or feature.parts the"
            " binary features that are asked together: otherwise there is nothing to choose."
        )
    _check_spellings("values", [(v.label, [v.label, *v.aliases, *v.annotations]) for v in values])


def _check_several(parts: tuple[Part, ...]) -> None:
    if {*parts[0].labels} != {YES, NO}:
        raise GrambenchError(
            "feature.values and feature.parts exclude each other: a feature has values of which"
            " one is right, or parts that are each 1 or 0. Beside parts, values may only say what"
            f" annotators write for 1 and 0 in all parts; they are {', '.join(parts[0].labels)}."
        )
    seen: set[str] = set()
    for at, part in enumerate(parts):
        if not part.id or part.id in seen:
            raise GrambenchError(
                f"feature.parts[{at}].id is '{part.id}': each part has an id of its own."
            )
        if not _ID.fullmatch(part.id):
            raise GrambenchError(
                f"feature.parts[{at}].id is '{part.id}': write it with letters without accents,"
                " digits, - and _ (metrics are named after it), such as word_order."
            )
        seen.add(part.id)
        for text in (part.label, *part.aliases, *part.annotations):
            if "," in text:
                raise GrambenchError(
                    f"feature.parts[{at}]: '{text}' holds a comma, which separates parts in"
                    " annotations and answers. Write it without."
                )
    _check_spellings("values", [(v.label, v.annotations) for v in parts[0].values], labels=False)
    _check_spellings("parts", [(p.label, [p.label, *p.aliases, *p.annotations]) for p in parts])


def _check_spellings(
    key: str, spellings: list[tuple[str, Iterable[str]]], labels: bool = True
) -> None:
    """Refuse empty spellings, and those that stand for two of ``spellings``."""
    owners: dict[str, int] = {}
    for at, (label, texts) in enumerate(spellings):
        if labels and label and normal(label) in owners:
            raise GrambenchError(
                f"feature.{key}[{at}].label is '{label}', which {key}[{owners[normal(label)]}]"
                " has already."
            )
        for text in texts:
            if not text:
                raise GrambenchError(f"feature.{key}[{at}] has an empty label or alias.")
            owner = owners.setdefault(normal(text), at)
            if owner != at:
                raise GrambenchError(
                    f"feature.{key}[{at}]: '{text}' stands for '{spellings[owner][0]}' too"
                    f" (feature.{key}[{owner}]). A spelling must mean one thing."
                )
