"""Where a result comes from: the commit, whether it was dirty, and the packages' versions."""

from __future__ import annotations

import platform
from functools import lru_cache
from importlib import metadata
from pathlib import Path

from src.corpus.git import DIRTY, git_revision

ROOT = Path(__file__).parents[2]

PACKAGES = [
    "bm25s",
    "hydra-core",
    "mlflow",
    "numpy",
    "omegaconf",
    "onnxruntime",
    "rank-bm25",
    "scikit-learn",
    "sentence-transformers",
    "spacy",
    "tokenizers",
    "torch",
    "transformers",
]


@lru_cache(maxsize=1)
def commit() -> tuple[str, bool]:
    """Return the commit of the code and whether it was changed since; ``""`` outside git."""
    revision = git_revision(ROOT)
    return revision.removesuffix(DIRTY), not revision or revision.endswith(DIRTY)


@lru_cache(maxsize=1)
def versions() -> dict[str, str]:
    """Return the versions of Python and of the packages that results may depend on."""
    found = {"python": platform.python_version(), "platform": platform.platform()}
    for name in PACKAGES:
        try:
            found[name] = metadata.version(name)
        except metadata.PackageNotFoundError:
            continue
    return found
