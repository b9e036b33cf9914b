"""What a run's identity follows beside its config: packs, models, tokenizers."""

import pytest

from src.errors import GrambenchError
from src.launch.job import check_values, identity_of
from tests.composing import composed, config
from tests.packs import write_books


@pytest.fixture
def told(tmp_path):
    """Compose a run over a pack of books, and return its identity."""
    write_books(tmp_path / "data" / "books")

    def identity(*overrides):
        place = [f"paths.data={tmp_path / 'data'}", "data.name=books"]
        return identity_of(composed("task=retrieve", "reranker=none", *place, *overrides))

    return identity


def model(folder, name, **files):
    place = folder / name
    place.mkdir()
    for file, text in {"config": "{}", "tokenizer": "{}", **files}.items():
        (place / f"{file}.json").write_text(text)
    return place


def test_a_tokenizer_counts_by_its_content(tmp_path, told):
    one = model(tmp_path, "one")
    tokens = told(f"task.tokenizer.model={one}")
    assert told(f"task.tokenizer.model={model(tmp_path, 'copy')}") == tokens
    # what is beside it in the folder counts no tokens
    assert told(f"task.tokenizer.model={model(tmp_path, 'more', config='[]')}") == tokens
    (one / "tokenizer.json").write_text('{"changed": true}')
    assert told(f"task.tokenizer.model={one}") != tokens
    with pytest.raises(GrambenchError, match="no model at"):
        told("task.tokenizer.model=/nowhere")


def test_what_a_task_does_not_read_need_not_be_there(tmp_path, told):
    missing = ("reranker=minilm", f"reranker.model={tmp_path / 'gone'}")
    with pytest.raises(GrambenchError, match="no model at"):
        told(*missing)
    reads = "task.reads=[data,feature,retriever]"
    assert told(*missing, reads) == told(reads)


@pytest.fixture
def gguf(tmp_path):
    """A file as a GGUF of the user's; nothing loads it to tell what it is."""
    file = tmp_path / "mine.gguf"
    file.write_bytes(b"GGUF" * 90_000)
    return file


def test_a_model_in_this_process_counts_by_its_content(tmp_path, told, gguf):
    llm = ("task=classify", "llm.name=mine", "llm.model=mine")
    mine = told(*llm, f"llm.server.model={gguf}")
    copy = tmp_path / "elsewhere" / "other.gguf"
    copy.parent.mkdir()
    copy.write_bytes(gguf.read_bytes())
    assert told(*llm, f"llm.server.model={copy}") == mine
    assert told(*llm, f"llm.server.model={copy}", "llm.server.revision=9") == mine
    copy.write_bytes(gguf.read_bytes()[:-4] + b"LAST")
    assert told(*llm, f"llm.server.model={copy}") != mine
    with pytest.raises(GrambenchError, match="no file for the model '/nowhere'"):
        told(*llm, "llm.server.model=/nowhere")
    # A task that asks no LLM needs none.
    assert told("llm.server.model=/nowhere") == told()


@pytest.mark.parametrize("key", ["threads", "slots", "batch", "gpu_layers"])
def test_how_a_model_in_this_process_computes_counts(told, gguf, key):
    llm = ("task=classify", f"llm.server.model={gguf}")
    assert told(*llm, f"llm.server.{key}=7") != told(*llm)


HOW = {
    "base_url": "http://elsewhere/v1",
    "key_env": "OTHER",
    "concurrency": "3",
    "timeout": "9",
    "attempts": "2",
    "price.prompt": "7",
    "budget_usd": "1",
    "store": "elsewhere.db",
    "mode": "batch",
    "batch.poll": "1",
    "max_tokens_name": "max_completion_tokens",
    "+about.note": "x",
}


@pytest.mark.parametrize("key", HOW)
def test_how_an_llm_is_reached_does_not_count(told, key):
    llm = ("task=classify", "llm=qwen3_32b")
    name = f"+llm.{key[1:]}" if key.startswith("+") else f"llm.{key}"
    assert told(*llm, f"{name}={HOW[key]}") == told(*llm)


def test_what_an_llm_counts_tokens_with_counts_by_its_content(tmp_path, told):
    llm = ("task=classify", "llm=qwen3_32b")
    one, copy = model(tmp_path, "one"), model(tmp_path, "copy")
    tokens = told(*llm, f"llm.tokens.model={one}")
    assert told(*llm, f"llm.tokens.model={copy}") == tokens != told(*llm)
    (copy / "tokenizer.json").write_text("[]")
    assert told(*llm, f"llm.tokens.model={copy}") != tokens
    assert told(*llm, "llm.tokens.characters=2.0") != told(*llm)


@pytest.mark.parametrize(
    "override",
    ["task.k=0", "task.cutoffs=[5,0]", "task.resamples=0", "rerank.k=0", "limit=0", "seed=-1"],
)
def test_counts_that_say_nothing_are_refused_before_anything_is_read(override):
    key = override.partition("=")[0]
    with pytest.raises(GrambenchError, match=f"^{key} is .*; give [01] or more"):
        check_values(config("task=retrieve", override))


def test_counts_that_may_be_left_open():
    cfg = config("task=retrieve", "rerank.k=null", "limit=null", "task.cutoffs=[]")
    check_values(cfg)
    assert cfg.rerank.k is None and cfg.limit is None


def test_another_pack_of_a_component_counts_by_its_content(tmp_path, told):
    other = write_books(tmp_path / "other")
    assert told(f"retriever.pack={other}") == told() != told("retriever.pack=null")
    nested = ("retriever=hybrid", "retriever@retriever.parts.lexical=given")
    within = told(*nested)
    assert told(*nested, f"retriever.parts.lexical.pack={other}") == within
    (other / "candidates.csv").write_text("feature,paragraph\nwals_81a,north/0002\n")
    assert told(f"retriever.pack={other}") not in (told(), told("retriever.pack=null"))
    assert told(*nested, f"retriever.parts.lexical.pack={other}") != within
    with pytest.raises(GrambenchError, match="no pack 'gone'"):
        told(f"retriever.pack={tmp_path / 'gone'}")
