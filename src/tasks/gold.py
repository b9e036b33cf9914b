"""Which of a pack's grammars a search can be judged by: those with gold pages and text."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass

from src.corpus.pack import Pack
from src.errors import GrambenchError
from src.records import Paragraph


@dataclass(frozen=True)
class Sought:
    """Gold pages and pools of the same grammars, in the pack's order, and what was left out."""

    gold: dict[str, tuple[int, ...]]
    pools: dict[str, Sequence[Paragraph]]
    notes: list[str]


def sought(pack: Pack, feature: str, limit: int | None = None) -> Sought:
    """Choose the first ``limit`` grammars with gold pages and paragraphs that know their pages.

    Raises:
        GrambenchError: there are none, or the pack has no gold pages for the feature at all.
    """
    gold, pools = pack.gold_pages(feature), pack.pool(feature)
    paged = {g for g, pool in pools.items() if any(paragraph.pages for paragraph in pool)}
    sought_in = [g for g in gold if gold[g]]
    reasons = {
        "there is no text to retrieve from": [g for g in sought_in if g not in pools],
        "those who looked for gold pages found none": [g for g in pools if gold.get(g) == ()],
        "nobody looked for gold pages": [g for g in pools if g not in gold],
        "no paragraph knows its page (LaTeX and text without page breaks have none)": [
            g for g in sought_in if g in pools and g not in paged
        ],
    }
    notes = [f"left out, since {why}: {_listed(names)}" for why, names in reasons.items() if names]
    chosen = [g for g in sought_in if g in paged][:limit]
    if not chosen:
        said = "; ".join(notes) or f"limit is {limit}, give 1 or more"
        raise GrambenchError(f"No grammar of '{pack.name}' can be judged for {feature}: {said}.")
    beyond = [g for g in chosen if 0 < _last_page(pack, g) < max(gold[g])]
    if beyond:
        notes.append(
            "gold pages after the book's last page, which nothing can find (are they pages of the"
            f" PDF?): {_listed(beyond)}"
        )
    return Sought({g: gold[g] for g in chosen}, {g: pools[g] for g in chosen}, notes)


def _last_page(pack: Pack, grammar: str) -> int:
    """Return the number of a whole grammar's pages; 0 where it is unknown."""
    document = pack.documents.get(grammar)
    return document.pages if document else 0


def _listed(names: Sequence[str], most: int = 10) -> str:
    return f"{len(names)} grammars" if len(names) > most else ", ".join(names)
