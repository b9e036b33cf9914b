"""How well the answers to a feature, or to a part of one, agree with the gold labels."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from functools import cached_property
from typing import get_args

import numpy as np

from src.errors import GrambenchError
from src.metrics.class_bootstrap import percentile_interval, resampled_f1s
from src.metrics.classification import (
    F1S,
    MEASURES,
    NONE,
    Coded,
    Figures,
    Invalid,
    Labels,
    check_choice,
    count,
    encode,
    scores,
)
from src.metrics.guesses import majority_scores, uniform_scores
from src.metrics.repeats import mean_and_sd, vote
from src.metrics.uncertainty import bootstrap_interval
from src.prompting.features import Part

BASELINE_MEASURES = (*F1S, "accuracy")

Metrics = dict[str, float]


@dataclass(frozen=True)
class Scoring:
    """How answers are judged; see `encode` and `f1_macro` for ``invalid`` and ``labels``.

    Raises:
        GrambenchError: something is none that there is; better told before anybody is asked.
    """

    labels: Labels
    invalid: Invalid
    confidence: float
    resamples: int
    seed: int

    def __post_init__(self) -> None:
        check_choice("task.labels", self.labels, get_args(Labels))
        check_choice("task.invalid", self.invalid, get_args(Invalid))
        if not 0 < self.confidence < 1:
            raise GrambenchError(f"task.confidence is {self.confidence}: give one within 0 and 1.")
        if self.resamples < 1:
            raise GrambenchError(f"task.resamples is {self.resamples}: give 1 or more.")


@dataclass(frozen=True)
class Judged:
    """The gold labels of a part, a grammar each, and what each repeat answered; None is nothing."""

    part: Part
    gold: Sequence[str]
    answers: Sequence[Sequence[str | None]]
    scoring: Scoring

    @property
    def offered(self) -> list[str]:
        """The labels that are asked for."""
        return [value.label for value in self.part.values if value.offered]

    def code(self, answers: Sequence[str | None]) -> Coded:
        """Return answers beside the gold labels, with what becomes of those that are none."""
        return encode(
            self.gold,
            answers,
            self.part.labels,
            invalid=self.scoring.invalid,
            first_class=next(iter(self.offered), None),
        )

    @cached_property
    def coded(self) -> list[Coded]:
        """The answers of each repeat, coded."""
        return [self.code(answers) for answers in self.answers]

    def voted(self) -> list[str | None]:
        """Return each grammar's answer by the vote of the repeats."""
        return [vote(answers) for answers in zip(*self.answers, strict=True)]

    def right(self) -> list[list[bool | None]]:
        """Tell of each repeat's answers whether they are right; None where they do not count."""
        return [
            [None if g == NONE else bool(g == p) for g, p in zip(c.gold, c.predicted, strict=True)]
            for c in self.coded
        ]

    def counted(self) -> list[list[str | None]]:
        """Return the label that each repeat's answers count as."""
        labels = self.part.labels
        return [
            [None if place == NONE else labels[place] for place in coded.predicted]
            for coded in self.coded
        ]

    def of_repeats(self) -> list[Metrics]:
        """Return the measures of each repeat."""
        return [self._scores(coded) for coded in self.coded]

    @cached_property
    def baselines(self) -> Metrics:
        """What the majority and the mean of random guesses come to on these grammars."""
        labels = self.part.labels
        found = {
            "majority": majority_scores(self.gold, labels, self.scoring.labels),
            "uniform": uniform_scores(
                self.gold, labels, self.offered, self.scoring.labels, seed=self.scoring.seed
            ),
        }
        return {f"{name}/{m}": found[name][m] for name in found for m in BASELINE_MEASURES}

    def votes(self) -> Metrics:
        """Return the measures of the vote, where there are several repeats."""
        if len(self.answers) < 2:
            return {}
        found = self._scores(self.code(self.voted()))
        return {f"vote/{name}": value for name, value in found.items()}

    def among(self, places: Sequence[int]) -> Judged:
        """Return the same for some of the grammars only."""
        answers = [[own[place] for place in places] for own in self.answers]
        return Judged(self.part, [self.gold[place] for place in places], answers, self.scoring)

    def _scores(self, coded: Coded) -> Metrics:
        found = scores(count(coded), self.scoring.labels)
        return {name: float(found[name]) for name in MEASURES}


def feature_metrics(parts: Sequence[Judged]) -> Metrics:
    """Return the measures of a feature, with intervals of F1s, votes and baselines.

    With several repeats they are means, with the sample SD over repeats beside them (``_sd``). Of
    several parts each has its own, ``tone/f1_micro``; those without a prefix are means over the
    parts, whose intervals and SDs are of the mean. ``exact_match`` is the share of grammars in
    which all parts are right.
    """
    scoring = parts[0].scoring
    drawn = resampled_f1s(
        [part.coded for part in parts],
        scoring.labels,
        resamples=scoring.resamples,
        seed=scoring.seed,
    )
    if len(parts) == 1:
        return _part_metrics(parts[0], drawn[0])
    own = {
        f"{judged.part.id}/{name}": value
        for judged, figures in zip(parts, drawn, strict=True)
        for name, value in _part_metrics(judged, figures).items()
    }
    repeats = zip(*(part.of_repeats() for part in parts), strict=True)
    means = {name: np.mean([figures[name] for figures in drawn], axis=0) for name in F1S}
    return {
        **_over_repeats([_mean(of_parts) for of_parts in repeats]),
        **_intervals(means, parts[0]),
        **_exact_match(parts),
        **_mean([part.votes() for part in parts]),
        **_mean([part.baselines for part in parts]),
        **own,
    }


def _part_metrics(judged: Judged, drawn: Mapping[str, Figures]) -> Metrics:
    return {
        **_over_repeats(judged.of_repeats()),
        **_intervals(drawn, judged),
        **judged.votes(),
        **judged.baselines,
    }


def _over_repeats(repeats: Sequence[Mapping[str, float]]) -> Metrics:
    found: Metrics = {}
    for name in repeats[0]:
        found[name], sd = mean_and_sd([metrics[name] for metrics in repeats])
        if len(repeats) > 1:
            found[f"{name}_sd"] = sd
    return found


def _intervals(drawn: Mapping[str, Figures], judged: Judged) -> Metrics:
    n = max(int(np.count_nonzero(coded.gold != NONE)) for coded in judged.coded)
    found: Metrics = {}
    for name, values in drawn.items():
        interval = percentile_interval(values, n=n, confidence=judged.scoring.confidence)
        found |= {f"{name}_low": interval.low, f"{name}_high": interval.high}
    return found


def exact_matches(parts: Sequence[Judged]) -> list[list[bool | None]]:
    """Tell of each repeat's grammars whether all parts are right; None where they do not count."""
    by_part = [part.right() for part in parts]
    return [
        [None if None in own else all(own) for own in zip(*of_parts, strict=True)]
        for of_parts in zip(*by_part, strict=True)
    ]


def _exact_match(parts: Sequence[Judged]) -> Metrics:
    scoring, matches = parts[0].scoring, exact_matches(parts)
    shares = [{"exact_match": _share(repeat)} for repeat in matches]
    of_grammars = [_share(grammar) for grammar in zip(*matches, strict=True)]
    interval = bootstrap_interval(
        [share for share in of_grammars if np.isfinite(share)],
        confidence=scoring.confidence,
        resamples=scoring.resamples,
        seed=scoring.seed,
    )
    found = _over_repeats(shares)
    found |= {"exact_match_low": interval.low, "exact_match_high": interval.high}
    if len(matches) > 1:
        voted = [Judged(part.part, part.gold, [part.voted()], scoring) for part in parts]
        found["vote/exact_match"] = _share(exact_matches(voted)[0])
    return found


def _share(right: Sequence[bool | None]) -> float:
    """Return the share of True among what counts; NaN where nothing does."""
    counting = [value for value in right if value is not None]
    return sum(counting) / len(counting) if counting else float("nan")


def _mean(metrics: Sequence[Mapping[str, float]]) -> Metrics:
    return {name: float(np.mean([own[name] for own in metrics])) for name in metrics[0]}
