"""How the clone names its files of replies: which setting, and the how manieth time."""

from __future__ import annotations

import re

BASELINE = "baseline"

# By what was put into the prompt; "with_guidelines" asks to reason step by step.
_PASSAGES = {"wikipedia": "bm25", "reranker": "reranker", "ablation": "oracle"}
_PROMPTS = {"default": "", "with_guidelines": "_cot"}
_REPEATED = re.compile(r"baseline(?:_([1-9][0-9]?))?")

SETTINGS = (BASELINE, *(f"{s}{p}" for s in _PASSAGES.values() for p in _PROMPTS.values()))


def setting_of(stem: str) -> tuple[str, int] | None:
    """Return setting and repeat by a file's name without its ending; ``None`` for other files."""
    if match := _REPEATED.fullmatch(stem):
        return BASELINE, int(match[1] or 0)
    passages, _, prompt = stem.partition("_")
    if passages not in _PASSAGES or prompt not in _PROMPTS:
        return None
    return f"{_PASSAGES[passages]}{_PROMPTS[prompt]}", 0
