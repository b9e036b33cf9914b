"""Gold values, replies and prompts of the real clone: counts, and agreement with one another."""

from __future__ import annotations

from collections import Counter
from pathlib import Path

import pytest

from src.corpus.pack import Pack
from src.importers.landing import Landed
from src.importers.mtob import import_mtob

pytestmark = pytest.mark.realdata

FEATURES = ["wals_81a", "gb_107", "wals_116a", "wals_49a"]
MENTIONED_NOWHERE = "Not mentioned in the grammar"
WHOLE = ["baseline", "bm25", "bm25_cot", "reranker", "reranker_cot", "oracle", "oracle_cot"]
ROWS = 148


@pytest.fixture(scope="module")
def landed(real_data: Path, tmp_path_factory: pytest.TempPathFactory) -> Landed:
    return import_mtob(real_data / "mtob", tmp_path_factory.mktemp("data") / "mtob")


@pytest.fixture(scope="module")
def pack(landed: Landed) -> Pack:
    return landed.pack


def test_the_values_are_distributed_as_in_the_ground_truth(pack):
    assert list(pack.annotations) == ["wals_116a", "gb_107", "wals_81a", "wals_49a"]
    counts = {feature: Counter(pack.values(feature).values()) for feature in FEATURES}
    assert all(number.total() == ROWS for number in counts.values())
    assert counts["wals_81a"] == {
        **{"SOV": 59, "No dominant order": 40, "SVO": 25, "VSO": 6, "VOS": 4, "OVS": 1, "OSV": 1},
        MENTIONED_NOWHERE: 12,
    }
    assert counts["gb_107"] == {"1": 83, "0": 65}
    assert sorted(counts["wals_49a"].values()) == [3, 5, 6, 11, 12, 13, 21, 22, 55]
    assert counts["wals_49a"]["No morphological case-marking"] == 55
    assert counts["wals_116a"][MENTIONED_NOWHERE] == 27
    assert len(counts["wals_116a"]) == 34


def test_described_are_those_that_are_mentioned_and_have_gold_pages(pack):
    described = {
        feature: sum(
            1
            for grammar, value in pack.values(feature).items()
            if value != MENTIONED_NOWHERE and pack.gold_pages(feature)[grammar]
        )
        for feature in FEATURES
    }
    assert described == {"wals_81a": 136, "gb_107": 146, "wals_116a": 121, "wals_49a": 140}


def test_each_setting_has_a_reply_on_every_grammar(pack):
    for feature in FEATURES:
        settings = WHOLE if feature in ("wals_81a", "gb_107") else WHOLE[:3]
        assert pack.reply_settings(feature) == settings
        grammars = list(pack.values(feature))
        for setting in settings:
            repeats = pack.replies(feature, setting)
            assert list(repeats) == list(range(10 if setting == "baseline" else 1))
            assert all(list(of) == grammars for of in repeats.values())


def test_only_replies_that_are_empty_have_no_label(pack):
    empty = Counter(
        (feature, setting)
        for feature, settings in pack.recorded_replies.items()
        for setting, repeats in settings.items()
        for of in repeats.values()
        for reply in of.values()
        if not reply.text or not reply.label
    )
    assert empty == {
        **{("wals_81a", "oracle"): 11, ("wals_81a", "oracle_cot"): 11},
        **{("gb_107", "oracle"): 2, ("gb_107", "oracle_cot"): 2},
    }
    for feature in ("wals_81a", "gb_107"):
        gold = pack.gold_pages(feature)
        for setting in ("oracle", "oracle_cot"):
            replies = pack.replies(feature, setting)[0]
            assert all(not gold[g] for g, reply in replies.items() if not reply.text)


def test_the_prompts_name_the_languages_and_share_the_system_message(pack):
    languages = {grammar.id: grammar.language for grammar in pack.grammars}
    for feature in FEATURES:
        prompts = pack.prompts(feature)
        assert list(prompts) == list(pack.values(feature))
        assert {tuple(m.role for m in messages) for messages in prompts.values()} == {
            ("system", "user")
        }
        assert len({messages[0] for messages in prompts.values()}) == 1
        assert len({messages[1] for messages in prompts.values()}) == ROWS
        assert all(languages[g] in messages[1].content for g, messages in prompts.items())


def test_nothing_odd_was_found_in_replies_and_prompts(landed):
    ours = Counter(
        (entry.level, entry.what) for entry in landed.report.entries if entry.file.startswith("RAG")
    )
    assert ours == {("info", "text composed to NFC"): 100}
    assert landed.pack.source["counts"]["values"] == 4 * ROWS
    assert landed.pack.source["counts"]["replies"] == 56 * ROWS
    assert landed.pack.source["counts"]["prompts"] == 4 * ROWS
