"""Resolvers that conf/ uses beside OmegaConf's own."""

from __future__ import annotations

import datetime
import os
from functools import lru_cache
from pathlib import Path
from typing import Any

from src.errors import GrambenchError, suggest

PARAMS = Path(__file__).parents[2] / "params.yaml"


@lru_cache(maxsize=1)
def _params() -> Any:
    from omegaconf import OmegaConf

    if not PARAMS.is_file():
        raise GrambenchError(f"{PARAMS.name} is missing beside src/; restore it from git.")
    return OmegaConf.load(PARAMS)


def param(key: str) -> Any:
    """Return a value of params.yaml, the one source for what conf/ and DVC share.

    Raises:
        GrambenchError: params.yaml lacks the key or is missing.
    """
    from omegaconf import OmegaConf

    params = _params()
    value = OmegaConf.select(params, key)
    if value is None:
        raise GrambenchError(
            f"params.yaml has no key '{key}', which conf/ reads."
            f"{suggest(key, [str(known) for known in params])}"
        )
    return value


def stamp() -> str:
    """Name an output folder: two launches in the same second must not share one."""
    moment = datetime.datetime.now()
    return f"{moment:%Y-%m-%d/%H-%M-%S}-{moment.microsecond:06d}-{os.getpid()}"


def register() -> None:
    """Make ``${params:key}`` and ``${stamp:}`` known to OmegaConf."""
    from omegaconf import OmegaConf

    OmegaConf.register_new_resolver("params", param, replace=True)
    OmegaConf.register_new_resolver("stamp", stamp, use_cache=True, replace=True)
