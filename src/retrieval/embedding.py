"""Rerankers that compare the vector of a query with the vectors of paragraphs."""

from __future__ import annotations

import re
import threading
from collections.abc import Callable, Mapping, Sequence
from pathlib import Path

import numpy as np
import numpy.typing as npt

from src.errors import GrambenchError
from src.records import Paragraph, Scores, Search
from src.retrieval.batches import check_batch_size, progress, run_batches
from src.retrieval.devices import pick_device, pick_dtype
from src.retrieval.encoders import Encoder, load_encoder, pick_backend
from src.retrieval.models import find_model
from src.retrieval.shared import Recent
from src.retrieval.specs import EncoderSpec, check_card, check_remote_code
from src.retrieval.templates import Templates
from src.retrieval.vectors import SHARD_TEXTS, VectorStore, text_hash

_UNSAFE = re.compile(r"[^\w.-]")

# A sweep in one process loads a model once, and reads cached vectors once. Of large models two
# would not fit into a GPU's memory.
_ENCODERS: Recent[Encoder] = Recent(1)
_DOCUMENTS: Recent[VectorStore] = Recent(4)
_QUERIES: Recent[VectorStore] = Recent(4)
# Threads that ask for the same texts must not both encode them, and models are not made for two.
_ENCODING = threading.RLock()


class EmbeddingReranker:
    """Scores paragraphs by the cosine of their vector and the query's.

    Paragraphs are encoded once: vectors are kept under ``vectors``, by the text that was sent, the
    model and all else that determines them. ``documents_encoded`` and ``queries_encoded`` count
    what this reranker had to encode.
    """

    def __init__(
        self,
        *,
        name: str,
        inputs: Sequence[str],
        model: str,
        revision: str,
        max_tokens: int,
        query_template: str,
        query_template_without_instruct: str,
        document_template: str,
        dtype: str = "float32",
        padding_side: str = "right",
        remote_code: bool = False,
        allow_remote_code: bool = False,
        backend: str = "sentence",
        config: Mapping[str, object] | None = None,
        device: str = "auto",
        batch_size: int = 32,
        vectors: Path | str | None = None,
        about: Mapping[str, object] | None = None,
    ) -> None:
        """Take a model card; the model itself is loaded when there is something to encode."""
        self.name = name
        self.inputs = tuple(inputs)
        self.templates = Templates(
            query_template, query_template_without_instruct, document_template
        )
        self.templates.check_inputs(name, inputs)
        check_remote_code(name, remote_code, allow_remote_code)
        check_card(name, max_tokens, padding_side)
        self.documents_encoded = 0
        self.queries_encoded = 0
        self._model, self._revision = model, str(revision)
        self._max_tokens, self._dtype, self._padding_side = max_tokens, dtype, padding_side
        self._remote_code, self._backend, self._device = remote_code, backend, device
        self._config = tuple(sorted((config or {}).items()))
        self._batch_size = check_batch_size(batch_size)
        self._vectors = None if vectors is None else Path(vectors)
        self._spec: EncoderSpec | None = None

    def score(self, search: Search, paragraphs: Sequence[Paragraph]) -> Scores:
        """Return the cosine similarities, between -1 and 1.

        Raises:
            GrambenchError: the model cannot be found, loaded or run.
        """
        if not paragraphs:
            return np.zeros(0, dtype=np.float64)
        store = self._documents()
        self._fill(store, paragraphs)
        texts = [text_hash(self.templates.document_text(p.text)) for p in paragraphs]
        unique, where = np.unique(texts, return_inverse=True)
        documents = store.get(unique.tolist()).astype(np.float64)
        # Products summed row by row: a matrix product would let a score depend on its neighbours,
        # and equal texts must tie exactly.
        scores: Scores = (documents * self._query_vector(search)).sum(axis=1)
        return np.asarray(scores[where])

    def embed(self, paragraphs: Sequence[Paragraph]) -> int:
        """Encode and cache those of the paragraphs that are not cached; return their number."""
        return self._fill(self._documents(), paragraphs)

    def _fill(self, store: VectorStore, paragraphs: Sequence[Paragraph]) -> int:
        texts: dict[str, tuple[str, str]] = {}
        for paragraph in paragraphs:
            text = self.templates.document_text(paragraph.text)
            texts.setdefault(text_hash(text), (text, f"paragraph {paragraph.id}"))
        with _ENCODING:
            missing = store.missing(texts)
            # The longest first, over all shards: memory that will not do is found out at once.
            order = sorted(missing, key=lambda key: (-len(texts[key][0]), key))
            with progress(len(order)) as bar:
                for start in range(0, len(order), SHARD_TEXTS):
                    keys = order[start : start + SHARD_TEXTS]
                    store.add(keys, self._encode([texts[key] for key in keys], bar.update))
                    self.documents_encoded += len(keys)
        return len(missing)

    def _query_vector(self, search: Search) -> npt.NDArray[np.float64]:
        text = self.templates.query_text(search)
        key = text_hash(text)
        store = self._queries()
        with _ENCODING:
            if store.missing([key]):
                store.add([key], self._encode([(text, f"query '{search.query_name}'")]))
                self.queries_encoded += 1
        vector: npt.NDArray[np.float64] = store.get([key])[0].astype(np.float64)
        return vector

    def _encode(
        self,
        texts: Sequence[tuple[str, str]],
        advance: Callable[[int], object] = lambda _: None,
    ) -> npt.NDArray[np.float32]:
        """Return the vectors of (text, name) pairs, normalised."""
        spec = self._encoder_spec()
        encoder = _ENCODERS.get(spec, lambda: load_encoder(spec))
        prepared = encoder.prepare([text for text, _ in texts])
        lengths = [len(item) for item in prepared]
        names = [name for _, name in texts]
        rows = run_batches(encoder.encode, prepared, lengths, names, self._batch_size, advance)
        lengths_of_rows = np.linalg.norm(rows.astype(np.float64), axis=1, keepdims=True)
        if not lengths_of_rows.all():
            raise GrambenchError(
                f"The model gives {names[int(np.argmin(lengths_of_rows))]} a vector of zeros only, "
                "which has no direction to compare. Look at that text."
            )
        return np.asarray(rows / lengths_of_rows, dtype=np.float32)

    def _encoder_spec(self) -> EncoderSpec:
        """Settle what depends on this machine, once and only when it is needed."""
        if self._spec is None:
            found = find_model(self._model, self._revision)
            device = pick_device(self._device)
            dtype = pick_dtype(self._dtype, device)
            self._spec = EncoderSpec(
                model=found,
                max_tokens=self._max_tokens,
                dtype=dtype,
                padding_side=self._padding_side,
                remote_code=self._remote_code,
                device=device,
                backend=pick_backend(self._backend, found, device, dtype),
                config=self._config,
            )
        return self._spec

    def _documents(self) -> VectorStore:
        spec = self._encoder_spec()
        key = {**spec.key(), "document_template": self.templates.document}
        folder = None
        if self._vectors is not None:
            folder = self._vectors / f"{_UNSAFE.sub('_', self.name)}-{spec.dtype}"
        return _DOCUMENTS.get((folder, repr(key)), lambda: VectorStore(folder, key))

    def _queries(self) -> VectorStore:
        key = self._encoder_spec().key()
        return _QUERIES.get(repr(key), lambda: VectorStore(None, key))


def encode_documents(reranker: object, paragraphs: Sequence[Paragraph]) -> int:
    """Fill a reranker's cache with the vectors of ``paragraphs``; return how many were encoded.

    Raises:
        GrambenchError: the reranker keeps no vectors.
    """
    if not isinstance(reranker, EmbeddingReranker):
        name = getattr(reranker, "name", type(reranker).__name__)
        raise GrambenchError(
            f"Reranker '{name}' encodes no paragraphs by themselves, so there is nothing to embed. "
            "Choose an embedding model, such as minilm."
        )
    return reranker.embed(paragraphs)


def forget_models() -> None:
    """Let go of the models and vectors that this process keeps in memory."""
    for recent in (_ENCODERS, _DOCUMENTS, _QUERIES):
        recent.clear()
