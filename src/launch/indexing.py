"""Terms of a pack's grammars, made ahead of the runs that need them."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from pathlib import Path

from omegaconf import DictConfig

from src.corpus.names import find_pack
from src.corpus.pack import Pack, load_pack
from src.errors import GrambenchError
from src.launch.composing import compose_for, faults_told
from src.retrieval.term_store import fill


@dataclass(frozen=True)
class Indexed:
    """What was done: the terms of how many grammars were made, and where they lie."""

    pack: Pack
    made: int
    indexes: Path

    def told(self) -> str:
        """Return a line for people."""
        whole = sum(self.pack.is_whole(grammar.id) for grammar in self.pack.grammars)
        return (
            f"The terms of {self.made} of {whole} whole grammars of '{self.pack.name}' were made "
            f"anew. Those of all lie in {self.indexes}."
        )


def index(data_dir: Path, name: str, overrides: Sequence[str] = ()) -> Indexed:
    """Fill the cache of terms with those of a pack's whole grammars.

    Raises:
        GrambenchError: there is no such pack, it has no whole grammar, an override is wrong, or
            the retriever keeps no terms.
    """
    pack = load_pack(find_pack(data_dir, name))
    if not pack.documents:
        raise GrambenchError(
            f"The pack '{name}' has no whole grammar to index, only paragraphs picked from some; "
            "terms of so few are made in no time."
        )
    cfg = compose_for(data_dir, name, ["retriever=bm25s"], overrides)
    with faults_told():
        terms, model = _terms(cfg)
        folder = Path(cfg.paths.indexes)
        return Indexed(pack, fill(pack, terms, model, folder), folder)


def _terms(cfg: DictConfig) -> tuple[str, str]:
    retriever = cfg.retriever
    if "terms" not in retriever:
        raise GrambenchError(
            f"Retriever '{retriever.name}' counts no terms of its own: choose retriever=bm25s or "
            "retriever=bm25."
        )
    return retriever.terms, retriever.lemmas_model
