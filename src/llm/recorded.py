"""``llm=recorded``: replies that the pack holds, as somebody's LLM gave them."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from functools import cached_property

from src.corpus.pack import Pack, load_pack
from src.errors import GrambenchError
from src.records import Failure, Question, RecordedReply, Reply


class RecordedModel:
    """Answers with the replies that are recorded for a feature and a setting, by grammar.

    Repeat 0 is the first of the setting's repeats, whatever number it was recorded under.
    """

    def __init__(
        self,
        *,
        name: str,
        pack: str,
        feature: str,
        setting: str | None,
        reads_prompts: bool = False,
        inputs: Sequence[str] | None = None,
    ) -> None:
        self.name = name
        self.reads_prompts = reads_prompts
        self._path, self._feature, self._setting = pack, feature, setting

    def ask(self, questions: Sequence[Question]) -> list[Reply | Failure]:
        """Return the recorded reply to each question, or that there is none.

        Raises:
            GrambenchError: no setting is given, or the pack has no replies for it.
        """
        return [self._reply(question) for question in questions]

    def repeats(self) -> int:
        """Return how often the setting was repeated."""
        return len(self._replies)

    def usage(self) -> dict[str, float]:
        """Return nothing: nobody is asked."""
        return {}

    def _reply(self, question: Question) -> Reply | Failure:
        if question.repeat >= len(self._replies):
            return self._missing(question, f"only {len(self._replies)} repeats are recorded")
        found = self._replies[question.repeat].get(question.id)
        if found is None:
            return self._missing(question, "none is recorded for this grammar")
        return Reply(text=found.text, label=found.label)

    def _missing(self, question: Question, why: str) -> Failure:
        what = f"{self._feature}, setting '{self._setting}', repeat {question.repeat}"
        return Failure("rejected", f"No reply on '{question.id}' ({what}): {why}.")

    @cached_property
    def _replies(self) -> list[Mapping[str, RecordedReply]]:
        pack = load_pack(self._path)
        if not self._setting:
            raise GrambenchError(
                f"llm={self.name} needs a setting: set setting= to one whose replies the pack"
                f" '{pack.name}' holds for {self._feature}.{_there(pack, self._feature)}"
            )
        found = pack.replies(self._feature, self._setting)
        return [found[repeat] for repeat in sorted(found)]


def _there(pack: Pack, feature: str) -> str:
    settings = pack.reply_settings(feature)
    return f" There are: {', '.join(settings)}." if settings else " There are none."
