"""Rerankers that compare the vector of a query with the vectors of paragraphs."""

from __future__ import annotations

import json
import re
from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass, field
from functools import cached_property
from pathlib import Path
from typing import Any

import numpy as np
import numpy.typing as npt

from src.errors import GrambenchError
from src.records import Paragraph, Scores, Search
from src.retrieval.batches import progress, run_batches
from src.retrieval.cards import Card
from src.retrieval.encoders import load_encoder, pick_backend
from src.retrieval.shared import COMPUTING, DOCUMENTS, QUERIES, loaded
from src.retrieval.specs import EncoderSpec
from src.retrieval.vectors import SHARD_TEXTS, VectorStore, text_hash

_UNSAFE = re.compile(r"[^\w.-]")

# So many vectors are compared at a time: few enough to stay near the processor.
_ROWS = 256


@dataclass(frozen=True)
class Texts:
    """What is sent for a list of paragraphs, as the hashes by which vectors are found."""

    hashes: list[str]

    @property
    def nbytes(self) -> int:
        """Its size in bytes, roughly."""
        return 120 * len(self.hashes)


@dataclass(kw_only=True, eq=False)
class EmbeddingReranker(Card):
    """Scores paragraphs by the cosine of their vector and the query's.

    Paragraphs are encoded once: vectors are kept under ``vectors``, by the text that was sent, the
    model and all else that determines them. ``config`` overrides the model's own configuration.
    ``documents_encoded`` and ``queries_encoded`` count what this reranker had to encode.
    """

    backend: str = "sentence"
    config: Mapping[str, object] | None = None
    vectors: Path | str | None = None
    documents_encoded: int = field(default=0, init=False)
    queries_encoded: int = field(default=0, init=False)

    def score(self, search: Search, paragraphs: Sequence[Paragraph]) -> Scores:
        """Return the cosine similarities, between -1 and 1.

        Raises:
            GrambenchError: the model cannot be found, loaded or run.
        """
        self.prepare(paragraphs)
        return self.score_texts(search, self.texts(paragraphs))

    def texts(self, paragraphs: Sequence[Paragraph]) -> Texts:
        """Return by what the vectors of paragraphs are found."""
        return Texts([text_hash(self.templates.document_text(p.text)) for p in paragraphs])

    def lacks(self, texts: Texts) -> bool:
        """Tell whether any of the texts has no vector yet."""
        return bool(self._documents.missing(texts.hashes))

    def score_texts(self, search: Search, texts: Texts) -> Scores:
        """Return the cosine similarities of texts, which must have vectors."""
        scores: Scores = np.empty(len(texts.hashes), dtype=np.float64)
        if texts.hashes:
            query = self._query_vector(search)
        for start in range(0, len(texts.hashes), _ROWS):
            some = slice(start, start + _ROWS)
            # Products summed row by row: a matrix product would let a score depend on its
            # neighbours, and equal texts must tie exactly.
            rows = self._documents.get(texts.hashes[some])
            scores[some] = (rows * query).sum(axis=1)
        return scores

    def prepare(self, paragraphs: Sequence[Paragraph]) -> int:
        """Encode and keep those of the paragraphs that have no vector yet; return their number.

        Best called once with all that will be scored: long texts then share batches with long
        ones, and the vectors few files. Of processes that share ``vectors`` one encodes at a time.
        """
        if not paragraphs:
            return 0
        texts: dict[str, tuple[str, str]] = {}
        for paragraph in paragraphs:
            text = self.templates.document_text(paragraph.text)
            texts.setdefault(text_hash(text), (text, f"paragraph {paragraph.id}"))
        store = self._documents
        with COMPUTING:
            if not store.missing(texts):
                return 0
            with store.alone():
                # What was missing may have been encoded by whoever was waited for.
                missing = store.missing(texts)
                self._fill(store, {key: texts[key] for key in missing})
        return len(missing)

    def _fill(self, store: VectorStore, texts: Mapping[str, tuple[str, str]]) -> None:
        # The longest first, over all shards: memory that will not do is found out at once.
        order = sorted(texts, key=lambda key: (-len(texts[key][0]), key))
        with progress(len(order)) as bar:
            for start in range(0, len(order), SHARD_TEXTS):
                keys = order[start : start + SHARD_TEXTS]
                store.add(keys, self._encode([texts[key] for key in keys], bar.update))
                self.documents_encoded += len(keys)

    def _query_vector(self, search: Search) -> npt.NDArray[np.float64]:
        text = self.templates.query_text(search)
        key = text_hash(text)
        spec = self._spec.key()
        store = QUERIES.get(repr(spec), lambda: VectorStore(None, spec))
        with COMPUTING:
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
        spec = self._spec
        names = [name for _, name in texts]
        with loaded(spec, lambda: load_encoder(spec)) as encoder:
            prepared = encoder.prepare([text for text, _ in texts])
            lengths = [len(item) for item in prepared]
            rows = run_batches(encoder.encode, prepared, lengths, names, self.batch_size, advance)
        lengths_of_rows = np.linalg.norm(rows.astype(np.float64), axis=1, keepdims=True)
        if not lengths_of_rows.all():
            raise GrambenchError(
                f"The model gives {names[int(np.argmin(lengths_of_rows))]} a vector of zeros only, "
                "which has no direction to compare. Look at that text."
            )
        return np.asarray(rows / lengths_of_rows, dtype=np.float32)

    @cached_property
    def _spec(self) -> EncoderSpec:
        """What depends on this machine, settled only when it is needed."""
        settled = self.settled()
        backend = pick_backend(self.backend, settled["model"], settled["device"], settled["dtype"])
        config = json.dumps(dict(self.config or {}), sort_keys=True, default=_plain)
        return EncoderSpec(**settled, backend=backend, config=config)

    @cached_property
    def vectors_key(self) -> tuple[Path | None, str]:
        """Where vectors are kept, and as JSON all that those of a given text depend on."""
        spec = self._spec
        key = {**spec.key(), "document_template": self.templates.document}
        if spec.backend == "own":
            # Foreign code that pools may let a text's neighbours in the batch count.
            key["batch_size"] = self.batch_size
        folder = None
        if self.vectors is not None:
            folder = Path(self.vectors) / f"{_UNSAFE.sub('_', self.name)}-{spec.dtype}"
        return folder, json.dumps(key, sort_keys=True, ensure_ascii=False)

    @cached_property
    def _documents(self) -> VectorStore:
        folder, key = self.vectors_key
        return DOCUMENTS.get((folder, key), lambda: VectorStore(folder, json.loads(key)))


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
    return reranker.prepare(paragraphs)


def _plain(value: Any) -> Any:
    """Return OmegaConf's containers as dicts and lists."""
    return dict(value) if isinstance(value, Mapping) else list(value)
