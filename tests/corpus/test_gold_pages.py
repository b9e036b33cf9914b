from __future__ import annotations

import pytest
from hypothesis import given
from hypothesis import strategies as st

from src.corpus.gold_pages import parse_gold
from src.corpus.pages import format_pages


@pytest.mark.parametrize(
    ("text", "offset", "pages"),
    [
        ("11, 366-371", None, (11, 366, 367, 368, 369, 370, 371)),
        ("11, 366-368", 22, (33, 388, 389, 390)),
        ("20-21; 3", None, (3, 20, 21)),
        ("7, 5–7, 7", None, (5, 6, 7)),
        ("5", -4, (1,)),
        ("5", 0, (5,)),
        ("", 30, ()),
        ("  ", None, ()),
    ],
)
def test_lists_become_pages_of_the_pdf_ascending_and_each_once(text, offset, pages):
    assert parse_gold(text, offset) == pages


@pytest.mark.parametrize(
    ("text", "offset", "named"),
    [
        ("passim", None, "'passim'"),
        ("xii-xiv, 5", 10, "'xii-xiv'"),
        ("207, 242 (also on verbs, not always)", None, "'242 (also on verbs', 'not always)'"),
        ("366-71", None, "'366-71'"),
        ("12ff.", None, "'12ff.'"),
        ("pp. 12-14", None, "'pp. 12-14'"),
        ("12, , 14", None, ": ''"),
        ("1-2-3", None, "'1-2-3'"),
        ("12 14", None, "'12 14'"),
        ("4, 9", -5, "with an offset of -5 are the PDF's pages -1 to 4"),
        ("999999", 1, "1000000"),
    ],
)
def test_what_is_not_understood_is_named_and_not_guessed(text, offset, named):
    with pytest.raises(ValueError, match="pages") as caught:
        parse_gold(text, offset)
    assert named in str(caught.value)


@given(st.sets(st.integers(1, 5000), max_size=40), st.integers(0, 100))
def test_an_offset_shifts_every_page(pages, offset):
    text = format_pages(sorted(pages))
    assert parse_gold(text, offset) == tuple(sorted(page + offset for page in pages))
