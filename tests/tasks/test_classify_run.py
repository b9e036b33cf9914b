"""Classification as the commands start it, from a composed config."""

from __future__ import annotations

import pytest

from src.errors import GrambenchError
from src.records import RecordedReply
from src.tasks.classify import plan, run
from tests.composing import config
from tests.tasks.test_classify import GRAMMARS, pack_of

SOV, NONE = "SOV", "Not mentioned in the grammar"
VALUES = {"wals_81a": {"north": SOV, "south": SOV, "east": "SVO", "west": NONE}}
MARKS = {
    "north": "Clause-final question particle, Tone",
    "south": "Tone",
    "east": "Second position question particle",
    "west": NONE,
}
TEXTS = ["The verb is last.\n\nConclusion: SOV", "Conclusion: SVO", "Conclusion: SVO", "Unclear."]


@pytest.fixture
def started(tmp_path):
    replies = [
        RecordedReply("wals_81a", "bm25", 0, grammar, text, "SVO")
        for grammar, text in zip(GRAMMARS, TEXTS, strict=True)
    ]
    pack = pack_of(tmp_path / "pack", values={**VALUES, "wals_116a": MARKS}, replies=replies)
    return lambda *chosen: config(
        *("task=classify", f"data.path={pack.path}", "retriever=bm25s", "query=term"),
        *("reranker=none", f"paths.replies={tmp_path}/replies.db"),
        *(f"paths.indexes={tmp_path}/indexes", "task.resamples=50", *chosen),
    )


def test_the_majority_is_what_stands_beside_every_result(started):
    result = run(started("llm=majority"))
    assert result.metrics["f1_micro"] == result.metrics["majority/f1_micro"] == 1 / 2
    assert result.metrics["f1_macro"] == result.metrics["majority/f1_macro"]
    assert result.metrics["grammars"] == 4
    assert "evidence" not in result.tables


def test_guesses_of_parts_are_read(started):
    result = run(started("llm=majority", "feature=wals_116a"))
    assert result.metrics["unparsed_rate"] == 0
    assert result.metrics["tone/accuracy"] == result.metrics["tone/majority/accuracy"] == 1 / 2
    assert result.metrics["medial/accuracy"] == 3 / 4
    again = run(started("llm=uniform", "feature=wals_116a", "repeat=1", "task.repeats=3"))
    assert again.metrics["unparsed_rate"] == 0 and again.metrics["f1_micro_sd"] >= 0


def test_recorded_replies_by_their_setting(started):
    result = run(started("llm=recorded", "setting=bm25"))
    assert result.metrics["f1_micro"] == 2 / 4 and result.metrics["unparsed_rate"] == 1 / 4
    assert result.metrics["evidence/replies"] == 4
    released = run(started("llm=recorded", "setting=bm25", "answers=released"))
    assert released.metrics["f1_micro"] == 1 / 4
    with pytest.raises(GrambenchError, match=r"4 of 8 questions have no reply.*only 1 repeats"):
        run(started("llm=recorded", "setting=bm25", "task.repeats=2"))
    with pytest.raises(GrambenchError, match="Did you mean 'bm25'"):
        run(started("llm=recorded", "setting=bm26"))


def test_a_plan_asks_nothing(started):
    estimate = plan(started("llm=gpt_4_1", "task.repeats=2", "rerank.k=2"))
    assert (estimate.requests, estimate.stored) == (8, 0)
    assert estimate.prompt_tokens > 8 * 100 and estimate.usd > 0
    more = plan(started("llm=gpt_4_1", "task.repeats=2", "rerank.k=4"))
    assert more.prompt_tokens > estimate.prompt_tokens
    nothing = plan(started("llm=majority"))
    assert (nothing.requests, nothing.usd) == (0, 0)


def test_a_plan_says_what_the_prompts_lack(started):
    notes = plan(started("llm=gpt_4_1", "rerank.k=2", "prompt.order=[options,output]")).notes
    assert any("no place for paragraphs (prompt.order), so the 8 that" in note for note in notes)
    assert any("are the same: does prompt.order name a part" in note for note in notes)
    whole = plan(started("llm=gpt_4_1", "rerank.k=2")).notes
    assert not any("prompt.order" in note for note in whole)


def test_a_plan_says_what_does_not_fit(started):
    chosen = ("llm=gpt_4_1", "limit=1", "llm.max_tokens=10")
    whole = plan(started(*chosen))
    assert not any("do not fit" in note for note in whole.notes)
    less = plan(started(*chosen, f"llm.context={whole.prompt_tokens + 10 - 1}"))
    assert "paragraphs that do not fit the LLM's context: 1 of north" in less.notes
    assert less.prompt_tokens < whole.prompt_tokens
