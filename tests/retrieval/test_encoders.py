"""The backends, against sentence-transformers called in the plainest way, one text at a time."""

import json
import subprocess
import sys
from collections.abc import Callable
from pathlib import Path
from typing import Any

import numpy as np
import pytest
from sentence_transformers import SentenceTransformer

from src.errors import GrambenchError
from src.models.finding import FoundModel
from src.retrieval import bert_graph
from src.retrieval.encoders import load_encoder, pick_backend
from src.retrieval.onnx import OnnxEncoder, obstacle
from src.retrieval.sentence import OwnEncoder, SentenceEncoder
from tests.retrieval.encoder_help import (
    TEXTS,
    copy_tokenizer,
    minilm_folder,
    normalised,
    save_tiny_bert,
    spec,
)

HUB = FoundModel("org/name", "main", "org/name@main")


@pytest.fixture(scope="module")
def plain() -> SentenceTransformer:
    return SentenceTransformer(str(minilm_folder()), device="cpu")


@pytest.fixture(scope="module")
def truth(plain: SentenceTransformer) -> np.ndarray:
    return normalised([plain.encode(text) for text in TEXTS])


@pytest.fixture(scope="module")
def tiny(tmp_path_factory: pytest.TempPathFactory) -> Path:
    return save_tiny_bert(tmp_path_factory.mktemp("models") / "tiny")


@pytest.fixture(params=["onnx", "sentence"], scope="module")
def backend(request: pytest.FixtureRequest) -> Any:
    return load_encoder(spec(minilm_folder(), backend=request.param))


def encode(encoder: Any, texts: list[str]) -> np.ndarray:
    return normalised(encoder.encode(encoder.prepare(texts)))


def test_vectors_are_those_of_sentence_transformers(backend: Any, truth: np.ndarray) -> None:
    assert np.abs(encode(backend, TEXTS) - truth).max() < 1e-6


def test_a_vector_does_not_depend_on_its_neighbours(backend: Any) -> None:
    alone = np.concatenate([encode(backend, [text]) for text in TEXTS])
    assert np.abs(encode(backend, TEXTS) - alone).max() < 1e-6


def test_long_texts_are_cut_where_sentence_transformers_cuts(plain: SentenceTransformer) -> None:
    encoder = OnnxEncoder(minilm_folder(), 256)
    tokens = "one two three four five " * 80
    assert [len(ids) for ids in encoder.prepare([tokens, "one"])] == [256, 3]
    cut = "one two three four five " * 50 + "one two three four"  # 254 words and two special tokens
    assert np.abs(encode(encoder, [tokens]) - encode(encoder, [cut])).max() < 1e-6
    assert np.abs(encode(encoder, [tokens]) - normalised([plain.encode(tokens)])).max() < 1e-6


def test_max_tokens_is_the_cards_affair() -> None:
    for load in (lambda n: OnnxEncoder(minilm_folder(), n), sentence_with):
        assert (
            np.abs(encode(load(8), ["a b c d e f g h i"]) - encode(load(8), ["a b c d e f"])).max()
            < 1e-6
        )
    with pytest.raises(GrambenchError, match=r"max_tokens=513 .* at most 512"):
        OnnxEncoder(minilm_folder(), 513)


def sentence_with(max_tokens: int) -> SentenceEncoder:
    return SentenceEncoder(spec(minilm_folder(), max_tokens=max_tokens))


def test_large_batches_are_run_in_parts(monkeypatch: pytest.MonkeyPatch, truth: np.ndarray) -> None:
    monkeypatch.setattr("src.retrieval.onnx._TOKENS", 512)
    assert np.abs(encode(OnnxEncoder(minilm_folder(), 256), TEXTS) - truth).max() < 1e-6


def test_a_bert_of_another_shape(tiny: Path) -> None:
    assert obstacle(tiny) is None
    model = SentenceTransformer(str(tiny), device="cpu")
    truth = normalised([model.encode(text) for text in TEXTS])
    assert np.abs(truth[0] - truth[1]).max() > 0.01
    assert np.abs(encode(OnnxEncoder(tiny, 256), TEXTS) - truth).max() < 1e-5


def test_onnxruntime_needs_no_torch() -> None:
    lines = [
        "import sys",
        "from tests.retrieval.encoder_help import SEARCH, minilm, paragraphs",
        "assert len(minilm(device='auto').score(SEARCH, paragraphs(['a', 'b']))) == 2",
        "print(sorted({'torch', 'transformers', 'sentence_transformers'} & set(sys.modules)))",
    ]
    command = [sys.executable, "-c", "\n".join(lines)]
    done = subprocess.run(command, check=True, capture_output=True, text=True)
    assert done.stdout.strip() == "[]"


@pytest.mark.parametrize(
    ("backend", "device", "dtype", "found"),
    [
        ("auto", "cpu", "float32", "onnx"),
        ("auto", "cpu", "bfloat16", "sentence"),
        ("auto", "cuda:1", "float32", "sentence"),
        ("onnx", "cpu", "float32", "onnx"),
        ("sentence", "cpu", "float32", "sentence"),
        ("own", "cpu", "float32", "own"),
    ],
)
def test_pick_backend(backend: str, device: str, dtype: str, found: str) -> None:
    model = FoundModel(str(minilm_folder()), None, "x")
    assert pick_backend(backend, model, device, dtype) == found


def test_models_of_the_hub_go_through_sentence_transformers() -> None:
    assert pick_backend("auto", HUB, "cpu", "float32") == "sentence"


@pytest.mark.parametrize(
    ("backend", "device", "dtype", "message"),
    [
        ("onnx", "cuda", "float32", "not on cuda"),
        ("onnx", "cpu", "bfloat16", "not in bfloat16"),
        ("onx", "cpu", "float32", "Did you mean 'onnx'"),
    ],
)
def test_backends_that_will_not_do(backend: str, device: str, dtype: str, message: str) -> None:
    with pytest.raises(GrambenchError, match=message):
        pick_backend(backend, FoundModel(str(minilm_folder()), None, "x"), device, dtype)
    with pytest.raises(GrambenchError, match="packages and folders only"):
        pick_backend("onnx", HUB, "cpu", "float32")


def change(path: Path, **values: Any) -> None:
    content = json.loads(path.read_text(encoding="utf-8"))
    path.write_text(json.dumps({**content, **values}), encoding="utf-8")


def without_tokenizer(folder: Path) -> None:
    (folder / "tokenizer.json").unlink()


def as_roberta(folder: Path) -> None:
    change(folder / "config.json", model_type="roberta")


def with_relu(folder: Path) -> None:
    change(folder / "config.json", hidden_act="relu")


def pooling_cls(folder: Path) -> None:
    pooling = {"pooling_mode_cls_token": True, "pooling_mode_mean_tokens": False}
    change(folder / "1_Pooling" / "config.json", **pooling)


def with_dense(folder: Path) -> None:
    modules = json.loads((folder / "modules.json").read_text(encoding="utf-8"))
    modules[2]["type"] = "sentence_transformers.models.Dense"
    (folder / "modules.json").write_text(json.dumps(modules), encoding="utf-8")


@pytest.mark.parametrize(
    ("spoil", "why"),
    [
        (without_tokenizer, "no tokenizer.json"),
        (as_roberta, "not roberta"),
        (with_relu, "not relu"),
        (pooling_cls, "mean pooling only"),
        (with_dense, "Transformer, Pooling, Dense"),
    ],
)
def test_other_models_are_left_to_sentence_transformers(
    tmp_path: Path, spoil: Callable[[Path], None], why: str
) -> None:
    folder = save_tiny_bert(tmp_path / "tiny", num_hidden_layers=1)
    spoil(folder)
    assert why in str(obstacle(folder))
    model = FoundModel(str(folder), None, "x")
    assert pick_backend("auto", model, "cpu", "float32") == "sentence"


def test_weights_that_are_missing_are_named() -> None:
    config = {"layer_norm_eps": 1e-12, "num_hidden_layers": 1, "num_attention_heads": 1}
    with pytest.raises(GrambenchError, match=r"lack 'embeddings\.word_embeddings\.weight'"):
        bert_graph.build({**config, "hidden_size": 4}, {})


def test_bfloat16_is_near(truth: np.ndarray) -> None:
    encoder = SentenceEncoder(spec(minilm_folder(), dtype="bfloat16"))
    found = encoder.encode(encoder.prepare(TEXTS))
    assert found.dtype == np.float32
    assert (normalised(found) * truth).sum(axis=1).min() > 0.99
    assert np.abs(normalised(found) - truth).max() > 1e-5


def test_no_prompt_of_the_repository_is_added(tiny: Path, tmp_path: Path) -> None:
    model = SentenceTransformer(str(tiny), device="cpu")
    truth = normalised([model.encode(text) for text in TEXTS])
    model.prompts, model.default_prompt_name = {"query": "search for: "}, "query"
    model.save(str(tmp_path / "prompted"))
    prompted = SentenceTransformer(str(tmp_path / "prompted"), device="cpu")
    assert np.abs(normalised([prompted.encode(TEXTS[0])]) - truth[0]).max() > 1e-3
    encoder = SentenceEncoder(spec(tmp_path / "prompted"))
    assert np.abs(encode(encoder, TEXTS) - truth).max() < 1e-5


OWN_CODE = """
import torch
from transformers import BertConfig, BertModel, PreTrainedModel

class OwnConfig(BertConfig):
    model_type = "own_bert"

class OwnModel(PreTrainedModel):
    config_class = OwnConfig

    def __init__(self, config):
        super().__init__(config)
        self.bert = BertModel(config)
        self.post_init()

    def forward(self, input_ids, attention_mask, token_type_ids=None):
        states = self.bert(input_ids=input_ids, attention_mask=attention_mask).last_hidden_state
        weights = attention_mask[..., None].to(states.dtype)
        return 2 * (states * weights).sum(dim=1) / weights.sum(dim=1)
"""


@pytest.fixture(scope="module")
def own_code(tiny: Path, tmp_path_factory: pytest.TempPathFactory) -> Path:
    """The tiny BERT in the form of a model whose own code pools."""
    from safetensors.numpy import load_file, save_file

    folder = tmp_path_factory.mktemp("models") / "own_code"
    folder.mkdir()
    weights = load_file(tiny / "model.safetensors")
    save_file(
        {f"bert.{name}": weight for name, weight in weights.items()},
        folder / "model.safetensors",
        {"format": "pt"},
    )
    config = json.loads((tiny / "config.json").read_text(encoding="utf-8"))
    code = {"AutoConfig": "own.OwnConfig", "AutoModel": "own.OwnModel"}
    config |= {"model_type": "own_bert", "architectures": ["OwnModel"], "auto_map": code}
    (folder / "config.json").write_text(json.dumps(config), encoding="utf-8")
    (folder / "own.py").write_text(OWN_CODE, encoding="utf-8")
    copy_tokenizer(folder)
    return folder


def test_a_model_that_pools_in_its_own_code(
    tiny: Path, own_code: Path, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr("transformers.dynamic_module_utils.HF_MODULES_CACHE", str(tmp_path))
    encoder = load_encoder(spec(own_code, backend="own", remote_code=True))
    assert isinstance(encoder, OwnEncoder)
    truth = encode(OnnxEncoder(tiny, 256), TEXTS)
    assert np.abs(encode(encoder, TEXTS) - truth).max() < 1e-5


def test_code_that_was_not_allowed_is_not_run(own_code: Path) -> None:
    for backend in ("own", "sentence"):
        with pytest.raises(GrambenchError, match=r"runs code of its own.*remote_code: true"):
            load_encoder(spec(own_code, backend=backend))


def test_a_model_that_cannot_be_loaded(tmp_path: Path) -> None:
    (tmp_path / "config.json").write_text('{"model_type": "bert"}', encoding="utf-8")
    with pytest.raises(GrambenchError, match=f"The model {tmp_path} cannot be loaded") as caught:
        load_encoder(spec(tmp_path))
    assert "\n" not in str(caught.value)


def test_a_model_too_large_for_the_device(monkeypatch: pytest.MonkeyPatch) -> None:
    def full(*_: object, **__: object) -> None:
        raise RuntimeError("CUDA out of memory")

    monkeypatch.setattr("sentence_transformers.SentenceTransformer", full)
    with pytest.raises(GrambenchError, match="does not fit into the memory of cpu"):
        load_encoder(spec(minilm_folder()))


def test_a_model_of_the_hub_that_is_not_here() -> None:
    with pytest.raises(GrambenchError, match="org/name, revision main, is not on this machine"):
        load_encoder(spec("x", model=HUB))
