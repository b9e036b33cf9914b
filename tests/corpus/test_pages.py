from __future__ import annotations

import pytest
from hypothesis import given
from hypothesis import strategies as st

from src.corpus.pages import format_pages, parse_pages


@pytest.mark.parametrize(
    ("text", "pages"),
    [
        ("", ()),
        (" ", ()),
        ("7", (7,)),
        ("12-13", (12, 13)),
        ("12 – 14", (12, 13, 14)),
        ("12, 14", (12, 14)),
        ("9-9,3-4", (9, 3, 4)),
        ("3; 5\u20127, 9\u00a0\u2014\u00a010", (3, 5, 6, 7, 9, 10)),
    ],
)
def test_pages_are_read(text, pages):
    assert parse_pages(text) == pages


@pytest.mark.parametrize(
    "text", ["iv", "0", "5-3", "3-", ",", "1,,2", "[3]", "1.5", "-2", "9999999"]
)
def test_what_is_no_page_is_refused(text):
    with pytest.raises(ValueError, match="pages"):
        parse_pages(text)


@pytest.mark.parametrize(
    ("text", "said"),
    [
        ("passim", "pages 'passim' are not like '12-13' or '12, 14'"),
        ("7, iv, 9, x", "'12, 14': 'iv', 'x'"),
        ("12, 366-71", "do not count upwards from page 1: '366-71'"),
    ],
)
def test_what_is_wrong_is_named(text, said):
    with pytest.raises(ValueError, match="pages") as caught:
        parse_pages(text)
    assert str(caught.value).endswith(said)


@pytest.mark.parametrize(
    ("pages", "text"), [((), ""), ((7,), "7"), ((12, 13, 14, 20), "12-14, 20"), ((3, 2), "3, 2")]
)
def test_pages_are_written_short(pages, text):
    assert format_pages(pages) == text


@given(st.lists(st.integers(1, 999_999), max_size=30))
def test_pages_come_back_as_they_were(pages):
    assert parse_pages(format_pages(pages)) == tuple(pages)


@pytest.mark.parametrize("text", ["1-999999", ",".join(["1-9999"] * 20_000), "1-9999, 7-8"])
def test_more_pages_than_a_book_has_are_refused_before_they_are_counted_out(text):
    with pytest.raises(ValueError, match="more than 10000") as caught:
        parse_pages(text)
    assert len(str(caught.value)) < 200


def test_a_long_cell_of_prose_is_told_in_short():
    with pytest.raises(ValueError, match="and 19995 more") as caught:
        parse_pages(", ".join(["passim"] * 20_000))
    assert len(str(caught.value)) < 300
    assert len(parse_pages("1-10000")) == 10_000
