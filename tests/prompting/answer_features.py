"""The features of conf/feature/, for tests of answers."""

from __future__ import annotations

from functools import lru_cache
from pathlib import Path

import yaml

from src.prompting.features import Feature, feature_of

FOLDER = Path(__file__).parents[2] / "conf" / "feature"


@lru_cache
def feature(name: str) -> Feature:
    """Return a feature by its id."""
    return feature_of(yaml.safe_load((FOLDER / f"{name}.yaml").read_text(encoding="utf-8")))
