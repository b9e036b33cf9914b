"""A query over the grammars of a pack, for people who want to look."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass, field
from pathlib import Path

import numpy as np
from omegaconf import DictConfig

from src.corpus.names import find_pack
from src.corpus.pack import Pack, load_pack
from src.errors import GrambenchError, suggest
from src.launch.composing import compose_for, faults_told
from src.records import Grammar, Paragraph, Search
from src.retrieval.terms import BatchTerms, get_terms
from src.tasks.components import build, build_search
from src.tasks.searching import Found, search_grammars


@dataclass(frozen=True)
class Wanted:
    """What is looked for: a query, or a feature's definition, in some or all grammars."""

    query: str | None = None
    feature: str | None = None
    grammars: Sequence[str] = ()
    top: int = 5
    overrides: Sequence[str] = ()


@dataclass(frozen=True)
class Hit:
    """A paragraph that was found; ``gold`` tells that it stands on one of the gold pages."""

    paragraph: Paragraph
    score: float
    gold: bool


@dataclass(frozen=True)
class InGrammar:
    """What was found in a grammar; ``gold`` are the feature's gold pages, where they are known."""

    grammar: Grammar
    searched: int
    hits: Sequence[Hit]
    gold: Sequence[int] | None = None


@dataclass(frozen=True)
class Answer:
    """What was found, grammar by grammar, in the pack's order.

    ``by_words`` tells that only paragraphs which have a word of the query count as found.
    """

    query: str
    retriever: str
    reranker: str
    grammars: Sequence[InGrammar] = field(default_factory=list)
    by_words: bool = True


def search(data_dir: Path, name: str, wanted: Wanted) -> Answer:
    """Rank the paragraphs of a pack's grammars and keep the best of each.

    Raises:
        GrambenchError: there is no such pack, grammar, feature or choice, or nothing to look for.
    """
    pack = load_pack(find_pack(data_dir, name))
    grammars = _grammars(pack, wanted.grammars)
    own = ["retriever=bm25s", "reranker=none"]
    own += [f"feature={wanted.feature}"] if wanted.feature else []
    cfg = compose_for(data_dir, name, own, wanted.overrides)
    with faults_told():
        _find_enough(cfg, wanted)
        asked = _search(cfg, pack, wanted)
        terms = _terms(cfg, asked)
        pools = _pools(pack, grammars, asked.feature if _has_feature(wanted) else None)
        found = search_grammars(pools, asked, build(cfg.retriever), build(cfg.reranker))
    gold = pack.gold.get(asked.feature, {}) if _has_feature(wanted) else {}
    by_id = {grammar.id: grammar for grammar in grammars}
    return Answer(
        query=asked.query,
        retriever=cfg.retriever.name,
        reranker=cfg.reranker.name,
        grammars=[
            InGrammar(
                by_id[one.grammar],
                len(one.pool),
                _hits(one, cfg, gold.get(one.grammar, ()), terms, asked.query)[: wanted.top],
                gold.get(one.grammar),
            )
            for one in found
        ],
        by_words=terms is not None,
    )


def _find_enough(cfg: DictConfig, wanted: Wanted) -> None:
    """Let the retriever, and what it is made of, find as many as are shown."""
    if any(word.startswith("retriever.") and ".k=" in word for word in wanted.overrides):
        return
    for one in (cfg.retriever, *cfg.retriever.get("parts", {}).values()):
        if one.get("k") is not None:
            one.k = max(one.k, wanted.top)


def _has_feature(wanted: Wanted) -> bool:
    return bool(wanted.feature) or any(word.startswith("feature=") for word in wanted.overrides)


def _grammars(pack: Pack, wanted: Sequence[str]) -> list[Grammar]:
    """Find grammars by id, or by the name or Glottocode of the language."""
    if not wanted:
        return list(pack.grammars)
    chosen: set[str] = set()
    for name in wanted:
        plain = name.casefold()
        same = [
            g.id
            for g in pack.grammars
            if name == g.id or plain in (g.language.casefold(), g.glottocode, g.iso)
        ]
        if not same:
            known = [known for g in pack.grammars for known in (g.id, g.language) if known]
            few = ", ".join(g.id for g in pack.grammars[:20])
            more = f" and {len(pack.grammars) - 20} more" if len(pack.grammars) > 20 else ""
            raise GrambenchError(
                f"The pack '{pack.name}' has no grammar '{name}'.{suggest(name, known)} "
                f"It has: {few}{more}."
            )
        chosen.update(same)
    return [grammar for grammar in pack.grammars if grammar.id in chosen]


def _search(cfg: DictConfig, pack: Pack, wanted: Wanted) -> Search:
    """Put together what is looked for: what was typed, else what the feature is about."""
    typed = wanted.query
    own_query = any(word.startswith(("query=", "query.")) for word in wanted.overrides)
    if typed is None and not own_query:
        if not _has_feature(wanted):
            raise GrambenchError(
                'Say what to look for: a query in quotes, such as "order of subject and verb", or '
                "--feature F for what a feature is about."
            )
        typed = cfg.feature.definition or cfg.feature.term
    if typed is not None:
        if not typed.strip():
            raise GrambenchError("The query is empty; say what to look for.")
        cfg.query.name, cfg.query.text = "typed", typed
    return build_search(cfg, pack)


def _terms(cfg: DictConfig, asked: Search) -> BatchTerms | None:
    """Return how the retriever counts terms; ``None`` where it finds by other means."""
    if "terms" not in cfg.retriever:
        return None
    terms = get_terms(cfg.retriever.terms, cfg.retriever.lemmas_model)
    if not terms([asked.query])[0]:
        raise GrambenchError(f"The query '{asked.query}' has no word in it; say what to look for.")
    return terms


def _pools(
    pack: Pack, grammars: Sequence[Grammar], feature: str | None
) -> dict[str, Sequence[Paragraph]]:
    """Return what is searched of each grammar: for a feature its pool, else all there is."""
    all_of: dict[str, list[Paragraph]] = {grammar.id: [] for grammar in grammars}
    for paragraph in pack.paragraphs.values():
        if paragraph.grammar in all_of:
            all_of[paragraph.grammar].append(paragraph)
    # Whole grammars as the tuples that runs get too, so that what is cached for them is found.
    pool = pack.pool(feature or "")
    pools = {name: pool.get(name) or tuple(of) for name, of in all_of.items()}
    return {name: of for name, of in pools.items() if of}


def _hits(
    one: Found, cfg: DictConfig, gold: Sequence[int], terms: BatchTerms | None, query: str
) -> list[Hit]:
    """Return what was found, best first, without paragraphs that have no word of the query."""
    scores = np.zeros(len(one.pool))
    ranking = one.retrieved if cfg.reranker.name == "none" else one.ranking
    scores[ranking.order] = ranking.scores
    positions = list(one.ranking.order)
    if terms is not None:
        wanted = set(terms([query])[0])
        of_each = terms([one.pool[i].text for i in positions])
        positions = [i for i, of in zip(positions, of_each, strict=True) if wanted & set(of)]
    pages = frozenset(gold)
    return [
        Hit(one.pool[i], float(scores[i]), not pages.isdisjoint(one.pool[i].pages))
        for i in positions
    ]
