"""Which settings of paragraphs there are, and when two give the same."""

from __future__ import annotations

import pytest

from src.books.settings import ParagraphSettings, settings_from
from src.errors import GrambenchError


def test_defaults() -> None:
    assert settings_from({}) == ParagraphSettings("blocks", 1500, "all")


def test_keys_tell_settings_apart() -> None:
    settings = [
        ParagraphSettings(),
        ParagraphSettings(characters=1000),
        ParagraphSettings(headings="first"),
        ParagraphSettings(method="paper"),
    ]
    assert len({each.key() for each in settings}) == 4
    assert ParagraphSettings().key() == "paragraphs-1 method=blocks characters=1500 headings=all"


def test_what_does_not_count_is_not_in_the_key() -> None:
    assert (
        ParagraphSettings(method="paper").key()
        == ParagraphSettings(method="paper", characters=900, headings="none").key()
        == "paragraphs-1 method=paper"
    )


@pytest.mark.parametrize(
    ("values", "says"),
    [
        ({"method": "papers"}, "paragraphs.method is 'papers'.* Did you mean 'paper'?"),
        ({"headings": None}, "paragraphs.headings is None; choose one of all, first, none"),
        ({"characters": 99}, "paragraphs.characters is 99.* at least 100"),
        ({"characters": "1500"}, "paragraphs.characters is '1500'"),
        ({"characters": True}, "paragraphs.characters is True"),
        ({"character": 9}, "paragraphs.character is not .* Did you mean 'characters'?"),
    ],
)
def test_faults(values: dict[str, object], says: str) -> None:
    with pytest.raises(GrambenchError, match=says):
        settings_from(values)
