"""Whether replies rest on the paragraphs that they were given."""

from __future__ import annotations

import json
from collections.abc import Mapping, Sequence
from typing import Any

from src.corpus.pack import Pack
from src.prompting.evidence import evidence_of
from src.prompting.features import Feature
from src.tasks.asking import Replied

Row = dict[str, Any]


def evidence_rows(replies: Sequence[Replied]) -> list[Row]:
    """Return a row for each reply that was given paragraphs: what it quotes and cites of them."""
    rows = []
    for replied in replies:
        asked = replied.asked
        if not asked.given:
            continue
        found = evidence_of(_said(replied.reply.text), asked.paragraphs, asked.rest)
        rows.append(
            {
                "grammar": asked.grammar.id,
                "repeat": replied.repeat,
                "quotations": found.quotations,
                "quotations_found": found.quotations_found,
                "cited": found.cited,
                "cited_found": found.cited_found,
                "cited_numbers": list(found.cited_numbers),
                "quoted_numbers": list(found.quoted_numbers),
                "not_found": list(found.not_found),
            }
        )
    return rows


def evidence_metrics(rows: Sequence[Row]) -> dict[str, float]:
    """Return how many quotations and cited paragraph numbers there are, and what share is found.

    ``evidence/replies`` is the number of replies that were looked at; a share of nothing is left
    out.
    """
    if not rows:
        return {}
    metrics: dict[str, float] = {"evidence/replies": len(rows)}
    for name in ("quotations", "cited"):
        total = sum(row[name] for row in rows)
        metrics[f"evidence/{name}"] = total
        if total:
            found = sum(row[f"{name}_found"] for row in rows)
            metrics[f"evidence/{name}_found_rate"] = found / total
    return metrics


def texts_of(feature: Feature, pack: Pack) -> str:
    """Return the texts of a feature that prompts are made of: quoting them is no evidence."""
    own = (feature.title, feature.question, feature.definition, feature.counts, feature.guidelines)
    options = [text for option in feature.options for text in (option.label, option.meaning)]
    return "\n\n".join([*own, *options, *pack.queries.get(feature.id, {}).values()])


def _said(text: str) -> str:
    """Return the strings of a reply in JSON, whose own quotation marks quote nothing."""
    try:
        parsed = json.loads(text)
    except ValueError:
        return text
    if not isinstance(parsed, Mapping):
        return text
    return "\n\n".join(value for value in parsed.values() if isinstance(value, str))
