"""Packs as choices: ``data=NAME`` for any pack that is there."""

from __future__ import annotations

from collections.abc import Sequence
from pathlib import Path

from hydra.core.config_store import ConfigStore
from omegaconf import OmegaConf

from src.corpus.names import pack_names
from src.launch.choices import CONF
from src.launch.schema.config import Data

_FOLDER = "paths.data="


def register_packs(overrides: Sequence[str]) -> None:
    """Make the packs in the folder of data options of the group ``data``.

    Those with a YAML of their own in conf/data/ are options already.
    """
    for name in pack_names(_folder(overrides)):
        if not (CONF / "data" / f"{name}.yaml").is_file():
            ConfigStore.instance().store(group="data", name=name, node=Data(name=name))


def _folder(overrides: Sequence[str]) -> Path:
    """Return paths.data as the command line has it, else as conf/ does."""
    given = [text.removeprefix(_FOLDER) for text in overrides if text.startswith(_FOLDER)]
    if given:
        return Path(given[-1].strip("'\""))
    return Path(OmegaConf.load(CONF / "paths" / "default.yaml").data)
