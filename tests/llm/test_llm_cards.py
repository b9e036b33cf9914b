"""The cards in conf/llm/: each composes, can be made, and states only what is plausible."""

import datetime

import pytest
from omegaconf import OmegaConf

from src.launch.choices import CONF
from src.tasks.components import build
from tests.composing import GIVEN, composed

NAMES = sorted(file.stem for file in (CONF / "llm").glob("*.yaml"))
LINGGYM = {
    "qwen2_5_7b_instruct": 32768,
    "qwen2_5_32b_instruct": 32768,
    "gemma_3_4b_it": 131072,
    "gemma_3_12b_it": 131072,
    "gemma_3_27b_it": 131072,
    "deepseek_r1_distill_qwen_7b": 131072,
    "deepseek_r1_distill_qwen_32b": 131072,
    "llama_3_8b_instruct": 8192,
    "llama_3_70b_instruct_awq": 8192,
}


def card_of(name):
    return composed("task=classify", f"llm={name}", *GIVEN.get(f"llm={name}", ()))["llm"]


def is_chat(name):
    return "/hydra/schema/llm@_here_: chat" in (CONF / "llm" / f"{name}.yaml").read_text("utf-8")


CHAT = [name for name in NAMES if is_chat(name)]


@pytest.mark.parametrize("name", NAMES)
def test_every_card_composes_and_can_be_made(name, tmp_path):
    assert card_of(name)["name"] == name
    stored = {"store": f"{tmp_path}/replies.db"} if name in CHAT else {}
    model = build(OmegaConf.create({**card_of(name), **stored}))
    assert model.name == name
    assert model.reads_prompts is (name in CHAT)
    assert callable(model.ask) and model.usage().get("usage/requests", 0) == 0


@pytest.mark.parametrize("name", CHAT)
def test_a_prompt_has_room_beside_the_reply(name):
    card = card_of(name)
    assert 0 < card["max_tokens"] < card["context"]
    assert card["about"] or name == "endpoint"
    assert (card["base_url"] is None) is (card["server"] is not None)


@pytest.mark.parametrize("name", CHAT)
def test_prices_are_dated_and_in_order(name):
    price = card_of(name)["price"]
    if price["prompt"] is None:
        assert (price["completion"], price["cached"], price["date"]) == (None, None, "")
        return
    assert 0 < price["prompt"] < price["completion"]
    assert price["cached"] is None or 0 < price["cached"] < price["prompt"]
    assert price["batch"] == 0.5
    day = datetime.date.fromisoformat(price["date"])
    assert datetime.date(2024, 5, 13) <= day <= datetime.date.today()


def test_only_endpoints_that_cost_want_a_key():
    cards = {name: card_of(name) for name in CHAT}
    paid = {name for name, card in cards.items() if card["key_env"] is not None}
    assert paid == {name for name, card in cards.items() if card["price"]["prompt"] is not None}
    assert all(card_of(name)["base_url"] == "https://api.openai.com/v1" for name in paid)


@pytest.mark.parametrize(("name", "context"), LINGGYM.items())
def test_linggyms_models_are_sampled_as_in_the_paper(name, context):
    card = card_of(name)
    assert (card["temperature"], card["top_p"], card["max_tokens"]) == (0.7, 0.9, 2048)
    assert card["extra"] == {"repetition_penalty": 1.1}
    assert card["context"] == context
    assert f"vllm serve {card['model']} --max-model-len {context}" in (
        CONF / "llm" / f"{name}.yaml"
    ).read_text(encoding="utf-8")


def test_openais_models_of_the_papers():
    old, mini = card_of("gpt_4o_2024_05_13"), card_of("o4_mini")
    assert (old["model"], old["temperature"]) == ("gpt-4o-2024-05-13", 0.2)
    assert (old["price"]["prompt"], old["price"]["completion"]) == (5, 15)
    assert (mini["temperature"], mini["max_tokens_name"]) == (None, "max_completion_tokens")
    price = mini["price"]
    assert (price["prompt"], price["cached"], price["completion"]) == (1.1, 0.275, 4.4)


def test_the_default_is_served_here_as_its_card_says():
    card = card_of("smollm2")
    assert composed()["llm"]["name"] == "smollm2"
    assert card["server"]["context"] == card["context"] == 8192
    assert composed("llm.context=2048")["llm"]["server"]["context"] == 2048
    assert (card["temperature"], card["server"]["slots"]) == (0, 1)
    assert (card["base_url"], card["key_env"]) == (None, None)
