"""Small BERT encoders on the CPU: onnxruntime and tokenizers, without importing torch.

The graph is put together from the model's own weights each time it is loaded: that takes a tenth
of a second, and there is no second copy of the model that could be out of date or half-written.
"""

from __future__ import annotations

import json
from collections.abc import Sequence
from pathlib import Path
from typing import Any

import numpy as np
import numpy.typing as npt

from src.errors import GrambenchError
from src.retrieval import bert_graph
from src.retrieval.devices import threads

# Larger batches gain nothing on a CPU: they leave its caches.
_TOKENS = 1024


def obstacle(folder: Path) -> str | None:
    """Say why a model cannot be encoded with here, or return None where it can.

    It must be a BERT with mean pooling, as sentence-transformers files describe it.
    """
    for name in ("config.json", "model.safetensors", "modules.json", "tokenizer.json"):
        if not (folder / name).is_file():
            return f"{folder} holds no {name}"
    why = bert_graph.obstacle(_json(folder / "config.json"))
    if why:
        return why
    kinds = [module["type"].rpartition(".")[2] for module in _json(folder / "modules.json")]
    if kinds not in (["Transformer", "Pooling"], ["Transformer", "Pooling", "Normalize"]):
        return f"it knows no model made of {', '.join(kinds)}"
    pooling = _json(folder / _json(folder / "modules.json")[1]["path"] / "config.json")
    modes = {name for name, value in pooling.items() if name.startswith("pooling_mode") and value}
    if modes not in ({"pooling_mode_mean_tokens"}, {"pooling_mode"}) or (
        pooling.get("pooling_mode", "mean") != "mean"
    ):
        return "it knows mean pooling only"
    return None


class OnnxEncoder:
    """Mean pooling over a BERT's last layer."""

    def __init__(self, folder: Path, max_tokens: int) -> None:
        """Load a model; texts are cut to ``max_tokens``, special tokens included."""
        longest = _json(folder / "config.json")["max_position_embeddings"]
        if max_tokens > longest:
            raise GrambenchError(
                f"max_tokens={max_tokens} is more than the model can take; write at most {longest}."
            )
        self._tokenizer = _tokenizer(folder, max_tokens)
        # onnxruntime does not promise to copy weights that it is handed, so they are held here.
        self._session, self._weights = _session(folder)

    def prepare(self, texts: Sequence[str]) -> list[list[int]]:
        """Return the token ids of each text."""
        return [encoding.ids for encoding in self._tokenizer.encode_batch(list(texts))]

    def encode(self, prepared: Sequence[list[int]]) -> npt.NDArray[np.float32]:
        """Return a vector for each list of token ids."""
        size = max(1, _TOKENS // max(map(len, prepared)))
        parts = [prepared[i : i + size] for i in range(0, len(prepared), size)]
        return np.concatenate([self._run(part) for part in parts])

    def _run(self, batch: Sequence[list[int]]) -> npt.NDArray[np.float32]:
        ids = np.zeros((len(batch), max(map(len, batch))), dtype=np.int64)
        mask = np.zeros_like(ids, dtype=np.int32)
        for row, tokens in enumerate(batch):
            ids[row, : len(tokens)] = tokens
            mask[row, : len(tokens)] = 1
        (states,) = self._session.run(None, {"input_ids": ids, "attention_mask": mask})
        weights = mask.astype(np.float32) / mask.sum(axis=1, keepdims=True, dtype=np.float32)
        # Not a matrix product: BLAS adds in another order on another processor, and cached vectors,
        # which DVC knows by their bytes, would differ in the last bit.
        states *= weights[:, :, None]
        pooled: npt.NDArray[np.float32] = states.sum(axis=1)
        return pooled


def _json(path: Path) -> Any:
    return json.loads(path.read_text(encoding="utf-8"))


def _tokenizer(folder: Path, max_tokens: int) -> Any:
    from tokenizers import Tokenizer

    tokenizer = Tokenizer.from_file(str(folder / "tokenizer.json"))
    tokenizer.enable_truncation(max_tokens)
    tokenizer.no_padding()
    return tokenizer


def _session(folder: Path) -> tuple[Any, list[Any]]:
    import onnxruntime
    from safetensors.numpy import load_file

    graph, weights = bert_graph.build(
        _json(folder / "config.json"), load_file(folder / "model.safetensors")
    )
    options = onnxruntime.SessionOptions()
    options.intra_op_num_threads = threads()
    # Threads that wait by spinning take the CPU from the other jobs of a sweep.
    options.add_session_config_entry("session.intra_op.allow_spinning", "0")
    values = [onnxruntime.OrtValue.ortvalue_from_numpy(weight) for weight in weights.values()]
    options.add_external_initializers(list(weights), values)
    session = onnxruntime.InferenceSession(graph, options, providers=["CPUExecutionProvider"])
    return session, values
