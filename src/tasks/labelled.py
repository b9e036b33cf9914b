"""Which grammars of a pack are classified, and the gold labels of each."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from typing import Literal, get_args

from src.corpus.pack import Pack
from src.errors import GrambenchError
from src.metrics.classification import check_choice
from src.prompting.features import Feature, gold_of, is_mentioned

Rows = Literal["all", "described"]


@dataclass(frozen=True)
class Labelled:
    """Gold labels by grammar, in the pack's order, and by part; and why others were left out."""

    gold: dict[str, dict[str, str]]
    notes: list[str]
    left_out: dict[str, str]


def labelled(pack: Pack, feature: Feature, rows: Rows) -> Labelled:
    """Read the gold labels of a pack's grammars.

    ``rows=described`` keeps those whose text states the value: the annotation does not say that it
    is not mentioned, and there are gold pages.

    Raises:
        GrambenchError: the pack has no values for the feature, or unknown ones, or no grammar is
            left.
    """
    check_choice("task.rows", rows, get_args(Rows))
    values = pack.values(feature.id)
    gold = _gold_labels(pack, feature, values)
    left_out = {g.id: "no value" for g in pack.grammars if g.id not in values}
    notes = [f"left out, since the pack has no value of them: {listed(list(left_out))}"]
    notes = notes if left_out else []
    if rows == "described":
        pages = pack.gold_pages(feature.id)
        silent = [
            grammar
            for grammar, annotation in values.items()
            if not (is_mentioned(feature, annotation) and pages.get(grammar))
        ]
        if silent:
            notes.append(
                "left out by rows=described, since their value is not stated or has no gold pages:"
                f" {listed(silent)}"
            )
        left_out |= dict.fromkeys(silent, "value not stated, or no gold pages")
        gold = {grammar: labels for grammar, labels in gold.items() if grammar not in left_out}
    if not gold:
        raise GrambenchError(
            f"No grammar of '{pack.name}' is left to classify for {feature.id}: {'; '.join(notes)}."
            " task.rows=all takes every grammar with a value."
        )
    return Labelled(gold, notes, left_out)


def _gold_labels(
    pack: Pack, feature: Feature, values: Mapping[str, str]
) -> dict[str, dict[str, str]]:
    known: dict[str, dict[str, str]] = {}  # many grammars have the same annotation
    for grammar, annotation in values.items():
        if annotation in known:
            continue
        try:
            known[annotation] = gold_of(feature, annotation)
        except GrambenchError as error:
            raise GrambenchError(f"Pack '{pack.name}', value of {grammar}: {error}") from error
    return {grammar: known[annotation] for grammar, annotation in values.items()}


def listed(names: Sequence[str], most: int = 5) -> str:
    """Count grammars and name them, the first of many."""
    more = f" and {len(names) - most} more" if len(names) > most else ""
    return f"{len(names)} ({', '.join(names[:most])}{more})"
