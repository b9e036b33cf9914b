"""``llm=majority``, ``stratified`` and ``uniform``: baselines that read nothing."""

from __future__ import annotations

import hashlib
from bisect import bisect_right
from collections import Counter
from collections.abc import Mapping, Sequence
from itertools import accumulate

from src.errors import GrambenchError, suggest
from src.records import Failure, Question, Reply

STRATEGIES = ("majority", "stratified", "uniform")


class Guesser:
    """Guesses labels by their shares.

    It is fitted on the gold labels of the very rows that are evaluated, which no classifier could
    know: a bar to be cleared, not a competitor. ``majority`` always says the most frequent label
    (of several the one that is listed first), ``stratified`` draws by the gold labels' shares,
    ``uniform`` draws each of the listed labels alike and needs no gold.

    A guess is determined by seed, repeat, grammar and part alone, in whatever order they are asked.
    """

    def __init__(
        self,
        *,
        name: str,
        strategy: str,
        seed: int,
        reads_prompts: bool = False,
        inputs: Sequence[str] | None = None,
    ) -> None:
        if strategy not in STRATEGIES:
            raise GrambenchError(
                f"There is no strategy '{strategy}' to guess with.{suggest(strategy, STRATEGIES)}"
                f" There are: {', '.join(STRATEGIES)} (llm.strategy)."
            )
        self.name, self.strategy, self.seed = name, strategy, seed
        self.reads_prompts = reads_prompts
        self._weights: dict[str, dict[str, int]] = {}
        self._labels: dict[str, str] = {}

    def fit(
        self,
        gold: Mapping[str, Mapping[str, str]],
        classes: Mapping[str, Sequence[str]],
        labels: Mapping[str, str] | None = None,
    ) -> None:
        """Learn the shares: ``gold`` has each grammar's label of each part.

        ``classes`` has each part's labels, in the order of the feature; ``labels`` what the parts
        are called in a reply (their ids, where it does not say).

        Raises:
            GrambenchError: there is no gold label of a part to learn from.
        """
        for part, listed in classes.items():
            often = Counter(labelled[part] for labelled in gold.values() if part in labelled)
            if not often and self.strategy != "uniform":
                raise GrambenchError(f"llm={self.name} has no gold labels to guess by.")
            self._weights[part] = self._weigh(often, listed)
        self._labels = {part: (labels or {}).get(part, part) for part in classes}

    def ask(self, questions: Sequence[Question]) -> list[Reply | Failure]:
        """Return a guess for each question, as a reply that concludes with it."""
        return [Reply(text=self._guess(question)) for question in questions]

    def usage(self) -> dict[str, float]:
        """Return nothing: a guess asks nobody."""
        return {}

    def _weigh(self, often: Mapping[str, int], listed: Sequence[str]) -> dict[str, int]:
        if self.strategy == "uniform":
            return dict.fromkeys(listed, 1)
        # What is gold but not offered (such as "not mentioned") comes after what is.
        order = [*listed, *sorted(set(often) - set(listed))]
        weights = {label: often[label] for label in order if label in often}
        if self.strategy == "stratified":
            return weights
        return {max(weights, key=lambda label: weights[label]): 1}

    def _guess(self, question: Question) -> str:
        guessed = [(self._labels[part], self._draw(question, part)) for part in self._weights]
        if set(self._weights) == {""}:
            return f"Conclusion: {guessed[0][1]}"
        return "Conclusion: " + ", ".join(f"{label}: {value}" for label, value in guessed)

    def _draw(self, question: Question, part: str) -> str:
        labels, bounds = list(self._weights[part]), list(accumulate(self._weights[part].values()))
        of = f"{self.seed}\0{question.repeat}\0{question.id}\0{part}".encode()
        # A hash is the same with every version of Python, which its own generator need not be.
        share = int.from_bytes(hashlib.sha256(of).digest()[:8], "big")
        return labels[bisect_right(bounds, (share * bounds[-1]) >> 64)]
