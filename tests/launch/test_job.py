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
