from __future__ import annotations

from hypothesis import given
from hypothesis import strategies as st

from src.llm.kept import from_row, keep, pack, settings_of, to_row, unpack
from tests.llm.store_help import AT, body_of, raw_of

ODD_TEXT = st.text('aŋ\u0301\ud800\x00"\\\n', max_size=8)
VALUES = st.none() | st.booleans() | st.integers() | st.floats(allow_nan=False) | ODD_TEXT


@given(st.dictionaries(ODD_TEXT, VALUES | st.lists(VALUES, max_size=3), max_size=4), st.booleans())
def test_what_is_packed_comes_back(value, is_long):
    whole = {"values": value, "prompt": "ŋ " * 5000 if is_long else ""}
    assert unpack(pack(whole)) == whole


def test_a_row_holds_the_whole_reply():
    kept = keep(
        "k",
        body=body_of("?", top_p=0.9),
        raw=raw_of("!"),
        seconds=2.0,
        at=AT,
        usd=0.5,
        scope="run",
        batch=True,
        repeat=4,
        revision="r",
    )
    *row, settings = to_row(kept)
    assert from_row(tuple(row)) == kept
    assert settings == settings_of(kept.body) == '{"max_tokens": 64, "top_p": 0.9}'


def test_counts_that_make_no_sense_keep_no_reply_away():
    usage = {"prompt_tokens": float("inf"), "completion_tokens": 3}
    kept = keep("k", body={}, raw={"usage": usage}, seconds=0.0, at="", usd=None)
    assert (kept.model, kept.finish, kept.prompt_tokens) == ("", "", None)
