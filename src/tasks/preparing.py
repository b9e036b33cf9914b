"""From the choices of a classification to all the questions that are asked."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass

from src.corpus.pack import Pack
from src.errors import GrambenchError
from src.prompting.features import Feature
from src.tasks.asking import Asked, Asker
from src.tasks.components import Llm, Prompt, reads_prompts
from src.tasks.evidence import texts_of
from src.tasks.judging import Scoring
from src.tasks.labelled import Labelled, Rows, labelled
from src.tasks.passages import Finder, Passages, passages_beside, passages_to_read
from src.tasks.prompt_notes import prompt_notes


@dataclass(frozen=True)
class Settings:
    """Which grammars are asked about, how often, and how the answers are judged.

    ``repeat`` is the number of the first repeat.
    """

    rows: Rows
    scoring: Scoring
    repeats: int = 1
    repeat: int = 0
    limit: int | None = None

    @property
    def times(self) -> range:
        """The numbers of the repeats."""
        return range(self.repeat, self.repeat + self.repeats)


@dataclass(frozen=True)
class Prepared:
    """All that is asked, before anything is."""

    chosen: Labelled
    passages: Passages
    questions: Sequence[Asked]
    asker: Asker | None
    of_prompts: Sequence[str] = ()

    @property
    def notes(self) -> list[str]:
        """What there is to say of the choice, the paragraphs and the prompts."""
        return [*self.chosen.notes, *self.passages.notes, *self.of_prompts]

    @property
    def left_out(self) -> dict[str, str]:
        """The grammars of the pack that are not asked about, with the reason."""
        return {**self.chosen.left_out, **self.passages.left_out}

    @property
    def gold(self) -> dict[str, dict[str, str]]:
        """The gold labels of the grammars that are asked about."""
        return {asked.grammar.id: self.chosen.gold[asked.grammar.id] for asked in self.questions}


@dataclass(frozen=True)
class Setup:
    """The choices that a question is made of; without a finder there are no paragraphs."""

    pack: Pack
    feature: Feature
    llm: Llm
    settings: Settings
    prompt: Prompt | None = None
    finder: Finder | None = None

    def prepare(self) -> Prepared:
        """Choose grammars, find their paragraphs and write the prompts.

        Raises:
            GrambenchError: no grammar is left, or a component cannot do its part.
        """
        chosen = labelled(self.pack, self.feature, self.settings.rows)
        names = list(chosen.gold)
        limit, grammars = self.settings.limit, {g.id: g for g in self.pack.grammars}
        if not reads_prompts(self.llm):
            # a guess quotes nothing, so there is nothing to look up
            finder = None if hasattr(self.llm, "fit") else self.finder
            found = passages_beside(self.pack, self.feature.id, names, finder, limit)
            rest = texts_of(self.feature, self.pack)
            asked = [
                Asked(grammars[g], texts, len(texts), rest=rest) for g, texts in found.found.items()
            ]
            return Prepared(chosen, found, asked, None)
        if self.prompt is None:
            raise GrambenchError(f"The LLM '{self.llm.name}' reads prompts: give it a prompt.")
        found = passages_to_read(self.pack, self.feature.id, names, self.finder, limit)
        asker = Asker(self.feature, self.prompt, self.llm, self._summary(self.prompt))
        asked = [asker.asked(grammars[g], texts, len(texts)) for g, texts in found.found.items()]
        said = prompt_notes(self.prompt, asked)
        return Prepared(chosen, found, asked, asker, said)

    def _summary(self, prompt: Prompt) -> str:
        if prompt.summary == "pack":
            return self.pack.query(self.feature.id, "summary")
        return self.feature.definition if prompt.summary == "feature" else ""
