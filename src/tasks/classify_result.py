"""What is told of a classification: figures, tables, notes."""

from __future__ import annotations

from collections.abc import Sequence
from functools import partial

import numpy as np

from src.records import Result
from src.tasks.asking import Replied, dropped_notes
from src.tasks.classified import Classified
from src.tasks.components import Llm, reads_prompts
from src.tasks.evidence import evidence_metrics, evidence_rows
from src.tasks.figures import draw_confusions
from src.tasks.judging import Metrics, feature_metrics
from src.tasks.macroareas import macroarea_metrics
from src.tasks.preparing import Prepared

STATUSES = ("parsed", "unparsed", "empty", "cut_off", "refused")

_HEADLINE = (
    *(f"{name}{end}" for name in ("f1_micro", "f1_macro", "f1_weighted") for end in ("", "_sd")),
    *("exact_match", "unparsed_rate", "majority/accuracy", "uniform/accuracy"),
    *("grammars", "usage/usd"),
)


def result_of(classified: Classified, prepared: Prepared, llm: Llm) -> Result:
    """Return the figures, tables and notes of a classification."""
    areas, families = classified.of_groups("macroarea"), classified.of_groups("family")
    replies = [replied for repeat in classified.replies for replied in repeat]
    evidence = evidence_rows(replies)
    metrics = {
        **feature_metrics(classified.parts),
        **_rates(classified),
        "grammars": len(prepared.questions),
        **_given(replies),
        **evidence_metrics(evidence),
        **macroarea_metrics(areas, "f1_micro"),
        **prepared.passages.used,
        **llm.usage(),
    }
    tables = {
        "grammars": classified.grammar_rows,
        "replies": classified.reply_rows(),
        "prompts": classified.prompt_rows(),
        "classes": classified.class_rows(),
        "confusion": classified.confusion_rows(),
        "macroareas": areas,
        "families": families,
        "evidence": evidence,
        "left_out": [{"grammar": g, "why": why} for g, why in prepared.left_out.items()],
    }
    labels = {classified.title_of(part): part.part.labels for part in classified.parts}
    return Result(
        metrics=metrics,
        tables={name: rows for name, rows in tables.items() if rows},
        figures={
            "confusion.png": partial(draw_confusions, tables=classified.confusions(), labels=labels)
        },
        texts={**prepared.passages.texts, **_texts(replies[0])},
        notes=_notes(classified, prepared, llm, replies),
        headline=[name for name in _HEADLINE if name in metrics],
    )


def _rates(classified: Classified) -> Metrics:
    """Return the shares of replies by status; ``unparsed_rate`` is all but the parsed."""
    statuses = [answer.status for answers in classified.answers for answer in answers]
    known = dict.fromkeys((*STATUSES, *statuses))
    shares = {status: statuses.count(status) / len(statuses) for status in known}
    return {
        "unparsed_rate": sum(status != "parsed" for status in statuses) / len(statuses),
        **{f"status/{status}": share for status, share in shares.items()},
    }


def _given(replies: Sequence[Replied]) -> Metrics:
    """Return the mean number of paragraphs and tokens given, and all paragraphs dropped."""
    if not any(replied.asked.messages for replied in replies):
        return {}
    return {
        "paragraphs": float(np.mean([replied.asked.given for replied in replies])),
        "prompt_tokens": float(np.mean([replied.asked.tokens for replied in replies])),
        "paragraphs_dropped": sum(replied.asked.dropped for replied in replies),
    }


def _texts(first: Replied) -> dict[str, str]:
    messages = first.asked.messages
    system = "\n\n".join(m.content for m in messages if m.role == "system")
    rest = "\n\n".join(m.content for m in messages if m.role != "system")
    return {"system": system, "prompt": rest} if messages else {}


def _notes(
    classified: Classified, prepared: Prepared, llm: Llm, replies: Sequence[Replied]
) -> list[str]:
    notes = prepared.notes
    if reads_prompts(llm):
        notes += dropped_notes(replies)
        if "character" in llm.counted_by:
            notes.append(f"prompts are measured by {llm.counted_by}, not by the LLM's tokenizer")
    dropped = sum(row["correct"] is None for row in classified.grammar_rows)
    if dropped:
        whole = len(classified.grammar_rows)
        notes.append(
            f"invalid=drop: {dropped} of {whole} answers do not count, since there is none"
        )
    return notes
