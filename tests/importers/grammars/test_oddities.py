from __future__ import annotations

import pytest

from src.importers.grammars.oddities import MACROAREAS, oddity


@pytest.mark.parametrize("year", ["1492", "1994", "2026", "1994a", "1994-1998", "1994\u201398"])
def test_years(year):
    assert oddity("year", year) is None


@pytest.mark.parametrize(
    ("value", "hint"),
    [
        ("1994.0", "1994"),
        ("ca. 1950", "1950"),
        ("[1902]", "1902"),
        ("n.d.", ""),
        ("94", ""),
        ("1066", ""),
        ("21994", ""),
    ],
)
def test_what_is_no_year(value, hint):
    what, why = oddity("year", value)
    assert what == "not a year"
    assert why == f"'{value}' is not like 1994." + f" Did you mean '{hint}'?" * bool(hint)


def test_macroareas():
    assert [oddity("macroarea", name) for name in MACROAREAS] == [None] * 6


@pytest.mark.parametrize(
    ("value", "near"),
    [("africa", "Africa"), ("North-America", "North America"), ("Papua", "Papunesia")],
)
def test_what_is_no_macroarea(value, near):
    assert oddity("macroarea", value)[1].startswith(f"'{value}'. Did you mean '{near}'? ")


def test_other_fields_may_be_anything():
    assert oddity("author", "1066") is None
