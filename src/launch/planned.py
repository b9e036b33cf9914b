"""Configs that a sweep's plan has composed already, handed to the launcher as they are."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

from hydra.core.config_loader import ConfigLoader
from omegaconf import DictConfig, OmegaConf, open_dict

from src.launch.cells import quoted


class PlannedLoader:
    """Hydra's config loader, save that planned configs are not composed a second time.

    Composing takes about a third of a short run. The processes of other launchers get the loader
    without the planned configs, and compose their own.
    """

    def __init__(self, loader: ConfigLoader) -> None:
        self.loader = loader
        self.planned: dict[tuple[str, ...], DictConfig] = {}

    def plan(self, config: DictConfig, overrides: Sequence[str], more: dict[str, str]) -> list[str]:
        """Keep a composed config until the launcher asks for it, with ``more`` set in it.

        Returns:
            The overrides that the launcher is to ask for.
        """
        for key, value in more.items():
            OmegaConf.update(config, key, value)
        added = [f"{key}={quoted(value)}" for key, value in more.items()]
        with open_dict(config.hydra):
            config.hydra.overrides.task.extend(added)
        wanted = [*overrides, *added]
        self.planned[tuple(wanted)] = config
        return wanted

    def load_sweep_config(
        self, master_config: DictConfig, sweep_overrides: list[str]
    ) -> DictConfig:
        """Return the planned config, or compose one."""
        planned = self.planned.pop(tuple(sweep_overrides), None)
        return planned or self.loader.load_sweep_config(master_config, sweep_overrides)

    def __getstate__(self) -> dict[str, Any]:
        return {"loader": self.loader, "planned": {}}

    def __getattr__(self, name: str) -> Any:
        if name.startswith("__") or name == "loader":  # not there yet while unpickling
            raise AttributeError(name)
        return getattr(self.loader, name)
