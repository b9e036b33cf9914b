"""Values of metadata that cannot be what their column says; they are used, and warned of."""

from __future__ import annotations

import re

from src.importers.grammars.near import near_name

# Glottolog's six.
MACROAREAS = ("Africa", "Australia", "Eurasia", "North America", "Papunesia", "South America")

_GLOTTOCODE = re.compile(r"[a-z0-9]{4}\d{4}")
_ISO = re.compile(r"[a-z]{3}")
# Grammars have been printed since the 15th century; 1994a and 1994-1998 are years too.
_ONE_YEAR = re.compile(r"(?<!\d)(?:1[4-9]|20)\d\d(?!\d)")
_YEAR = re.compile(r"(?:1[4-9]|20)\d\d(?:[a-z]|\s?[-\u2013/]\s?\d{2,4})?")


def oddity(field: str, value: str) -> tuple[str, str] | None:
    """Return what is odd about a field's value, and why; ``None`` where nothing is."""
    rule = _RULES.get(field)
    return rule(value) if rule else None


def _glottocode(value: str) -> tuple[str, str] | None:
    if _GLOTTOCODE.fullmatch(value):
        return None
    why = f"'{value}' is not four letters and four digits, as abcd1234"
    return "not shaped like a Glottocode", why


def _iso(value: str) -> tuple[str, str] | None:
    if _ISO.fullmatch(value):
        return None
    return "not shaped like an ISO code", f"'{value}' is not three lower-case letters, as abc"


def _year(value: str) -> tuple[str, str] | None:
    if _YEAR.fullmatch(value):
        return None
    within = _ONE_YEAR.findall(value)
    hint = f" Did you mean '{within[0]}'?" if within else ""
    return "not a year", f"'{value}' is not like 1994.{hint}"


def _macroarea(value: str) -> tuple[str, str] | None:
    if value in MACROAREAS:
        return None
    hint = near_name(value, MACROAREAS)
    return "not a macroarea of Glottolog", f"'{value}'.{hint} It has {', '.join(MACROAREAS)}."


_RULES = {"glottocode": _glottocode, "iso": _iso, "year": _year, "macroarea": _macroarea}
