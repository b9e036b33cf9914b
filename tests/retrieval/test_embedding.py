from pathlib import Path
from typing import Any

import numpy as np
import numpy.typing as npt
import pytest

from src.errors import GrambenchError
from src.records import Paragraph, Search
from src.retrieval import embedding
from src.retrieval.embedding import encode_documents
from src.retrieval.none import NoReranker
from src.retrieval.onnx import OnnxEncoder
from src.retrieval.shared import forget_models
from tests.retrieval.encoder_help import SEARCH, TEXTS, Faulty, minilm, normalised, paragraphs

pytestmark = pytest.mark.usefixtures("fresh")


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
    assert reranker.prepare([]) == 0


def test_equal_texts_are_encoded_once_and_tie_exactly() -> None:
    reranker = minilm()
    scores = reranker.score(SEARCH, paragraphs(["b", "a", "b", "a c", "b"]))
    assert reranker.documents_encoded == 3
    assert len(set(scores.tolist())) == 3
    assert scores[0] == scores[2] == scores[4]


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
