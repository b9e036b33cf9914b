import copy
import unicodedata

import pytest

from src.tracking.identity import HOW, identity, what
from tests.composing import composed

MINILM = composed()
RECORDED = composed("reranker=recorded")
PLAIN = composed("reranker=none")


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
    for key, value in config.items():
        name = f"{prefix}{key}"
        if isinstance(value, dict) and value and name not in HOW:
            yield from leaves(value, f"{name}.")
        else:
            yield name


def test_every_key_of_a_run_is_known_to_count_or_not():
    """A new key must be put into one of the two lists on purpose."""
    counting = {
        "task.confidence task.cutoffs task.gain task.k task.name task.relevant task.resamples",
        "task.run data.name feature.id limit seed repeat retriever._target_ retriever.name",
        "retriever.k reranker._target_ reranker.name reranker.model reranker.revision",
        "reranker.max_tokens reranker.dtype reranker.padding_side reranker.remote_code",
        "reranker.query_template reranker.query_template_without_instruct",
        "reranker.document_template reranker.backend reranker.config reranker.batch_size",
        "query.name query.text instruct.name instruct.text",
    }
    names = {name for line in counting for name in line.split()}
    assert set(leaves(MINILM)) - HOW == names


@pytest.mark.parametrize("key", sorted(HOW - {"batch_size", "reranker.pack", "retriever.about"}))
def test_how_a_run_is_made_does_not_matter(key):
    if key.endswith(".inputs"):
        return  # they say what counts; see below
    assert changed(MINILM, key, "something else") == identity(MINILM, "digest")


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
