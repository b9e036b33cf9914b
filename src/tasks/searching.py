"""What tasks that read grammars share: from what there is to what is passed on, best first."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass

import numpy as np

from src.errors import GrambenchError
from src.records import Paragraph, Ranking, Search
from src.tasks.components import Reranker, Retriever

_COUNTERS = ("documents_encoded", "queries_encoded", "pairs_scored")


@dataclass(frozen=True)
class Found:
    """What was found in a grammar; the rankings' orders are positions in ``pool``.

    ``retrieved`` is the retriever's ranking, ``ranking`` what is passed on of it in the end.
    """

    grammar: str
    pool: Sequence[Paragraph]
    retrieved: Ranking
    ranking: Ranking

    @property
    def paragraphs(self) -> list[Paragraph]:
        """The paragraphs that are passed on, best first; their scores are the ranking's."""
        return [self.pool[position] for position in self.ranking.order]


def search_grammars(
    pools: Mapping[str, Sequence[Paragraph]],
    search: Search,
    retriever: Retriever,
    reranker: Reranker,
    k: int | None = None,
) -> list[Found]:
    """Search each grammar: the retriever's best are ordered by the reranker's scores and cut to k.

    Ties keep the retriever's order. Without k nothing is cut. A retriever may find nothing.

    Raises:
        GrambenchError: a component cannot do its part, or does it wrongly.
    """
    if hasattr(retriever, "prepare"):
        # all grammars at once: batches of like length, and few large writes to the cache
        retriever.prepare([paragraph for pool in pools.values() for paragraph in pool])
    retrieved = {
        grammar: _checked(retriever.rank(search, pool), len(pool), grammar)
        for grammar, pool in pools.items()
    }
    kept = {name: [pools[name][i] for i in first.order] for name, first in retrieved.items()}
    if hasattr(reranker, "prepare"):
        reranker.prepare([paragraph for texts in kept.values() for paragraph in texts])
    return [
        Found(name, pools[name], first, _rerank(search, reranker, first, kept[name], k))
        for name, first in retrieved.items()
    ]


def unranked_notes(found: Sequence[Found]) -> list[str]:
    """Say in which grammars the query's terms tell no paragraph from another.

    Raises:
        GrambenchError: that is so in all of them: there is no ranking to judge.
    """
    alike = [
        f.grammar for f in found if f.retrieved.scores.size > 1 and not f.retrieved.scores.any()
    ]
    if not alike:
        return []
    if len(alike) == sum(item.retrieved.scores.size > 1 for item in found):
        raise GrambenchError(
            "The retriever scores all paragraphs of all grammars 0: no term of the query tells them"
            " apart. Ask with other words, or with retriever=dense."
        )
    names = ", ".join(alike) if len(alike) <= 10 else f"{len(alike)} grammars"
    return [f"no term of the query tells paragraphs apart, so their order is the pack's: {names}"]


def usage(*components: object) -> dict[str, float]:
    """Return what components had to compute, counted together; what is 0 is left out."""
    counts = {name: sum(getattr(c, name, 0) for c in components) for name in _COUNTERS}
    return {f"usage/{name}": int(count) for name, count in counts.items() if count}


def asked(search: Search, retriever: object, reranker: object) -> dict[str, str]:
    """Return what was asked, and the literal strings that models were sent for it."""
    texts = {"query": search.query, "instruct": search.instruct}
    for name, component in (("sent_by_retriever", retriever), ("sent", reranker)):
        templates = getattr(component, "templates", None)
        texts |= {name: templates.query_text(search)} if templates else {}
    return texts


def _checked(ranking: Ranking, candidates: int, grammar: str) -> Ranking:
    """Refuse a ranking that is none: a retriever of one's own may be wrong."""
    order, scores = np.asarray(ranking.order), np.asarray(ranking.scores)
    whole = order.dtype.kind in "iu" or not order.size
    within = order.size == np.unique(order).size and ((order >= 0) & (order < candidates)).all()
    if order.shape != scores.shape or not (whole and within and np.isfinite(scores).all()):
        raise GrambenchError(
            f"The retriever's ranking of {grammar} is none: order must name some of its"
            f" {candidates} candidates by their places, whole numbers, each once, and scores give"
            " one finite number for each."
        )
    return ranking


def _rerank(
    search: Search, reranker: Reranker, first: Ranking, kept: Sequence[Paragraph], k: int | None
) -> Ranking:
    if not kept:
        return first
    scores = np.asarray(reranker.score(search, kept), dtype=np.float64)
    if scores.shape != (len(kept),):
        raise GrambenchError(
            f"The reranker gave scores of shape {scores.shape} for {len(kept)} paragraphs; it must"
            " give one a paragraph."
        )
    if not np.isfinite(scores).all():
        at = kept[int(np.argmin(np.isfinite(scores)))].id
        raise GrambenchError(f"The reranker gave paragraph {at} no finite score.")
    again = np.argsort(-scores, kind="stable")[:k]
    return Ranking(first.order[again], scores[again])
