import copy

import pytest

from src.tracking.identity import identity

CONFIG = {
    "task": {"name": "rerank", "k": 20},
    "data": {"name": "demo", "path": "data/demo"},
    "retriever": {"name": "given", "inputs": []},
    "reranker": {
        "name": "minilm",
        "inputs": ["query", "instruct"],
        "device": "cpu",
        "about": {"licence": "Apache-2.0"},
    },
    "query": {"name": "term", "text": "word order"},
    "instruct": {"name": "none", "text": ""},
    "tracking": {"parent": None},
    "device": "cpu",
    "seed": 0,
}


def changed(path, value):
    config = copy.deepcopy(CONFIG)
    node = config
    for part in path[:-1]:
        node = node[part]
    node[path[-1]] = value
    return identity(config, "digest")


@pytest.mark.parametrize(
    "path",
    [
        ("device",),
        ("reranker", "device"),
        ("reranker", "about", "licence"),
        ("data", "path"),
        ("tracking", "parent"),
    ],
)
def test_how_a_run_is_made_does_not_matter(path):
    assert changed(path, "something else") == identity(CONFIG, "digest")


@pytest.mark.parametrize(
    "path", [("seed",), ("task", "k"), ("reranker", "name"), ("query", "text"), ("data", "name")]
)
def test_what_determines_the_result_does_matter(path):
    assert changed(path, "something else") != identity(CONFIG, "digest")


def test_the_data_matters():
    assert identity(CONFIG, "digest") != identity(CONFIG, "other")


def test_the_order_of_keys_does_not_matter():
    assert identity(dict(reversed(CONFIG.items())), "digest") == identity(CONFIG, "digest")


def test_parts_of_the_search_that_nothing_reads_do_not_matter():
    config = copy.deepcopy(CONFIG)
    config["reranker"] = {"name": "none", "inputs": []}
    other = copy.deepcopy(config)
    other["query"] = {"name": "summary", "text": None}
    other["instruct"] = {"name": "specific", "text": "Find it"}
    assert identity(config, "digest") == identity(other, "digest")


def test_a_query_counts_where_only_the_retriever_reads_it():
    config = copy.deepcopy(CONFIG)
    config["reranker"] = {"name": "none", "inputs": []}
    config["retriever"] = {"name": "bm25", "inputs": ["query"]}
    other = copy.deepcopy(config)
    other["query"]["text"] = "negation"
    assert identity(config, "digest") != identity(other, "digest")
