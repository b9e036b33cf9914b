import threading
from collections.abc import Iterator, Sequence
from pathlib import Path
from typing import Any

import numpy as np
import numpy.typing as npt
import pytest

from src.errors import GrambenchError
from src.records import Paragraph, Search
from src.retrieval import embedding
from src.retrieval.embedding import EmbeddingReranker, encode_documents, forget_models
from src.retrieval.encoders import load_encoder
from src.retrieval.none import NoReranker
from src.retrieval.onnx import OnnxEncoder
from tests.retrieval.encoder_help import (
    SEARCH,
    TEXTS,
    minilm,
    minilm_folder,
    normalised,
    paragraphs,
)

INSTRUCTS = {"default": "Find paragraphs about word order", "specific": "Find what decides a value"}
QUERIES = {"term": "Order of subject, object and verb", "summary": "Word order is how words stand."}


@pytest.fixture(scope="module")
def encoder() -> OnnxEncoder:
    return OnnxEncoder(minilm_folder(), 256)


@pytest.fixture(autouse=True)
def fresh(monkeypatch: pytest.MonkeyPatch, encoder: OnnxEncoder) -> Iterator[None]:
    """Each test starts as a process does, but that the model need not be read again."""
    monkeypatch.setattr(embedding, "load_encoder", lambda spec: encoder)
    forget_models()
    yield
    forget_models()


def cosines(encoder: OnnxEncoder, search_text: str) -> npt.NDArray[np.float64]:
    def vector(text: str) -> Any:
        return normalised(encoder.encode(encoder.prepare([text])))[0]

    query = vector(search_text)
    return np.array([float(vector(text) @ query) for text in TEXTS])


def test_scores_are_cosines(encoder: OnnxEncoder) -> None:
    scores = minilm().score(SEARCH, paragraphs())
    assert scores.dtype == np.float64
    sent = "Find paragraphs about word order\nOrder of subject, object and verb"
    assert np.abs(scores - cosines(encoder, sent)).max() < 1e-6


def test_without_an_instruct_the_bare_query_is_sent(encoder: OnnxEncoder) -> None:
    bare = Search(feature="f", query="Tone", query_name="term")
    assert np.abs(minilm().score(bare, paragraphs()) - cosines(encoder, "Tone")).max() < 1e-6


@pytest.mark.parametrize("batch_size", [1, 3, 64])
def test_scores_do_not_depend_on_the_batch_size(batch_size: int) -> None:
    scores = minilm(batch_size=batch_size).score(SEARCH, paragraphs())
    forget_models()
    assert np.abs(scores - minilm(batch_size=5).score(SEARCH, paragraphs())).max() < 1e-6


def test_nor_on_the_other_paragraphs() -> None:
    scores = minilm().score(SEARCH, paragraphs())
    assert minilm().score(SEARCH, paragraphs()[3:5]).tolist() == scores[3:5].tolist()
    assert minilm().score(SEARCH, paragraphs()[::-1]).tolist() == scores[::-1].tolist()


def test_no_paragraphs() -> None:
    reranker = minilm(model="package:no_such_model")
    assert reranker.score(SEARCH, []).shape == (0,)


def test_equal_texts_are_encoded_once_and_tie_exactly() -> None:
    reranker = minilm()
    scores = reranker.score(SEARCH, paragraphs(["b", "a", "b", "a c", "b"]))
    assert reranker.documents_encoded == 3
    assert len(set(scores.tolist())) == 3
    assert scores[0] == scores[2] == scores[4]


def test_a_sweep_encodes_documents_once_and_each_query_once(tmp_path: Path) -> None:
    counts = []
    for instruct, instruct_text in INSTRUCTS.items():
        for query, query_text in QUERIES.items():
            for _grammar in range(3):
                reranker = minilm(vectors=tmp_path)
                search = Search("wals_81a", query_text, query, instruct_text, instruct)
                reranker.score(search, paragraphs())
                counts.append((reranker.documents_encoded, reranker.queries_encoded))
    assert sum(documents for documents, _ in counts) == len(TEXTS)
    assert sum(queries for _, queries in counts) == 4
    assert counts[0] == (len(TEXTS), 1)


def test_another_process_encodes_queries_only(tmp_path: Path) -> None:
    scores = minilm(vectors=tmp_path).score(SEARCH, paragraphs())
    forget_models()
    reranker = minilm(vectors=str(tmp_path))
    assert reranker.score(SEARCH, paragraphs()).tolist() == scores.tolist()
    assert (reranker.documents_encoded, reranker.queries_encoded) == (0, 1)


def test_the_model_is_not_loaded_where_nothing_is_to_be_encoded(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    minilm(vectors=tmp_path).score(SEARCH, paragraphs())
    embedding._ENCODERS.clear()
    loaded: list[object] = []
    monkeypatch.setattr(embedding, "load_encoder", loaded.append)
    minilm(vectors=tmp_path).score(SEARCH, paragraphs())
    assert loaded == []


def test_a_model_is_loaded_once_a_process(monkeypatch: pytest.MonkeyPatch) -> None:
    loaded: list[object] = []

    def load(spec: Any) -> Any:
        loaded.append(spec)
        return load_encoder(spec)

    monkeypatch.setattr(embedding, "load_encoder", load)
    for text in ("a", "b"):
        minilm().score(SEARCH, paragraphs([text]))
    assert len(loaded) == 1


def test_the_cache_lies_where_dvc_looks(tmp_path: Path) -> None:
    minilm(name="mini/lm", vectors=tmp_path).embed(paragraphs())
    (folder,) = tmp_path.iterdir()
    assert folder.name == "mini_lm-float32"
    (shard,) = folder.iterdir()
    key, texts = shard.stem.split("-")
    assert (len(key), len(texts), shard.suffix) == (16, 16, ".safetensors")


def test_equal_paragraphs_make_equal_files(tmp_path: Path) -> None:
    contents = []
    for folder, order in (("a", 1), ("b", -1)):
        forget_models()
        minilm(vectors=tmp_path / folder).embed(paragraphs()[::order])
        (shard,) = (tmp_path / folder).rglob("*.safetensors")
        contents.append((shard.name, shard.read_bytes()))
    assert contents[0] == contents[1]


def test_little_is_lost_by_a_kill(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(embedding, "SHARD_TEXTS", 3)

    class Killed(Exception):
        pass

    def encode(self: EmbeddingReranker, texts: Sequence[tuple[str, str]], *more: Any) -> Any:
        if any(text == "x" for text, _ in texts):
            raise Killed
        return real(self, texts, *more)

    real = EmbeddingReranker._encode
    with monkeypatch.context() as patch:
        patch.setattr(EmbeddingReranker, "_encode", encode)
        with pytest.raises(Killed):
            minilm(vectors=tmp_path).embed(paragraphs())
    forget_models()
    reranker = minilm(vectors=tmp_path)
    assert reranker.embed(paragraphs()) == reranker.documents_encoded == 2  # the empty text and x
    assert len(list(tmp_path.rglob("*.safetensors"))) == 3


@pytest.mark.parametrize(
    "changes",
    [
        {"document_template": "passage: {document}"},
        {"max_tokens": 8},
        {"padding_side": "left"},
        {"config": {"use_cache": False}},
    ],
)
def test_what_determines_vectors_keeps_them_apart(tmp_path: Path, changes: dict[str, Any]) -> None:
    minilm(vectors=tmp_path).embed(paragraphs())
    changed = minilm(vectors=tmp_path, **changes)
    assert changed.embed(paragraphs()) == len(TEXTS)
    assert minilm(vectors=tmp_path).embed(paragraphs()) == 0


def test_what_does_not_determine_vectors_shares_them(tmp_path: Path) -> None:
    minilm(vectors=tmp_path).embed(paragraphs())
    forget_models()
    other = minilm(
        vectors=tmp_path, batch_size=1, device="auto", query_template="{instruct}{query}"
    )
    assert other.embed(paragraphs()) == 0


def test_two_threads_do_not_encode_the_same() -> None:
    rerankers = [minilm() for _ in range(4)]
    scores: dict[int, list[float]] = {}

    def work(number: int) -> None:
        scores[number] = rerankers[number].score(SEARCH, paragraphs()).tolist()

    threads = [threading.Thread(target=work, args=(number,)) for number in range(4)]
    for thread in threads:
        thread.start()
    for thread in threads:
        thread.join()
    assert sum(reranker.documents_encoded for reranker in rerankers) == len(TEXTS)
    assert sum(reranker.queries_encoded for reranker in rerankers) == 1
    assert all(found == scores[0] for found in scores.values())


class Faulty:
    """An encoder that returns what a test says, with room for so many texts at a time."""

    def __init__(self, vectors: dict[str, list[float]], room: int = 99) -> None:
        self.vectors = vectors
        self.room = room

    def prepare(self, texts: Sequence[str]) -> Sequence[str]:
        return texts

    def encode(self, prepared: Sequence[str]) -> npt.NDArray[np.float32]:
        if len(prepared) > self.room:
            raise RuntimeError("CUDA out of memory")
        rows = [self.vectors.get(text, [3.0, 4.0]) for text in prepared]
        return np.array(rows, dtype=np.float32)


@pytest.mark.parametrize(
    ("bad", "message"),
    [
        ([float("nan"), 1.0], "no finite numbers for paragraph g/002"),
        ([float("inf"), 1.0], "no finite numbers for paragraph g/002"),
        ([0.0, 0.0], "paragraph g/002 a vector of zeros"),
    ],
)
def test_bad_vectors_are_errors_and_not_cached(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, bad: list[float], message: str
) -> None:
    monkeypatch.setattr(embedding, "load_encoder", lambda spec: Faulty({"bad": bad}))
    with pytest.raises(GrambenchError, match=message):
        minilm(vectors=tmp_path).score(SEARCH, paragraphs(["good", "bad", "fine"]))
    assert list(tmp_path.rglob("*.safetensors")) == []


def test_a_bad_query_is_named(monkeypatch: pytest.MonkeyPatch) -> None:
    bad = {"Tone": [float("nan"), 1.0]}
    monkeypatch.setattr(embedding, "load_encoder", lambda spec: Faulty(bad))
    with pytest.raises(GrambenchError, match="query 'tone'"):
        minilm().score(Search(feature="f", query="Tone", query_name="tone"), paragraphs(["a"]))


def test_out_of_memory_halves_the_batch(monkeypatch: pytest.MonkeyPatch) -> None:
    vectors = {"a": [1.0, 0.0], "b": [0.0, 2.0], "c": [-3.0, 4.0], "q": [0.0, 5.0]}
    monkeypatch.setattr(embedding, "load_encoder", lambda spec: Faulty(vectors, room=1))
    search = Search(feature="f", query="q", query_name="q")
    scores = minilm(batch_size=8).score(search, paragraphs(["a", "b", "c"]))
    assert scores.tolist() == pytest.approx([0.0, 1.0, 0.8], abs=1e-7)


def test_encode_documents(tmp_path: Path) -> None:
    reranker = minilm(vectors=tmp_path)
    assert encode_documents(reranker, paragraphs()) == len(TEXTS)
    assert encode_documents(reranker, [*paragraphs(), Paragraph("g/999", "g", "more")]) == 1
    with pytest.raises(GrambenchError, match="'none' encodes no paragraphs"):
        encode_documents(NoReranker(), paragraphs())


@pytest.mark.parametrize(
    ("changes", "message"),
    [
        ({"batch_size": 0}, "batch_size=0"),
        ({"max_tokens": 0}, "max_tokens=0"),
        ({"padding_side": "middle"}, "padding_side is 'middle'"),
        ({"inputs": ["query"]}, "Write inputs"),
        ({"remote_code": True}, "allow_remote_code=true"),
    ],
)
def test_cards_that_cannot_work(changes: dict[str, Any], message: str) -> None:
    with pytest.raises(GrambenchError, match=message):
        minilm(**changes)


@pytest.mark.parametrize(
    ("changes", "message"),
    [
        ({"model": "package:no_such_model"}, "pip install no-such-model"),
        ({"device": "tpu"}, "device=tpu"),
        ({"dtype": "float8"}, "dtype 'float8' is unknown"),
        ({"backend": "jax"}, "backend 'jax' is unknown"),
    ],
)
def test_what_this_machine_lacks(changes: dict[str, Any], message: str) -> None:
    with pytest.raises(GrambenchError, match=message):
        minilm(**changes).score(SEARCH, paragraphs())


def test_no_reranker_keeps_the_order() -> None:
    assert NoReranker("none", [], about={}).score(SEARCH, paragraphs()).tolist() == [0.0] * 8
