from collections.abc import Iterator

import pytest

from src.retrieval import embedding
from src.retrieval.onnx import OnnxEncoder
from src.retrieval.shared import forget_models
from tests.retrieval.encoder_help import minilm_folder


@pytest.fixture(scope="session")
def encoder() -> OnnxEncoder:
    return OnnxEncoder(minilm_folder(), 256)


@pytest.fixture
def fresh(monkeypatch: pytest.MonkeyPatch, encoder: OnnxEncoder) -> Iterator[None]:
    """A test starts as a process does, but that the model need not be read again."""
    monkeypatch.setattr(embedding, "load_encoder", lambda spec: encoder)
    forget_models()
    yield
    forget_models()
