"""Composed configs for tests."""

from __future__ import annotations

from typing import Any

from hydra import compose, initialize_config_dir
from omegaconf import DictConfig

from src.launch import resolvers, schema
from src.launch.choices import CONF
from src.launch.job import resolved

resolvers.register()
schema.register()


def config(*overrides: str) -> DictConfig:
    """Compose a config as ``python -m src.run`` would."""
    with initialize_config_dir(str(CONF), version_base="1.3"):
        return compose("config", overrides=list(overrides))


def composed(*overrides: str) -> dict[str, Any]:
    """Compose a config and resolve it to plain values."""
    return resolved(config(*overrides))
