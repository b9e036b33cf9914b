"""As many paragraphs as there is room for."""

from __future__ import annotations

import pytest
from hypothesis import given
from hypothesis import strategies as st

from src.errors import GrambenchError
from src.prompting.fitting import fit


@given(st.lists(st.integers(0, 30), max_size=40), st.integers(0, 20), st.integers(0, 600))
def test_it_is_what_trying_all_numbers_gives(sizes, frame, room):
    def count(prompt: list[int]) -> int:
        return frame + sum(prompt)

    fitting = [n for n in range(len(sizes) + 1) if count(sizes[:n]) <= room]
    if not fitting:
        with pytest.raises(GrambenchError, match=rf"has {frame} tokens .* has room for {room}"):
            fit(lambda n: sizes[:n], count, len(sizes), room)
        return
    assert fit(lambda n: sizes[:n], count, len(sizes), room) == (sizes[: fitting[-1]], fitting[-1])


def test_all_is_tried_first_and_few_others():
    rendered: list[int] = []

    def render(n: int) -> str:
        rendered.append(n)
        return "x" * n

    assert fit(render, len, 50, 50) == ("x" * 50, 50)
    assert rendered == [50]
    assert fit(render, len, 50, 20) == ("x" * 20, 20)
    assert len(rendered) <= 1 + 1 + 6
