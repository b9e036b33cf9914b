import copy
import unicodedata

import pytest

from src.errors import GrambenchError
from src.tracking.identity import (
    COMPONENT_HOW,
    HOW,
    LLM_HOW,
    SEARCH_PARTS,
    groups_read,
    identity,
    inputs_of,
    what,
)
from tests.composing import composed

MINILM = composed()
RECORDED = composed("reranker=recorded")
PLAIN = composed("reranker=none")
RETRIEVE = composed("task=retrieve", "reranker=minilm")
CLASSIFY = composed("task=classify", "reranker=none")


def changed(config, dotted, value):
    config = copy.deepcopy(config)
    *path, last = dotted.split(".")
    node = config
    for part in path:
        node = node[part]
    assert last in node
    node[last] = value
    return identity(config, "digest")


def leaves(config, prefix=""):
    how = COMPONENT_HOW | (LLM_HOW if prefix == "llm." else set())
    for key, value in config.items():
        name = f"{prefix}{key}"
        if name in HOW or ("_target_" in config and key in how):
            continue
        if isinstance(value, dict) and value:
            yield from leaves(value, f"{name}.")
        else:
            yield name


def test_every_key_of_a_run_is_known_to_count_or_not():
    """A new key must be put into one of the lists on purpose."""
    counting = {
        "rerank.k",
        "task.confidence task.cutoffs task.gain task.k task.name task.relevant task.resamples",
        "task.run data.name feature.id limit seed repeat retriever._target_ retriever.name",
        "retriever.k retriever.pack",
        "reranker._target_ reranker.name reranker.model reranker.revision",
        "reranker.max_tokens reranker.dtype reranker.padding_side reranker.remote_code",
        "reranker.query_template reranker.query_template_without_instruct",
        "reranker.document_template reranker.backend reranker.config reranker.batch_size",
        "query.name query.text instruct.name instruct.text",
        "feature.definition feature.title feature.question feature.counts feature.guidelines",
        "feature.values feature.parts feature.not_mentioned",
        "prompt._target_ prompt.name prompt.system prompt.order prompt.output prompt.summary",
        "llm._target_ llm.name llm.reads_prompts llm.model llm.revision llm.context llm.max_tokens",
        "llm.temperature llm.top_p llm.seed llm.stop",
        "llm.extra.repeat_penalty llm.extra.repeat_last_n",
        "llm.tokens.model llm.tokens.revision llm.tokens.characters",
        "answers._target_ answers.name",
    }
    names = {name for line in counting for name in line.split()}
    names |= {name for name in leaves(MINILM) if name.startswith("prompt.parts.")}
    assert set(leaves(MINILM)) == names
    assert set(leaves(RETRIEVE)) - names == {"task.tokenizer.model", "task.tokenizer.revision"}


@pytest.mark.parametrize("key", sorted(LLM_HOW))
def test_how_an_llm_is_reached_does_not_matter(key):
    assert changed(CLASSIFY, f"llm.{key}", "elsewhere") == identity(CLASSIFY, "digest")


@pytest.mark.parametrize(
    "key",
    [
        *("llm.model", "llm.temperature", "llm.max_tokens", "llm.extra", "llm.context"),
        *("prompt.system", "prompt.order", "answers.name", "feature.question", "feature.values"),
        *("feature.definition", "rerank.k", "retriever.k", "repeat"),
    ],
)
def test_what_an_llm_is_asked_and_how_it_is_read_does_matter(key):
    assert changed(CLASSIFY, key, "something else") != identity(CLASSIFY, "digest")
    if key.partition(".")[0] in ("llm", "prompt", "answers", "feature"):
        assert changed(MINILM, key, "something else") == identity(MINILM, "digest")


def test_the_name_of_a_setting_counts_only_where_replies_are_looked_up_by_it():
    assert identity(composed("setting=bm25"), "digest") == identity(MINILM, "digest")
    first, second = (
        composed("task=classify", "reranker=none", "llm=recorded", f"setting={name}")
        for name in ("bm25", "baseline")
    )
    assert identity(first, "digest") != identity(second, "digest")


def test_a_task_may_read_one_key_of_a_group():
    config = {"task": {"name": "x", "reads": ["data", "feature.id", "feature.title"]}}
    config |= {"data": {"name": "d"}, "feature": {"id": "a", "title": "b", "values": [1]}}
    assert groups_read(config) == {
        "task": None,
        "data": None,
        "feature": frozenset({"id", "title"}),
    }
    config["task"]["reads"] = ["feature.idd"]
    with pytest.raises(GrambenchError, match=r"'feature.idd'.*Did you mean 'feature.id'"):
        groups_read(config)


# task.reads, inputs, batch sizes and packs say what counts; see below
@pytest.mark.parametrize("key", sorted(HOW - {"batch_size", "data.path", "task.reads"}))
def test_how_a_run_is_made_does_not_matter(key):
    assert changed(MINILM, key, "something else") == identity(MINILM, "digest")


@pytest.mark.parametrize("key", sorted(COMPONENT_HOW - {"inputs", "indexes"}))
def test_how_a_component_does_it_does_not_matter(key):
    assert changed(MINILM, f"reranker.{key}", "something else") == identity(MINILM, "digest")


def test_where_the_pack_or_an_index_lies_does_not_matter():
    moved = composed("reranker=recorded", "data.path=elsewhere")
    assert moved["reranker"]["pack"] == moved["retriever"]["pack"] == "elsewhere"
    assert identity(moved, "digest") == identity(RECORDED, "digest")
    bm25 = composed("retriever=bm25")
    assert changed(bm25, "retriever.indexes", "elsewhere") == identity(bm25, "digest")


@pytest.mark.parametrize("key", ["reranker.pack", "retriever.pack"])
@pytest.mark.parametrize("other", ["elsewhere", None])
def test_another_pack_than_the_runs_does_matter(key, other):
    assert changed(RECORDED, key, other) != identity(RECORDED, "digest")


@pytest.mark.parametrize(
    "key",
    [
        *("seed", "repeat", "limit", "task.k", "task.gain", "data.name", "feature.id"),
        *("retriever.k", "reranker.model", "reranker.revision", "reranker.dtype"),
        *("reranker.query_template", "reranker.remote_code", "instruct.text", "query.text"),
    ],
)
def test_what_determines_the_result_does_matter(key):
    assert changed(MINILM, key, "something else") != identity(MINILM, "digest")


def test_the_data_matters():
    assert identity(MINILM, "digest") != identity(MINILM, "other")


def test_the_order_of_keys_does_not_matter():
    assert identity(dict(reversed(MINILM.items())), "digest") == identity(MINILM, "digest")


@pytest.mark.parametrize("key", ["query.name", "query.text", "instruct.name", "instruct.text"])
def test_a_search_that_nothing_reads_does_not_matter(key):
    assert changed(PLAIN, key, "something else") == identity(PLAIN, "digest")


def test_models_read_texts_and_recorded_scores_names():
    own = changed(MINILM, "query.text", "order")
    named = copy.deepcopy(MINILM)
    named["query"] = {"name": "mine", "text": "order"}
    assert identity(named, "digest") == own
    assert changed(MINILM, "instruct.name", "mine") == identity(MINILM, "digest")
    assert changed(RECORDED, "instruct.name", "mine") != identity(RECORDED, "digest")
    assert changed(RECORDED, "instruct.text", "mine") == identity(RECORDED, "digest")


def test_the_packs_own_text_is_told_by_its_name():
    assert MINILM["query"]["text"] is None
    assert changed(MINILM, "query.name", "other") != identity(MINILM, "digest")


def test_a_component_that_names_no_inputs_may_read_all():
    config = copy.deepcopy(PLAIN)
    config["retriever"] = {"_target_": "mine.Retriever", "path": "a"}
    for key in ("query.name", "query.text", "instruct.name", "instruct.text"):
        assert changed(config, key, "something else") != identity(config, "digest")
    # and its own keys count, whatever they are called
    assert changed(config, "retriever.path", "b") != identity(config, "digest")


def test_a_batch_size_of_a_cards_own_counts():
    nv = composed("reranker=nv_retriever_v1")
    assert what(nv)["reranker"]["batch_size"] == 1
    assert "batch_size" not in what(MINILM)["reranker"]
    assert identity(composed("batch_size=8"), "digest") == identity(MINILM, "digest")


def test_texts_typed_in_other_normal_forms_are_the_same():
    texts = [unicodedata.normalize(form, "l'ordre préféré") for form in ("NFC", "NFD")]
    first, second = (changed(MINILM, "query.text", text) for text in texts)
    assert first == second


def hybrid(**encoder):
    """A retriever made of components, one of which is made of another."""
    card = {**MINILM["reranker"], **encoder}
    lexical = {"_target_": "bm25", "inputs": ["query"], "k": 5, "indexes": "here"}
    dense = {"_target_": "dense", "inputs": None, "encoder": card}
    parts = {"lexical": lexical, "dense": dense}
    return {**PLAIN, "retriever": {"_target_": "hybrid", "inputs": None, "parts": parts}}


def test_how_nested_components_do_it_does_not_matter():
    same = identity(hybrid(), "digest")
    how = dict.fromkeys(COMPONENT_HOW - {"inputs"}, "something else")
    assert identity(hybrid(**how), "digest") == same
    assert identity({**hybrid(batch_size=8), "batch_size": 8}, "digest") == same
    for path in ("lexical.k", "dense.encoder.model", "dense.encoder.dtype"):
        assert changed(hybrid(), f"retriever.parts.{path}", "something else") != same
    assert identity(hybrid(batch_size=8), "digest") != same
    # what a card overrides of a model's own configuration counts, whatever it is called
    assert identity(hybrid(config={"device": 1}), "digest") != same


def test_a_component_reads_what_those_that_it_is_made_of_read():
    assert inputs_of(hybrid()["retriever"]) == ("query", "instruct")
    assert inputs_of(hybrid(inputs=["query"])["retriever"]) == ("query",)
    assert inputs_of(hybrid(inputs=[])["retriever"]) == ("query",)
    assert inputs_of({"_target_": "x", "parts": [{"_target_": "y", "inputs": []}]}) == ()
    assert inputs_of({"_target_": "x", "parts": {}}) == SEARCH_PARTS
    assert changed(hybrid(), "instruct.text", "mine") != identity(hybrid(), "digest")
    bare = hybrid(inputs=["query"])
    assert changed(bare, "instruct.text", "mine") == identity(bare, "digest")


def test_what_a_task_does_not_read_does_not_matter():
    assert changed(MINILM, "rerank.k", 5) == identity(MINILM, "digest")
    assert changed(RETRIEVE, "rerank.k", 5) != identity(RETRIEVE, "digest")
    alone = copy.deepcopy(MINILM)
    alone["task"]["reads"] = ["data"]
    for key in ("retriever.k", "reranker.model", "query.text", "instruct.text", "feature.id"):
        assert changed(alone, key, "something else") == identity(alone, "digest")
    for key in ("seed", "limit", "repeat", "task.k", "data.name"):
        assert changed(alone, key, "something else") != identity(alone, "digest")


def test_a_task_that_names_nothing_may_read_all():
    own = copy.deepcopy(MINILM)
    own["task"]["reads"] = None
    for key in ("rerank.k", "retriever.k", "reranker.model", "feature.id"):
        assert changed(own, key, "something else") != identity(own, "digest")


def test_a_definition_counts_only_as_what_is_searched_for():
    assert changed(MINILM, "feature.definition", "mine") == identity(MINILM, "digest")
    first, second = (composed("query=definition", f"feature.definition={x}") for x in "ab")
    assert identity(first, "digest") != identity(second, "digest")


def test_a_group_that_there_is_not_cannot_be_read():
    own = copy.deepcopy(MINILM)
    own["task"]["reads"] = ["data", "retreiver"]
    with pytest.raises(GrambenchError, match=r"'retreiver'.*Did you mean 'retriever'"):
        identity(own, "digest")
    own["task"]["reads"] = ["data", "seed"]
    with pytest.raises(GrambenchError, match="'seed', which is no group"):
        identity(own, "digest")
