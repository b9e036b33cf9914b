"""Vectors of a pack's paragraphs, made ahead of the runs that need them."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from pathlib import Path

from src.corpus.names import find_pack
from src.corpus.pack import Pack, load_pack
from src.launch.composing import compose_for, faults_told
from src.retrieval.embedding import encode_documents
from src.tasks.components import build


@dataclass(frozen=True)
class Embedded:
    """What was done: how many texts were new to the cache, and where the cache is."""

    pack: Pack
    reranker: str
    encoded: int
    vectors: Path

    def told(self) -> str:
        """Return a line for people."""
        return (
            f"{self.encoded} texts of {len(self.pack.paragraphs)} paragraphs of "
            f"'{self.pack.name}' encoded with {self.reranker}. The vectors of all of them lie in "
            f"{self.vectors}."
        )


def embed(data_dir: Path, name: str, reranker: str, overrides: Sequence[str] = ()) -> Embedded:
    """Fill the cache of vectors with those of all paragraphs of a pack.

    Raises:
        GrambenchError: there is no such pack or reranker, an override is wrong, or the reranker
            keeps no vectors.
    """
    pack = load_pack(find_pack(data_dir, name))
    cfg = compose_for(data_dir, name, [f"reranker={reranker}"], overrides)
    with faults_told():
        encoded = encode_documents(build(cfg.reranker), list(pack.paragraphs.values()))
        return Embedded(pack, reranker, encoded, Path(cfg.paths.vectors))
