"""Orders of subject, object and verb, in letters or in words."""

from __future__ import annotations

import re
from collections.abc import Callable, Iterable, Sequence

_ROLES = {"S": "S", "A": "S", "O": "O", "P": "O", "V": "V"}
_FREE = "no dominant order"

# Letters without gaps (AOV) or with them (S-Aux-O-V, S O V); auxiliaries, obliques and the like
# between them do not change the order of the three.
_JOINED = re.compile(r"(?<![\w-])[SAOPV]{3}(?![\w])|(?<![\w-])(?:sov|svo|vso|vos|ovs|osv)(?![\w])")
_GAP = r"(?:[ ]?[-+>/,][ ]?>?|[ ])"
_OTHER = r"(?:\(?(?:Aux|AUX|aux|X|T|TAM|Neg|NEG|Adv|Obl|IO|PP)\.?\)?)"
_APART = re.compile(
    rf"(?<![\w-])(?:{_OTHER}{_GAP})?[SAOPV]{_GAP}(?:{_OTHER}{_GAP})?[SAOPV]{_GAP}"
    rf"(?:{_OTHER}{_GAP})?[SAOPV](?:{_GAP}{_OTHER})?(?![\w-])"
)
_NOUN = r"(subject|agent|object|patient|verb|predicate)(?:\s*\([SAOPV]\))?"
_BETWEEN = r"(?:\s*(?:[-+,/]|->|>|–)\s*|\s+)(?:auxiliary(?:\s*[-+,/]\s*|\s+))?"
_WORDS = re.compile(
    rf"(?<!order of )(?<!order of the )\b{_NOUN}{_BETWEEN}{_NOUN}{_BETWEEN}{_NOUN}\b"
    r"(?!\s+agreement)",
    re.IGNORECASE,
)
_ABSENT = re.compile(
    r"\b(?:(?:there\s+is\s+|has\s+|have\s+|with\s+)?no|lacks?(?:\s+an?y?)?|lacking\s+an?y?"
    r"|without\s+an?y?|there\s+is(?:\s+not|n't)\s+(?:an?y?|one)"
    r"|(?:does|do)(?:\s+not|n't)\s+(?:have|show|exhibit|possess)\s+(?:an?y?|one))"
    r"(?:\s+(?:single|one|clear|clearly|strict|strictly|particular|specific|truly|overall))*"
    r"\s+dominant(?:\s+(?:basic|word|constituent|clause))*\s+order\b",
    re.IGNORECASE,
)

Finder = Callable[[str], Iterable[tuple[int, int, str]]]


def free_order(labels: Sequence[str]) -> str:
    """Return the label of languages without a dominant order, ``""`` if there is none."""
    return next((label for label in labels if label.casefold() == _FREE), "")


def word_orders(labels: Sequence[str]) -> Finder | None:
    """Return what finds word orders in a text, if that is what the labels are, else None."""
    orders = {label.upper(): label for label in labels if sorted(label.upper()) == list("OSV")}
    if len(orders) < 2:
        return None
    free = free_order(labels)

    def find(text: str) -> Iterable[tuple[int, int, str]]:
        for pattern in (_JOINED, _APART, _WORDS):
            for match in pattern.finditer(text):
                order = _order(match)
                if sorted(order) == list("OSV"):
                    yield match.start(), match.end(), orders.get(order, "")
        if free:
            for match in _ABSENT.finditer(text):
                yield match.start(), match.end(), free

    return find


def _order(match: re.Match[str]) -> str:
    named = [group for group in match.groups() if group]
    if named:
        return "".join(_OF_NOUN[noun.lower()] for noun in named)
    letters = re.sub(_OTHER, "", match[0]).upper()
    return "".join(_ROLES[letter] for letter in letters if letter in _ROLES)


_OF_NOUN = {
    **dict.fromkeys(("subject", "agent"), "S"),
    **dict.fromkeys(("object", "patient"), "O"),
    **dict.fromkeys(("verb", "predicate"), "V"),
}
