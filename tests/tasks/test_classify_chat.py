"""Classification over HTTP: the real client against a server on loopback."""

from __future__ import annotations

import pytest

from src.corpus.pack import load_pack
from src.errors import GrambenchError
from src.llm.chat import ChatModel
from src.prompting.answers import DefaultAnswers
from src.tasks.classify import classify
from tests.llm.loopback import Act, Loopback, refusal
from tests.tasks.test_classify import ORDER, PROMPT, SETTINGS, pack_of

BROKEN = refusal(400, "out of order")


def script(broken=""):
    def act(body, tries):
        asked = body["messages"][-1]["content"]
        if broken and broken in asked:
            return BROKEN
        return Act("Conclusion: SVO" if "East" in asked else "Conclusion: SOV")

    return act


def asked_of(server, tmp_path):
    folder = tmp_path / "pack"
    pack = load_pack(folder) if folder.exists() else pack_of(folder, whole=())
    llm = ChatModel(
        name="parrot",
        model="parrot",
        context=2000,
        max_tokens=100,
        base_url=server.url,
        key_env=None,
        price={"prompt": 1.0, "completion": 2.0},
        store=str(tmp_path / "replies.db"),
    )
    return classify(pack, ORDER, llm, DefaultAnswers(), SETTINGS, prompt=PROMPT)


def test_a_run_over_http_and_again_from_the_store(tmp_path):
    with Loopback(script=script()) as server:
        result = asked_of(server, tmp_path)
        again = asked_of(server, tmp_path)
    assert result.metrics["f1_micro"] == 3 / 4 and result.metrics["unparsed_rate"] == 0
    assert result.metrics["usage/requests"] == 4 == len(server.seen)
    costs = [row["usd"] for row in result.tables["grammars"]]
    assert result.metrics["usage/usd"] == pytest.approx(sum(costs)) and min(costs) > 0
    assert {row["finish"] for row in result.tables["grammars"]} == {"stop"}
    assert any("measured by" in note for note in result.notes)
    assert again.metrics["usage/stored"] == 4
    assert again.metrics["f1_macro"] == result.metrics["f1_macro"]


def test_what_was_answered_is_not_asked_again(tmp_path):
    with Loopback(script=script("South")) as server:
        with pytest.raises(GrambenchError, match=r"The question on \w+ has no reply.*out of order"):
            asked_of(server, tmp_path)
        before, server.script = len(server.seen), script()
        assert asked_of(server, tmp_path).metrics["grammars"] == 4
    assert ["South" in seen.text for seen in server.seen[before:]] == [True]
