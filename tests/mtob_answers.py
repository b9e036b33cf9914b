"""Adds to the invented clone what an LLM replied: files of replies, by feature and setting."""

from __future__ import annotations

from pathlib import Path

from tests.mtob_clone import Clone, write_rows
from tests.mtob_retrieval import with_retrieval

HEADER = ["Language", "Response", "Target", "Predicted"]

LAST = "The verb is last.\r\nConclusion: SOV\x0c\ufffd"
# "e" and a combining acute: not NFC.
DECOMPOSED = "Je\u0301, an affix, negates.\n\nConclusion: 1"

# Cells of (language, reply, released label), in the order of the tables.
REPLIES: dict[tuple[str, str], list[tuple[str, str, str]]] = {
    ("WALS 81A", "baseline"): [("Orvane", LAST, "sov"), ("Teshi", "Unclear.", "s")],
    ("WALS 81A", "baseline_1"): [("Orvane", "Conclusion: OSV", "osv"), ("Teshi", "SVO", "svo")],
    ("WALS 81A", "baseline_10"): [("Orvane", "**SOV**", "sov"), ("Teshi", "SVO", "svo")],
    ("WALS 81A", "wikipedia_default"): [("Orvane", "SOV", "sov"), ("Teshi", "VSO", "vso")],
    # Nothing was asked where there are no gold pages.
    ("WALS 81A", "ablation_with_guidelines"): [("Orvane", "", ""), ("Teshi", "SVO", "svo")],
    ("GB 107", "reranker_with_guidelines"): [("Orvane", DECOMPOSED, "1"), ("Teshi", "0", "0")],
    ("WALS 116A", "baseline"): [("Orvane", "None.", "tone: 0"), ("Teshi", "Tone.", "tone: 1")],
    ("WALS 49A", "reranker_default"): [("Teshi", "2 cases", "2 cases"), ("Zhel", "x", "x")],
}

TARGETS = {
    ("WALS 81A", "Orvane"): "sov",
    ("WALS 81A", "Teshi"): "svo",
    ("GB 107", "Orvane"): "0",
    ("GB 107", "Teshi"): "1",
    ("WALS 116A", "Orvane"): "not mentioned in the grammar",
    ("WALS 116A", "Teshi"): "second position particle, tone",
    ("WALS 49A", "Teshi"): "2 cases",
    ("WALS 49A", "Zhel"): "no case",
}


def with_answers(root: Path) -> Clone:
    """Write the clone into a new folder, with all that was retrieved and replied."""
    clone = with_retrieval(root)
    for position, ((feature, name), replies) in enumerate(REPLIES.items()):
        path = reply_file(clone, feature, name)
        path.parent.mkdir(parents=True, exist_ok=True)
        rows = [[of, text, TARGETS[feature, of], label] for of, text, label in replies]
        write_rows(path, [HEADER, *rows], "\r\n" if position % 2 else "\n")
    return clone


def reply_file(clone: Clone, feature: str, name: str) -> Path:
    """Return where the replies in a setting lie."""
    return clone.root / "RAG Results" / feature / f"{name}.csv"
