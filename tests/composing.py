"""Composed configs for tests."""

from __future__ import annotations

import copy
from functools import cache
from typing import Any

from hydra import compose, initialize_config_dir
from omegaconf import DictConfig

from src.launch import resolvers, schema
from src.launch.choices import CONF
from src.launch.job import resolved

# What these choices leave to the user to say.
GIVEN = {
    "llm=ollama": ("llm.model=some",),
    "llm=endpoint": ("llm.model=some", "llm.base_url=http://localhost:1/v1", "llm.context=4096"),
}

resolvers.register()
schema.register()


def config(*overrides: str) -> DictConfig:
    """Compose a config as ``python -m src.run`` would."""
    with initialize_config_dir(str(CONF), version_base="1.3"):
        return compose("config", overrides=list(overrides))


def composed(*overrides: str) -> dict[str, Any]:
    """Compose a config and resolve it to plain values; the same one is composed once."""
    return copy.deepcopy(_composed(overrides))


@cache
def _composed(overrides: tuple[str, ...]) -> dict[str, Any]:
    return resolved(config(*overrides))
