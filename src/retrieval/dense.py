"""Dense retrieval: the paragraphs whose vectors are nearest to that of the query."""

from __future__ import annotations

from collections.abc import Sequence

from src.errors import GrambenchError
from src.records import Paragraph, Ranking, Search
from src.retrieval.embedding import EmbeddingReranker
from src.retrieval.lexical import best_first, check_k
from src.retrieval.recent_indexes import RECENT
from src.retrieval.templates import Templates


class DenseRetriever:
    """Ranks paragraphs by an embedding model's cosines, exactly as its reranker would.

    Its vectors are the reranker's: each text is encoded once for both.
    """

    def __init__(
        self,
        encoder: EmbeddingReranker,
        name: str = "dense",
        inputs: Sequence[str] | None = None,
        k: int = 50,
    ) -> None:
        check_k(k)
        if not isinstance(encoder, EmbeddingReranker):
            other = getattr(encoder, "name", type(encoder).__name__)
            raise GrambenchError(
                f"retriever.encoder is '{other}', which gives paragraphs no vectors. Choose an "
                "embedding model, such as reranker@retriever.encoder=minilm."
            )
        self.name = name
        self.inputs = tuple(encoder.inputs if inputs is None else inputs)
        self.k = k
        self.encoder = encoder

    def prepare(self, paragraphs: Sequence[Paragraph]) -> None:
        """Encode those paragraphs of a run that have no vector yet, all at once."""
        self.encoder.prepare(paragraphs)

    def rank(self, search: Search, paragraphs: Sequence[Paragraph]) -> Ranking:
        """Return the k nearest paragraphs, the nearest first; ties keep the candidate order.

        Raises:
            GrambenchError: the model cannot be found, loaded or run.
        """
        key = (type(self), *self.encoder.vectors_key)
        texts = RECENT.get(key, paragraphs, lambda: self.encoder.texts(paragraphs))
        # Vectors that only memory holds may be gone since the paragraphs were hashed.
        if self.encoder.lacks(texts):
            self.encoder.prepare(paragraphs)
        return best_first(self.encoder.score_texts(search, texts), self.k)

    @property
    def templates(self) -> Templates:
        """What queries are sent as."""
        return self.encoder.templates

    @property
    def documents_encoded(self) -> int:
        """How many paragraphs the encoder had to encode."""
        return self.encoder.documents_encoded

    @property
    def queries_encoded(self) -> int:
        """How many queries the encoder had to encode."""
        return self.encoder.queries_encoded
