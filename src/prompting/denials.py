"""Options that a text only denies or concedes, and texts that take back what they said."""

from __future__ import annotations

import re
from collections.abc import Sequence

from src.prompting.mentions import Mention, Options

_NEAR = 160  # characters before an option that are looked at

_CORRECTED = re.compile(
    r"(?:^|[.!?:*\n]\s*)(?:actually|wait|hold\s+on|correction|scratch\s+that|on\s+second\s+thoughts?)\b"
    r"|\bI\s+(?:\w+\s+)?(?:misread|misstated|made\s+an?\s+(?:mistake|error)|was\s+(?:wrong|mistaken))\b"
    r"|\bshould\s+(?:instead\s+)?(?:be|have\s+been)(?=\s+(?-i:[A-Z0-9]))",
    re.IGNORECASE,
)
_NEGATED = re.compile(
    r"(?:\b(?:no\s+(?:\w+\s+)?(?:evidence|indication|sign|trace)|not|never|nor|neither|cannot"
    r"|rather\s+than|instead\s+of|other\s+than|than|unlike|except"
    r"|excluding|without|against|over|versus|vs\.?|as\s+opposed\s+to|deviat\w+\s+from)\b|n't\b)"
    r"(?!\s+only\b)(?:\s+(?!(?:but|so|thus|hence|therefore)\b)[\w']+){0,4}[\s(]*$",
    re.IGNORECASE,
)
_DENIED = re.compile(
    r"\s*(?:(?:word\s+)?order\s+)?(?:(?:is|are|was|does|do|did|can|could|has|have)\s*(?:not\b|n't)"
    r"|cannot\b|(?:is|would\s+be)\s+(?:unlikely|impossible|excluded|ruled\s+out|rare|wrong|incorrect))",
    re.IGNORECASE,
)
_CONCEDED = re.compile(
    r"\b(?:although|though|even\s+though|even\s+if|if|whether|albeit|while|whilst|whereas|despite|in\s+spite\s+of"
    r"|notwithstanding|apart\s+from|besides)\b[^,;.\n]*",
    re.IGNORECASE,
)


def before(mention: Mention, text: str) -> str:
    """Return what stands near before a mention."""
    return text[max(0, mention.start - _NEAR) : mention.start]


def is_denied(mention: Mention, text: str) -> bool:
    """Tell whether a text says of an option that it is not the one."""
    clause = re.split(r"[,;.:\n]", before(mention, text))[-1]
    return bool(_NEGATED.search(clause) or _DENIED.match(text, mention.end))


def affirmed(mentions: Sequence[Mention], text: str) -> list[Mention]:
    """Return what is neither denied nor stands in a clause such as ``although SVO is found``."""
    conceded = [match.span() for match in _CONCEDED.finditer(text)]
    return [
        mention
        for mention in mentions
        if not is_denied(mention, text) and not any(a <= mention.start < b for a, b in conceded)
    ]


def takes_back(text: str, label: str, options: Options) -> bool:
    """Tell whether a text corrects itself and then names another option (``Wait, it is SOV``)."""
    match = _CORRECTED.search(text)
    if match is None:
        return False
    later = text[match.end() :]
    return any(m.label != label and not is_denied(m, later) for m in options.mentions(later))
