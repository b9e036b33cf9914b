"""Which paragraphs of each grammar an LLM is to read."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field, replace

from src.corpus.pack import Pack
from src.errors import GrambenchError
from src.records import Paragraph, Search
from src.tasks.components import Reranker, Retriever
from src.tasks.labelled import listed
from src.tasks.searching import asked, search_grammars, unranked_notes, usage


@dataclass(frozen=True)
class Finder:
    """How paragraphs are found: ``k`` of them are passed on, or all where it is None."""

    search: Search
    retriever: Retriever
    reranker: Reranker
    k: int | None = None

    def find(self, pools: Mapping[str, Sequence[Paragraph]]) -> Passages:
        """Search the grammars; those in which nothing was found have no paragraphs.

        Raises:
            GrambenchError: a component cannot do its part.
        """
        found = search_grammars(pools, self.search, self.retriever, self.reranker, self.k)
        return Passages(
            {item.grammar: item.paragraphs for item in found},
            unranked_notes(found),
            asked(self.search, self.retriever, self.reranker),
            usage(self.retriever, self.reranker),
        )


@dataclass(frozen=True)
class Passages:
    """The paragraphs by grammar, best first, and what there is to say of them.

    ``left_out`` are grammars for which there are none, with the reason.
    """

    found: Mapping[str, Sequence[Paragraph]]
    notes: Sequence[str] = ()
    texts: Mapping[str, str] = field(default_factory=dict)
    used: Mapping[str, float] = field(default_factory=dict)
    left_out: Mapping[str, str] = field(default_factory=dict)


def passages_to_read(
    pack: Pack, feature: str, grammars: Sequence[str], finder: Finder | None, limit: int | None
) -> Passages:
    """Find what an LLM reads of the first ``limit`` grammars; those without text are left out.

    Without a finder, all are asked about without any paragraph.

    Raises:
        GrambenchError: nothing is left, or a component cannot do its part.
    """
    if finder is None:
        return Passages(dict.fromkeys(grammars[:limit], ()))
    pools = pack.pool(feature)
    chosen = [grammar for grammar in grammars if grammar in pools][:limit]
    without = [grammar for grammar in grammars if grammar not in pools]
    notes = [f"left out, since the pack has no text of them: {listed(without)}"] if without else []
    if not chosen:
        raise _nothing_left(pack, feature, notes)
    passages = finder.find({grammar: pools[grammar] for grammar in chosen})
    found = {grammar: texts for grammar, texts in passages.found.items() if texts}
    empty = [grammar for grammar in chosen if grammar not in found]
    if empty:
        notes.append(f"left out, since the retriever found nothing in them: {listed(empty)}")
    if not found:
        raise _nothing_left(pack, feature, notes)
    left_out = {**dict.fromkeys(without, "no text"), **dict.fromkeys(empty, "nothing found")}
    return replace(passages, found=found, notes=[*notes, *passages.notes], left_out=left_out)


def passages_beside(
    pack: Pack, feature: str, grammars: Sequence[str], finder: Finder | None, limit: int | None
) -> Passages:
    """Find what recorded replies may quote of the first ``limit`` grammars.

    No grammar is left out; what cannot be found is a note.
    """
    chosen = grammars[:limit]
    nothing: dict[str, Sequence[Paragraph]] = dict.fromkeys(chosen, ())
    if finder is None:
        return Passages(nothing)
    pools = pack.pool(feature)
    there = {grammar: pools[grammar] for grammar in chosen if grammar in pools}
    if not there:
        return Passages(nothing, ["the pack has no text of these grammars to check quotations in"])
    try:
        passages = finder.find(there)
    except GrambenchError as error:
        return Passages(nothing, [f"quotations are not checked: {error}"])
    without = len(chosen) - len(there)
    notes = (
        [
            f"quotations are checked in {len(there)} of {len(chosen)} grammars: the pack has no"
            " text of the others"
        ]
        if without
        else []
    )
    return replace(passages, found={**nothing, **passages.found}, notes=[*notes, *passages.notes])


def _nothing_left(pack: Pack, feature: str, notes: Sequence[str]) -> GrambenchError:
    return GrambenchError(
        f"The pack '{pack.name}' has no text to read about {feature}: {'; '.join(notes)}."
        " retriever=none asks without a grammar."
    )
