"""The model cards in conf/reranker: what each sends, literally, and that each can be used."""

import re
from functools import cache
from pathlib import Path
from typing import Any

import pytest
from hydra.utils import instantiate
from omegaconf import OmegaConf

from src.errors import GrambenchError
from src.records import Search
from tests.composing import config

CARDS = Path(__file__).parents[2] / "conf" / "reranker"
MODELS = sorted(
    path.stem for path in CARDS.glob("*.yaml") if "about:" in path.read_text(encoding="utf-8")
)

WEB = "Given a web search query, retrieve relevant passages that answer the query"
SEARCH = Search("wals_81a", "Order of S and V", "term", "Find {query} in grammars", "mine")
BARE = Search("wals_81a", "Order of S and V", "term")
TEXT = "The {query} is last."

YES_NO = (
    "<|im_start|>system\nJudge whether the Document meets the requirements based on the Query and "
    'the Instruct provided. Note that the answer can only be "yes" or "no".<|im_end|>\n'
    "<|im_start|>user\n<Instruct>: %s\n<Query>: Order of S and V\n"
)

# query with an instruct, query without, document
SENT = {
    "minilm": ("Find {query} in grammars\nOrder of S and V", "Order of S and V", TEXT),
    "bge_en_icl": (
        "<instruct>Find {query} in grammars.\n<query>Order of S and V\n<response>",
        "Order of S and V\n<response>",
        TEXT,
    ),
    "stella_en_1_5b_v5": (
        "Instruct: Find {query} in grammars.\nQuery: Order of S and V",
        "Order of S and V",
        TEXT,
    ),
    "nv_retriever_v1": (
        "Find {query} in grammars: Order of S and V",
        "Order of S and V",
        f"passage: {TEXT}",
    ),
    **dict.fromkeys(
        [
            "gte_qwen2_7b_instruct",
            "linq_embed_mistral",
            "sfr_embedding_2_r",
            "sfr_embedding_mistral",
            "multilingual_e5_large_instruct",
        ],
        (
            "Instruct: Find {query} in grammars\nQuery: Order of S and V",
            "Order of S and V",
            TEXT,
        ),
    ),
    **dict.fromkeys(
        ["qwen3_embedding_0_6b", "qwen3_embedding_4b", "qwen3_embedding_8b"],
        (
            "Instruct: Find {query} in grammars\nQuery:Order of S and V",
            "Order of S and V",
            TEXT,
        ),
    ),
    "bge_m3": ("Order of S and V", "Order of S and V", TEXT),
    "embeddinggemma_300m": (
        "task: Find {query} in grammars | query: Order of S and V",
        "task: search result | query: Order of S and V",
        f"title: none | text: {TEXT}",
    ),
    "bge_reranker_v2_m3": ("Order of S and V", "Order of S and V", TEXT),
    "qwen3_reranker_0_6b": (
        YES_NO % "Find {query} in grammars",
        YES_NO % WEB,
        f"<Document>: {TEXT}",
    ),
}


@cache
def read(card: str, allow_remote_code: bool = True) -> Any:
    allowed = f"allow_remote_code={str(allow_remote_code).lower()}"
    return config(f"reranker={card}", "device=cpu", allowed).reranker


def test_every_card_of_the_paper_and_ours_is_there() -> None:
    assert set(SENT) <= set(MODELS)
    assert {path.stem for path in CARDS.glob("*.yaml")} >= {"none", "recorded", *SENT}


@pytest.mark.parametrize("card", SENT)
def test_the_literal_strings_sent(card: str) -> None:
    templates = instantiate(read(card)).templates
    found = (
        templates.query_text(SEARCH),
        templates.query_text(BARE),
        templates.document_text(TEXT),
    )
    assert found == SENT[card]


@pytest.mark.parametrize("card", MODELS)
def test_inputs_are_what_the_templates_use(card: str) -> None:
    made = instantiate(read(card))
    assert set(made.inputs) == set(made.templates.inputs) == set(read(card).inputs)
    assert "query" in made.inputs
    changed = Search("wals_81a", SEARCH.query, "term", "Another instruct", "other")
    differs = made.templates.query_text(changed) != made.templates.query_text(SEARCH)
    assert ("instruct" in made.inputs) == differs


@pytest.mark.parametrize("card", MODELS)
def test_a_card_says_what_a_reader_must_know(card: str) -> None:
    values = OmegaConf.to_container(read(card), resolve=True)
    assert isinstance(values, dict)
    assert values["name"] == card
    assert {"licence", "parameters", "source", "citation"} <= set(values["about"])
    assert ("dimensions" in values["about"]) == ("vectors" in values)
    assert values["about"]["source"].startswith("https://")
    assert values["dtype"] in ("float32", "bfloat16", "float16")
    assert values["padding_side"] in ("left", "right")
    assert isinstance(values["remote_code"], bool)
    assert 0 < values["max_tokens"] <= 32_768


@pytest.mark.parametrize("card", MODELS)
def test_a_card_pins_its_model(card: str) -> None:
    text = (CARDS / f"{card}.yaml").read_text(encoding="utf-8")
    revision = read(card).revision
    if revision == "main":
        assert re.search(r"^revision: main  # \w+", text, re.MULTILINE), "say why it is not pinned"
    else:
        assert isinstance(revision, str)
        version = read(card).model.startswith("package:")
        assert re.fullmatch(r"[\d.]+" if version else r"[0-9a-f]{40}", revision)


@pytest.mark.parametrize("card", [card for card in MODELS if read(card).remote_code])
def test_a_models_own_code_needs_the_users_leave(card: str) -> None:
    with pytest.raises(Exception, match="allow_remote_code=true") as caught:
        instantiate(read(card, allow_remote_code=False))
    assert isinstance(caught.value.__cause__ or caught.value, GrambenchError)


def test_two_instructs_and_two_queries_make_four_strings() -> None:
    for card in MODELS:
        made = instantiate(read(card))
        strings = {
            made.templates.query_text(Search("f", query, "q", instruct, "i"))
            for query in ("Order of S and V", "Words and their order")
            for instruct in (WEB, "Find what decides the value")
        }
        assert len(strings) == (4 if "instruct" in made.inputs else 2)
