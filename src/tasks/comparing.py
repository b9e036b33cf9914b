"""Two runs over the same grammars: does one classify them better than the other?"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field
from functools import partial
from typing import Any

from src.errors import GrambenchError
from src.metrics.agreement import macro_f1_test, mcnemar
from src.metrics.classification import Labels, count, encode, f1_macro
from src.metrics.repeats import vote
from src.metrics.uncertainty import paired_permutation_p
from src.tasks.labelled import listed

Row = Mapping[str, Any]
Key = tuple[str, str]

EXACT_MATCH = "exact_match"


@dataclass
class _Answers:
    """A run's answers, by part and grammar: those of its repeats."""

    gold: dict[Key, str] = field(default_factory=dict)
    predicted: dict[Key, list[str | None]] = field(default_factory=dict)

    def grammars(self, part: str) -> list[str]:
        return [grammar for own, grammar in self.predicted if own == part]


def compare(
    rows_a: Sequence[Row],
    rows_b: Sequence[Row],
    *,
    labels: Labels = "gold_and_predicted",
    resamples: int = 10_000,
    seed: int = 0,
) -> dict[str, Any]:
    """Compare two runs by the rows of their tables ``grammars``, over the grammars of both.

    Where a run has repeats its vote is compared. Answers that do not count (``invalid=drop``)
    leave their grammar out of the comparison.

    Returns:
        ``grammars`` (how many are compared), ``only_a`` and ``only_b`` (those that are not), and in
        ``parts``, by part id, for each part: ``accuracy_a``, ``accuracy_b``, their ``difference``
        (a - b) and its ``p`` by permutation; ``both``, ``only_a``, ``only_b``, ``neither`` right
        and ``mcnemar_p``; ``f1_macro_a``, ``f1_macro_b``, ``f1_macro_difference``, ``f1_macro_p``.
        Of several parts there is also ``exact_match``, all of them right, without F1.

    Raises:
        GrambenchError: the runs have no grammar or part in common, or other gold labels.
    """
    a, b = _read(rows_a), _read(rows_b)
    parts = [part for part in _parts(a) if part in _parts(b)]
    if _parts(a) != _parts(b) or not parts:
        raise GrambenchError(
            f"The runs are of other features: one is of {_named(_parts(a))}, the other of"
            f" {_named(_parts(b))}."
        )
    others = [set.intersection(*(set(run.grammars(part)) for part in parts)) for run in (a, b)]
    common = [grammar for grammar in a.grammars(parts[0]) if grammar in others[0] & others[1]]
    if not common:
        raise GrambenchError("The two runs have no grammar in common, so there is no comparison.")
    judge = partial(_part, a, b, common, labels=labels, resamples=resamples, seed=seed)
    found = {part: judge(part) for part in parts}
    if len(parts) > 1:
        right = [
            [all(_is_right(run, (part, grammar)) for part in parts) for grammar in common]
            for run in (a, b)
        ]
        found[EXACT_MATCH] = _accuracy(right[0], right[1], seed, resamples)
    return {
        "grammars": len(common),
        "only_a": sorted(others[0] - others[1]),
        "only_b": sorted(others[1] - others[0]),
        "parts": found,
    }


def _read(rows: Sequence[Row]) -> _Answers:
    found = _Answers()
    for row in rows:
        if row["correct"] is None:
            continue
        key = (row["part"], row["grammar"])
        found.gold[key] = row["gold"]
        found.predicted.setdefault(key, []).append(row["predicted"] or None)
    return found


def _parts(run: _Answers) -> list[str]:
    return list(dict.fromkeys(part for part, _ in run.predicted))


def _named(parts: Sequence[str]) -> str:
    """Say what a run is of: the only part of a feature with values has no name."""
    if not parts:
        return "no answer that counts"
    named = ", ".join(part for part in parts if part)
    return f"the parts {named}" if named else "a feature with one value"


def _part(
    a: _Answers,
    b: _Answers,
    grammars: Sequence[str],
    part: str,
    *,
    labels: Labels,
    resamples: int,
    seed: int,
) -> dict[str, Any]:
    keys = [(part, grammar) for grammar in grammars]
    differing = [grammar for (p, grammar) in keys if a.gold[p, grammar] != b.gold[p, grammar]]
    if differing:
        raise GrambenchError(
            f"The runs have other gold labels for {listed(differing)}: compare runs over one pack."
        )
    gold = [a.gold[key] for key in keys]
    voted = [[vote(run.predicted[key]) for key in keys] for run in (a, b)]
    classes = sorted({*gold, *(label for run in voted for label in run if label is not None)})
    one, two = (encode(gold, run, classes) for run in voted)
    test = macro_f1_test(one, two, labels=labels, seed=seed, resamples=resamples)
    right = [[g == label for g, label in zip(gold, run, strict=True)] for run in voted]
    return {
        **_accuracy(right[0], right[1], seed, resamples),
        "f1_macro_a": float(f1_macro(count(one), labels)),
        "f1_macro_b": float(f1_macro(count(two), labels)),
        "f1_macro_difference": test.difference,
        "f1_macro_p": test.p,
    }


def _accuracy(
    a: Sequence[bool], b: Sequence[bool], seed: int, resamples: int
) -> dict[str, float | int]:
    pairs = mcnemar(a, b)
    differences = [float(x) - float(y) for x, y in zip(a, b, strict=True)]
    test = paired_permutation_p(differences, seed=seed, resamples=resamples)
    return {
        "accuracy_a": sum(a) / len(a),
        "accuracy_b": sum(b) / len(b),
        "difference": test.difference,
        "p": test.p,
        "both": pairs.both,
        "only_a": pairs.only_a,
        "only_b": pairs.only_b,
        "neither": pairs.neither,
        "mcnemar_p": pairs.p,
    }


def _is_right(run: _Answers, key: Key) -> bool:
    return run.gold[key] == vote(run.predicted[key])
