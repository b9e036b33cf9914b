"""What embedding rerankers keep, so that no text is encoded twice and no wrong vector is used."""

import subprocess
import sys
import threading
import weakref
from collections.abc import Sequence
from dataclasses import fields
from pathlib import Path
from typing import Any

import numpy as np
import numpy.typing as npt
import pytest
from omegaconf import OmegaConf

from src.models.finding import FoundModel
from src.records import Search
from src.retrieval import cross_encoder, embedding
from src.retrieval.cross_encoder import CrossEncoderReranker
from src.retrieval.embedding import EmbeddingReranker
from src.retrieval.encoders import load_encoder
from src.retrieval.shared import _MODELS, forget_models
from tests.retrieval.encoder_help import (
    MINILM,
    SEARCH,
    TEXTS,
    VERSION,
    Faulty,
    minilm,
    paragraphs,
    spec,
)

pytestmark = pytest.mark.usefixtures("fresh")

INSTRUCTS = {"default": "Find paragraphs about word order", "specific": "Find what decides a value"}
QUERIES = {"term": "Order of subject, object and verb", "summary": "Word order is how words stand."}


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
    _MODELS.clear()
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
    minilm(name="mini/lm", vectors=tmp_path).prepare(paragraphs())
    lock, folder = sorted(tmp_path.iterdir())
    assert lock.name == ".mini_lm-float32.lock"  # beside the folder, for DVC tracks what is in it
    assert folder.name == "mini_lm-float32"
    (shard,) = folder.iterdir()
    key, texts = shard.stem.split("-")
    assert (len(key), len(texts), shard.suffix) == (16, 16, ".safetensors")


def test_equal_paragraphs_make_equal_files(tmp_path: Path) -> None:
    contents = []
    for folder, order in (("a", 1), ("b", -1)):
        forget_models()
        minilm(vectors=tmp_path / folder).prepare(paragraphs()[::order])
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
            minilm(vectors=tmp_path).prepare(paragraphs())
    forget_models()
    reranker = minilm(vectors=tmp_path)
    assert reranker.prepare(paragraphs()) == reranker.documents_encoded == 2  # the empty text and x
    assert len(list(tmp_path.rglob("*.safetensors"))) == 3


@pytest.mark.parametrize(
    "changes",
    [
        {"document_template": "passage: {document}"},
        {"max_tokens": 8},
        {"padding_side": "left"},
        {"config": {"use_cache": False}},
        {"config": OmegaConf.create({"nested": {"list": [1, 2]}})},
        {"remote_code": True, "allow_remote_code": True},
        {"backend": "sentence"},
        {"dtype": "bfloat16"},
    ],
)
def test_what_determines_vectors_keeps_them_apart(tmp_path: Path, changes: dict[str, Any]) -> None:
    minilm(vectors=tmp_path).prepare(paragraphs())
    changed = minilm(vectors=tmp_path, **changes)
    assert changed.prepare(paragraphs()) == len(TEXTS)
    assert minilm(vectors=tmp_path).prepare(paragraphs()) == 0


def test_what_does_not_determine_vectors_shares_them(tmp_path: Path) -> None:
    minilm(vectors=tmp_path).prepare(paragraphs())
    forget_models()
    other = minilm(
        vectors=tmp_path, batch_size=1, device="auto", query_template="{instruct}{query}"
    )
    assert other.prepare(paragraphs()) == 0


def test_code_of_its_own_may_let_neighbours_count(tmp_path: Path) -> None:
    minilm(vectors=tmp_path, backend="own", batch_size=2).prepare(paragraphs())
    assert minilm(vectors=tmp_path, backend="own", batch_size=2).prepare(paragraphs()) == 0
    assert minilm(vectors=tmp_path, backend="own", batch_size=1).prepare(paragraphs()) == len(TEXTS)


def test_all_that_an_encoder_is_told_but_the_device_is_in_the_key() -> None:
    plain = spec("x")
    changes: dict[str, Any] = {
        "model": FoundModel("x", None, "another"),
        "max_tokens": 7,
        "dtype": "bfloat16",
        "padding_side": "left",
        "remote_code": True,
        "backend": "own",
        "config": '{"a": 1}',
    }
    assert set(changes) == {field.name for field in fields(plain)} - {"device"}
    for name, value in changes.items():
        assert spec("x", **{name: value}).key() != plain.key(), name
    assert spec("x", device="cuda").key() == plain.key()
    moved = FoundModel("y", None, plain.model.identity)
    assert spec("y", model=moved).key() == plain.key()


def test_a_config_of_hydra_comes_to_the_model_as_json() -> None:
    nested = OmegaConf.create({"b": {"list": [1, {"x": None}]}, "a": False})
    for config in (nested, OmegaConf.to_container(nested)):
        made = minilm(config=config)._spec.config
        assert made == '{"a": false, "b": {"list": [1, {"x": null}]}}'


def test_prepared_at_once_is_sorted_over_all_and_kept_in_one_file(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    machine = Faulty({})
    monkeypatch.setattr(embedding, "load_encoder", lambda spec: machine)
    texts = ["short", "long " * 9, "x", "longer " * 9, "middle " * 3]
    reranker = minilm(vectors=tmp_path, batch_size=2)
    assert reranker.prepare(paragraphs(texts)) == 5
    for first in (0, 2, 4):
        reranker.score(SEARCH, paragraphs(texts)[first : first + 2])
    assert reranker.documents_encoded == 5
    documents = machine.batches[:3]
    assert documents == [[texts[3], texts[1]], [texts[4], texts[0]], [texts[2]]]
    assert len(list(tmp_path.rglob("*.safetensors"))) == 1


ENCODE_BOTH = """
import sys, time
from pathlib import Path
from tests.retrieval.encoder_help import SEARCH, minilm, paragraphs

me, other, folder = sys.argv[1:]
minilm().score(SEARCH, paragraphs(["the model is loaded, so that both begin at once"]))
Path(folder, me).touch()
while not Path(folder, other).exists():
    time.sleep(0.001)
reranker = minilm(vectors=Path(folder, "vectors"))
texts = [f"Paragraph {n} speaks of the order of words in clauses." * 3 for n in range(60)]
scores = [
    score
    for first in range(0, 60, 20)
    for score in reranker.score(SEARCH, paragraphs(texts[first : first + 20]))
]
print(reranker.documents_encoded, *scores)
"""


def test_two_processes_together_encode_each_text_once(tmp_path: Path) -> None:
    commands = [
        [sys.executable, "-c", ENCODE_BOTH, me, other, str(tmp_path)]
        for me, other in (("a", "b"), ("b", "a"))
    ]
    processes = [subprocess.Popen(c, stdout=subprocess.PIPE, text=True) for c in commands]
    said = [process.communicate()[0].split() for process in processes]
    assert [process.returncode for process in processes] == [0, 0]
    assert sum(int(encoded) for encoded, *_ in said) == 60
    assert said[0][1:] == said[1][1:]


def test_nobody_is_waited_for_where_nothing_is_missing(tmp_path: Path) -> None:
    minilm(vectors=tmp_path).prepare(paragraphs())
    (tmp_path / ".minilm-float32.lock").unlink()
    forget_models()
    assert minilm(vectors=tmp_path).score(SEARCH, paragraphs()).shape == (len(TEXTS),)
    assert not (tmp_path / ".minilm-float32.lock").exists()


def test_an_embedding_model_and_a_cross_encoder_are_not_kept_side_by_side(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    class Model(Faulty):
        def score(self, pairs: Sequence[tuple[str, str]]) -> npt.NDArray[np.float32]:
            return np.zeros(len(pairs), dtype=np.float32)

    alive: list[weakref.ref[Model]] = []

    def load(_: object) -> Model:
        assert [model() for model in alive] == [None] * len(alive)
        made = Model({})
        alive.append(weakref.ref(made))
        return made

    monkeypatch.setattr(embedding, "load_encoder", load)
    monkeypatch.setattr(cross_encoder, "load_scorer", load)
    card = {"name": "pair", "inputs": ["query"], "model": MINILM, "revision": VERSION}
    templates = {"query_template": "{query}", "query_template_without_instruct": "{query}"}
    for text in ("a", "b"):
        minilm().score(SEARCH, paragraphs([text]))
        pair = CrossEncoderReranker(
            **card, **templates, document_template="{document}", max_tokens=9, device="cpu"
        )
        pair.score(SEARCH, paragraphs([text]))
    assert len(alive) == 4
    forget_models()
    assert alive[-1]() is None


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
