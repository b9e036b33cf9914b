"""Vectors of a pack's paragraphs, made ahead of the runs that need them."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from pathlib import Path

from hydra import compose, initialize_config_dir
from hydra.errors import HydraException
from omegaconf import DictConfig
from omegaconf.errors import OmegaConfBaseException

from src.corpus.names import find_pack
from src.corpus.pack import Pack, load_pack
from src.errors import GrambenchError
from src.launch import resolvers, schema
from src.launch.choices import CONF, unknown_choice
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
    try:
        cfg = _compose(data_dir, name, reranker, overrides)
        encoded = encode_documents(build(cfg.reranker), list(pack.paragraphs.values()))
        return Embedded(pack, reranker, encoded, Path(cfg.paths.vectors))
    except (HydraException, OmegaConfBaseException) as error:
        if isinstance(error.__cause__, GrambenchError):
            raise error.__cause__ from error
        raise GrambenchError(str(error)) from error


def _compose(data_dir: Path, name: str, reranker: str, overrides: Sequence[str]) -> DictConfig:
    """Compose the config that ``src.run`` would have for this pack and reranker."""
    resolvers.register()
    schema.register()
    # A pack needs no YAML of its own to be embedded.
    data = "data" if (CONF / "data" / f"{name}.yaml").is_file() else "data.name"
    folder = str(data_dir.absolute()).replace("\\", "\\\\").replace("'", "\\'")
    own = [f"{data}={name}", f"reranker={reranker}", f"paths.data='{folder}'"]
    if said := unknown_choice([*own, *overrides]):
        raise GrambenchError(said)
    with initialize_config_dir(str(CONF.resolve()), version_base="1.3"):
        return compose("config", [*own, *overrides])
