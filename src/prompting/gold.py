"""From what annotators wrote to the labels of a feature."""

from __future__ import annotations

from collections.abc import Iterable

from src.errors import GrambenchError, suggest
from src.prompting.feature_records import NO, YES, Feature, Value
from src.prompting.labels import normal

NOT_MENTIONED = "Not mentioned in the grammar"
"""The annotation, known to every feature, of a grammar that does not mention it."""


def gold_of(feature: Feature, annotation: str) -> dict[str, str]:
    """Return the label of each part, by part id; that of a feature of one part is under ``""``.

    Labels, aliases and annotations are known in any spelling (``normal``). Of a feature of several
    parts, an annotation lists, with commas, those that are 1; the others are 0.

    Raises:
        GrambenchError: the annotation is unknown, or says what the feature has no label for.
    """
    if normal(annotation) == normal(NOT_MENTIONED):
        return _not_mentioned(feature)
    value = _value(feature, annotation)
    if value is not None:
        return {part.id: value.label for part in feature.parts}
    if not feature.multiple:
        raise _unknown(feature, annotation, annotation)
    named = [_part(feature, piece, annotation) for piece in annotation.split(",")]
    return {part.id: YES if part.id in named else NO for part in feature.parts}


def is_mentioned(feature: Feature, annotation: str) -> bool:
    """Tell whether an annotation says that the grammar mentions the feature.

    Raises:
        GrambenchError: the annotation is unknown.
    """
    if normal(annotation) == normal(NOT_MENTIONED):
        return False
    gold_of(feature, annotation)
    value = _value(feature, annotation)
    # "0" may be what is right where nothing is said; a label of its own says that nothing is
    return value is None or value.offered or value.label != feature.not_mentioned


def _not_mentioned(feature: Feature) -> dict[str, str]:
    if not feature.not_mentioned and not feature.multiple:
        raise GrambenchError(
            f"'{NOT_MENTIONED}' is an annotation for {feature.id}, but feature.not_mentioned does"
            " not say which label that is. Name one of"
            f" {', '.join(feature.parts[0].labels)}."
        )
    label = NO if feature.multiple else feature.not_mentioned
    return {part.id: label for part in feature.parts}


def _value(feature: Feature, annotation: str) -> Value | None:
    """Return the value that the whole annotation stands for (in all parts), or None."""
    wanted = normal(annotation)
    for value in feature.parts[0].values:
        own = () if feature.multiple else (value.label, *value.aliases)
        if wanted in _normals(*own, *value.annotations):
            return value
    return None


def _part(feature: Feature, piece: str, annotation: str) -> str:
    for part in feature.parts:
        if normal(piece) in _normals(part.label, *part.aliases, *part.annotations):
            return part.id
    raise _unknown(feature, piece.strip(), annotation)


def _normals(*texts: str) -> set[str]:
    return {normal(text) for text in texts}


def _unknown(feature: Feature, piece: str, annotation: str) -> GrambenchError:
    known = [NOT_MENTIONED, *_known(feature)]
    whole = "" if piece == annotation else f" (in '{annotation}')"
    return GrambenchError(
        f"'{piece}'{whole} is no label, alias or annotation of {feature.id}."
        f"{suggest(piece, known)} Known are: {', '.join(dict.fromkeys(known))}. Others are added to"
        " the feature's annotations (conf/feature/)."
    )


def _known(feature: Feature) -> Iterable[str]:
    for value in feature.parts[0].values:
        yield from value.annotations if feature.multiple else (value.label, *value.annotations)
    if feature.multiple:
        for part in feature.parts:
            yield from (part.label, *part.annotations)
