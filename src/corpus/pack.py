"""A pack: grammars, their paragraphs, and what was noted or computed of them, from a folder."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Mapping
from contextlib import suppress
from dataclasses import dataclass, field
from functools import cached_property, lru_cache
from pathlib import Path
from typing import Any, TypeVar

from src.corpus import (
    reading,
    reading_books,
    reading_paragraphs,
    reading_replies,
    reading_values,
)
from src.corpus.digest import pack_digest, pack_files
from src.corpus.names import no_such_pack
from src.corpus.problems import Problems
from src.errors import GrambenchError, suggest
from src.records import Document, Grammar, Message, Paragraph, RecordedReply

_KEPT = 8
_TRIES = 5
_ADVICE = "Put this right, or import the pack again."

Signature = tuple[tuple[str, int, int], ...]

Value = TypeVar("Value")


@dataclass(frozen=True)
class Pack:
    """The contents of a pack, checked; what is asked for and not there is a GrambenchError.

    Replies and prompts, which few ask for, are read and checked when they are first asked for;
    ``signature`` tells whether they are still those that the pack was loaded with.
    """

    name: str
    path: Path
    digest: str
    source: dict[str, Any]
    grammars: tuple[Grammar, ...]
    paragraphs: dict[str, Paragraph]
    grades: reading.Grades
    queries: reading.Queries
    recorded: reading.ScoreTable
    documents: dict[str, Document]
    gold: reading_books.GoldTable
    candidates: reading_books.Candidates
    annotations: reading_values.ValueTable
    signature: Signature = field(compare=False, repr=False)

    def features(self) -> list[str]:
        """Return the features that paragraphs are graded for."""
        return list(self.grades)

    def graded(self, feature: str) -> dict[str, list[tuple[Paragraph, int]]]:
        """Return each grammar's graded paragraphs, in candidate order."""
        grades = self._pick(self.grades, feature, "grades for the feature")
        found: dict[str, list[tuple[Paragraph, int]]] = {g.id: [] for g in self.grammars}
        for key, grade in grades.items():
            paragraph = self.paragraphs[key]
            found[paragraph.grammar].append((paragraph, grade))
        return {grammar: rows for grammar, rows in found.items() if rows}

    def is_whole(self, grammar: str) -> bool:
        """Tell whether the pack has a grammar's full text, not only paragraphs picked from it."""
        return grammar in self.documents

    def gold_pages(self, feature: str) -> dict[str, tuple[int, ...]]:
        """Return the pages that describe a feature, by grammar; none where nothing was found."""
        gold = self._pick(self.gold, feature, "gold pages for the feature")
        return self._in_order(gold)

    def values(self, feature: str) -> dict[str, str]:
        """Return the gold values of a feature, by grammar, as the annotators put them."""
        return self._in_order(self._pick(self.annotations, feature, "values for the feature"))

    def reply_settings(self, feature: str) -> list[str]:
        """Return the settings that replies are recorded for; none where there are no replies."""
        return list(self.recorded_replies.get(feature, {}))

    def replies(self, feature: str, setting: str) -> dict[int, dict[str, RecordedReply]]:
        """Return recorded replies by repeat, from the first on, and grammar."""
        settings = self._pick(self.recorded_replies, feature, "recorded replies for the feature")
        repeats = self._pick(settings, setting, f"recorded replies for {feature} in the setting")
        return {repeat: self._in_order(repeats[repeat]) for repeat in sorted(repeats)}

    def prompts(self, feature: str) -> dict[str, tuple[Message, ...]]:
        """Return the recorded prompts of a feature, by grammar."""
        prompts = self._pick(self.recorded_prompts, feature, "recorded prompts for the feature")
        return self._in_order(prompts)

    def pool(self, feature: str) -> dict[str, tuple[Paragraph, ...]]:
        """Return what is retrieved from, by grammar.

        Of a whole grammar that is all of its paragraphs, in the book's order, else those that
        are recorded as candidates for the feature, or else those that are graded for it; a
        grammar with none of these is not there. Each call returns the same tuples.
        """
        recorded, graded = self.candidates.get(feature, {}), self._graded.get(feature, {})
        pools = {
            g.id: self._books.get(g.id) or recorded.get(g.id) or graded.get(g.id)
            for g in self.grammars
        }
        return {grammar: pool for grammar, pool in pools.items() if pool}

    def query(self, feature: str, name: str) -> str:
        """Return the text of a feature's query, such as its ``summary``."""
        texts = self._pick(self.queries, feature, "queries for the feature")
        return self._pick(texts, name, f"text for {feature} that is called")

    def score_sets(self) -> list[reading.ScoreSet]:
        """Return what scores are recorded for: (model, instruct, query, feature)."""
        return list(self.recorded)

    def scores(self, model: str, instruct: str, query: str, feature: str) -> dict[str, float]:
        """Return the recorded scores by paragraph id."""
        wanted = (model, instruct, query, feature)
        if wanted in self.recorded:
            return self.recorded[wanted]
        sets = self.score_sets()
        self._pick(dict.fromkeys(model for model, *_ in sets), model, "recorded scores of")
        here = ", ".join(" / ".join(rest) for m, *rest in sets if m == model)
        raise GrambenchError(
            f"The pack '{self.name}' has scores of {model}, but not with instruct '{instruct}', "
            f"query '{query}' and feature '{feature}'. It has: {here}."
        )

    @cached_property
    def recorded_replies(self) -> reading_replies.ReplyTable:
        """All recorded replies: feature -> setting -> repeat -> grammar -> reply."""
        return self._read_late("replies", reading_replies.read_replies)

    @cached_property
    def recorded_prompts(self) -> reading_replies.PromptTable:
        """All recorded prompts: feature -> grammar -> messages."""
        return self._read_late("prompts", reading_replies.read_prompts)

    @cached_property
    def _graded(self) -> dict[str, dict[str, tuple[Paragraph, ...]]]:
        return {
            feature: {
                grammar: tuple(paragraph for paragraph, _ in rows)
                for grammar, rows in self.graded(feature).items()
            }
            for feature in self.grades
        }

    @cached_property
    def _books(self) -> dict[str, tuple[Paragraph, ...]]:
        found: dict[str, list[Paragraph]] = {grammar: [] for grammar in self.documents}
        for paragraph in self.paragraphs.values():
            if paragraph.grammar in found:
                found[paragraph.grammar].append(paragraph)
        return {grammar: tuple(paragraphs) for grammar, paragraphs in found.items()}

    def _read_late(
        self, table: str, read: Callable[[Path, dict[str, Grammar], Problems], Value]
    ) -> Value:
        problems = Problems()
        found = read(self.path, {g.id: g for g in self.grammars}, problems)
        if _of_table(_signature(self.path), table) != _of_table(self.signature, table):
            raise GrambenchError(
                f"The {table} of the pack '{self.name}' in {self.path.parent} were changed after "
                "the pack had been read. Start again."
            )
        problems.raise_any(_unusable(self.path), _ADVICE)
        return found

    def _in_order(self, of: Mapping[str, Value]) -> dict[str, Value]:
        return {g.id: of[g.id] for g in self.grammars if g.id in of}

    def _pick(self, table: Mapping[str, Value], key: str, what: str) -> Value:
        if key in table:
            return table[key]
        there = f"It has: {_listed(table)}." if table else "It has none at all."
        raise GrambenchError(
            f"The pack '{self.name}' has no {what} '{key}'.{suggest(key, table)} {there}"
        )


def load_pack(path: Path | str) -> Pack:
    """Read a pack and check all of it; raise GrambenchError that lists what is wrong.

    A pack that has not changed on disk is read once per process; one that changes while it is
    read is read again, so that what is returned has been on disk in one piece.
    """
    folder = Path(path).absolute()
    if not folder.is_dir():
        raise no_such_pack(folder)
    for _ in range(_TRIES):
        with suppress(_Changed):
            return _load(folder, _signature(folder))
    raise GrambenchError(
        f"The pack '{folder.name}' in {folder.parent} was changed each of the {_TRIES} times that "
        "it was read. Wait until whatever writes it has finished, and try again."
    )


class _Changed(Exception):
    """A pack was changed while it was read."""


def _signature(folder: Path) -> Signature:
    found = []
    for path in [*pack_files(folder), folder / "SOURCE.yaml"]:
        # What cannot be asked cannot be read either, and reading says why.
        with suppress(OSError):
            stat = path.stat()
            found.append((path.name, stat.st_size, stat.st_mtime_ns))
    return tuple(found)


def _of_table(signature: Signature, table: str) -> Signature:
    return tuple(entry for entry in signature if Path(entry[0]).stem == table)


def _unusable(folder: Path) -> str:
    return f"The pack '{folder.name}' in {folder.parent} cannot be used"


@lru_cache(maxsize=_KEPT)
def _load(folder: Path, signature: Signature) -> Pack:
    problems = Problems()
    source = reading.read_source(folder, problems)
    grammars = reading.read_grammars(folder, problems)
    paragraphs = reading_paragraphs.read_paragraphs(folder, grammars, problems)
    grades = reading.read_grades(folder, paragraphs, problems)
    queries = reading.read_queries(folder, problems)
    recorded = reading.read_scores(folder, paragraphs, problems)
    documents = reading_books.read_documents(folder, grammars, problems)
    gold = reading_books.read_gold(folder, grammars, problems)
    candidates = reading_books.read_candidates(folder, paragraphs, problems)
    annotations = reading_values.read_values(folder, grammars, problems)
    digest = "" if problems.found else _digest(folder, problems)
    if _signature(folder) != signature:
        # Raised, since what is returned would be remembered; before any fault, which may come
        # from one table being old and another new.
        raise _Changed
    problems.raise_any(_unusable(folder), _ADVICE)
    return Pack(
        name=folder.name,
        path=folder,
        digest=digest,
        source=source,
        grammars=tuple((grammars or {}).values()),
        paragraphs=paragraphs or {},
        grades=grades,
        queries=queries,
        recorded=recorded,
        documents=documents,
        gold=gold,
        candidates=candidates,
        annotations=annotations,
        signature=signature,
    )


def _digest(folder: Path, problems: Problems) -> str:
    try:
        return pack_digest(folder)
    except OSError as error:
        problems.add(Path(str(error.filename)).name, error.strerror or str(error))
        return ""


def _listed(names: Iterable[str]) -> str:
    return ", ".join(sorted(names))
