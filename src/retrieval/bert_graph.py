"""A BERT encoder as an ONNX graph of onnxruntime's own fused operators.

Equal to the model in PyTorch up to rounding: the operators compute the same layers, among them
the exact (erf) GELU, and attend to no padding.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import Any

import numpy as np
import numpy.typing as npt

from src.errors import GrambenchError

Weights = dict[str, npt.NDArray[Any]]

_FUSED = "com.microsoft"
# Weights above this size are handed over beside the graph, not copied into it.
_LARGE = 1024


def obstacle(config: Mapping[str, Any]) -> str | None:
    """Say why a model's config describes no such BERT, or return None."""
    if config.get("model_type") != "bert":
        return f"it knows BERT only, not {config.get('model_type')}"
    if config.get("hidden_act") != "gelu":
        return f"it knows the activation gelu only, not {config.get('hidden_act')}"
    if config.get("position_embedding_type", "absolute") != "absolute":
        return "it knows absolute positions only"
    return None


def build(config: Mapping[str, Any], weights: Mapping[str, Any]) -> tuple[bytes, Weights]:
    """Return the graph and the weights that it refers to, from a checkpoint's config and weights.

    Its inputs are ``input_ids`` (int64) and ``attention_mask`` (int32), texts by tokens; its output
    is the last layer's hidden states, texts by tokens by dimensions.
    """
    graph = _Graph(weights, float(config["layer_norm_eps"]))
    states = _embeddings(graph)
    for number in range(config["num_hidden_layers"]):
        states = _layer(graph, states, f"encoder.layer.{number}.", config["num_attention_heads"])
    return graph.serialise(states, config["hidden_size"]), graph.outside


class _Graph:
    """Nodes and weights put down so far."""

    def __init__(self, weights: Mapping[str, Any], epsilon: float) -> None:
        self._weights = weights
        self._nodes: list[Any] = []
        self._tensors: list[Any] = []
        self.epsilon = epsilon
        self.outside: Weights = {}

    def weight(self, name: str) -> npt.NDArray[Any]:
        """Return a weight of the checkpoint."""
        if name not in self._weights:
            raise GrambenchError(
                f"The model's weights lack '{name}', so it is no plain BERT. Use backend=sentence."
            )
        array: npt.NDArray[Any] = self._weights[name]
        return array

    def constant(self, name: str, array: npt.NDArray[Any]) -> str:
        """Put down a weight under ``name``."""
        from onnx import TensorProto, helper

        if array.dtype.kind == "f":
            array = array.astype(np.float32)
        array = np.ascontiguousarray(array)
        kind = helper.np_dtype_to_tensor_dtype(array.dtype)
        tensor = TensorProto(name=name, data_type=kind, dims=array.shape)
        if array.nbytes > _LARGE:
            tensor.data_location = TensorProto.EXTERNAL
            tensor.external_data.add(key="location", value="beside")
            self.outside[name] = array
        else:
            tensor.raw_data = array.tobytes()
        self._tensors.append(tensor)
        return name

    def copy(self, name: str) -> str:
        """Put down a weight of the checkpoint as it is."""
        return self.constant(name, self.weight(name))

    def node(self, operator: str, inputs: Sequence[str], output: str, **attributes: Any) -> str:
        """Put down a standard operator."""
        from onnx import helper

        self._nodes.append(helper.make_node(operator, inputs, [output], **attributes))
        return output

    def fused(self, operator: str, inputs: Sequence[str], output: str, **attributes: Any) -> str:
        """Put down one of onnxruntime's own operators."""
        return self.node(operator, inputs, output, domain=_FUSED, **attributes)

    def product(self, states: str, layer: str) -> str:
        """Multiply by a dense layer's weights; its bias is left to the operator that follows."""
        matrix = self.constant(f"{layer}.weight", self.weight(f"{layer}.weight").T)
        return self.node("MatMul", [states, matrix], f"{layer}.product")

    def add_and_norm(self, states: str, skipped: str, bias: str, norm: str) -> str:
        """Add ``bias`` and the layer's input, then normalise."""
        inputs = [skipped, self.copy(f"{norm}.weight"), self.copy(f"{norm}.bias"), self.copy(bias)]
        return self.fused(
            "SkipLayerNormalization", [states, *inputs], f"{norm}.states", epsilon=self.epsilon
        )

    def serialise(self, states: str, size: int) -> bytes:
        """Return the graph that ends in ``states``."""
        from onnx import TensorProto, helper

        def value(name: str, kind: int, *dimensions: str | int) -> Any:
            return helper.make_tensor_value_info(name, kind, dimensions)

        graph = helper.make_graph(
            self._nodes,
            "bert",
            [
                value("input_ids", TensorProto.INT64, "texts", "tokens"),
                value("attention_mask", TensorProto.INT32, "texts", "tokens"),
            ],
            [value(states, TensorProto.FLOAT, "texts", "tokens", size)],
            self._tensors,
        )
        opsets = [helper.make_opsetid("", 17), helper.make_opsetid(_FUSED, 1)]
        model = helper.make_model(graph, opset_imports=opsets, ir_version=8)
        serialised: bytes = model.SerializeToString()
        return serialised


def _embeddings(graph: _Graph) -> str:
    words = graph.copy("embeddings.word_embeddings.weight")
    # All tokens are of one segment, so its embedding is added to the positions once and for all.
    segment = graph.weight("embeddings.token_type_embeddings.weight")[0]
    positions = graph.weight("embeddings.position_embeddings.weight") + segment
    table = graph.constant("positions", positions)
    zero = graph.constant("zero", np.zeros(1, dtype=np.int64))
    tokens = graph.node("Shape", ["input_ids"], "tokens", start=1, end=2)
    of_words = graph.node("Gather", [words, "input_ids"], "of_words")
    of_positions = graph.node("Slice", [table, zero, tokens], "of_positions")
    summed = graph.node("Add", [of_words, of_positions], "summed")
    norm = [graph.copy(f"embeddings.LayerNorm.{part}") for part in ("weight", "bias")]
    return graph.node("LayerNormalization", [summed, *norm], "embedded", epsilon=graph.epsilon)


def _layer(graph: _Graph, states: str, prefix: str, heads: int) -> str:
    parts = [f"{prefix}attention.self.{part}" for part in ("query", "key", "value")]
    matrix = np.concatenate([graph.weight(f"{part}.weight") for part in parts]).T
    bias = np.concatenate([graph.weight(f"{part}.bias") for part in parts])
    attended = graph.fused(
        "Attention",
        [
            states,
            graph.constant(f"{prefix}matrix", matrix),
            graph.constant(f"{prefix}bias", bias),
            "attention_mask",
        ],
        f"{prefix}attended",
        num_heads=heads,
    )
    output = f"{prefix}attention.output"
    product = graph.product(attended, f"{output}.dense")
    states = graph.add_and_norm(product, states, f"{output}.dense.bias", f"{output}.LayerNorm")
    wide = graph.product(states, f"{prefix}intermediate.dense")
    bent = graph.fused(
        "BiasGelu", [wide, graph.copy(f"{prefix}intermediate.dense.bias")], f"{prefix}bent"
    )
    output = f"{prefix}output"
    narrow = graph.product(bent, f"{output}.dense")
    return graph.add_and_norm(narrow, states, f"{output}.dense.bias", f"{output}.LayerNorm")
