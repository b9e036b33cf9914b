"""Prompts that a pack holds."""

from __future__ import annotations

from pathlib import Path

import pytest

from src.errors import GrambenchError
from src.prompting.features import feature_of
from src.prompting.verbatim_prompt import VerbatimPrompt
from src.records import Grammar, Message, Paragraph
from tests.corpus.small_pack import small_pack
from tests.prompting.invented import ONE, with_changes

PROMPTS = (
    "feature,grammar,role,content\n"
    "wals_81a,rahn1902,system,Be exact.\n"
    'wals_81a,rahn1902,user,"Which {{ order }}?\n"\n'
)
ORDER = feature_of(with_changes(ONE, id="wals_81a"))
RAHN, BAY = Grammar("rahn1902", "Teshi"), Grammar("bay1999", "Lumma")


@pytest.fixture
def prompt(tmp_path: Path) -> VerbatimPrompt:
    pack = small_pack(tmp_path / "small", prompts_csv=PROMPTS)
    return VerbatimPrompt(name="verbatim", inputs=[], pack=str(pack))


def test_messages_are_the_packs(prompt):
    assert prompt.messages(ORDER, RAHN, [], "a summary") == (
        Message("system", "Be exact."),
        Message("user", "Which {{ order }}?\n"),
    )
    assert prompt.schema(ORDER) is None
    assert (prompt.name, prompt.summary) == ("verbatim", "none")


def test_a_grammar_without_a_prompt(prompt):
    with pytest.raises(GrambenchError, match=r"'small' has no prompt for wals_81a .* 'bay1999'"):
        prompt.messages(ORDER, BAY)


def test_a_feature_without_prompts(prompt):
    with pytest.raises(GrambenchError, match=r"no recorded prompts for the feature 'tones'"):
        prompt.messages(feature_of(ONE), RAHN)


def test_paragraphs_are_refused(prompt):
    with pytest.raises(GrambenchError, match=r"without paragraphs: choose retriever=none"):
        prompt.messages(ORDER, RAHN, [Paragraph("rahn1902/001", "rahn1902", "text")])


def test_experiments_may_set_what_other_prompts_have(tmp_path):
    prompt = VerbatimPrompt("verbatim", str(tmp_path), output="text", summary="pack")
    assert prompt.summary == "none"
    with pytest.raises(GrambenchError, match=r"asks for text: set prompt.output=text"):
        VerbatimPrompt("verbatim", str(tmp_path), output="json")
