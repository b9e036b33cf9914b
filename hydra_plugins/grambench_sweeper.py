"""Hydra finds sweepers only in this namespace; all that this one does is in src/launch/."""

from __future__ import annotations

from collections.abc import Sequence
from pathlib import Path
from typing import Any

from hydra.core.config_store import ConfigStore
from hydra.core.override_parser.overrides_parser import OverridesParser
from hydra.plugins.launcher import Launcher
from hydra.plugins.sweeper import Sweeper
from hydra.types import HydraContext, TaskFunction
from omegaconf import DictConfig, OmegaConf


class GrambenchSweeper(Sweeper):
    """Runs the grids of ``sweep`` and the command line, resumed, one failure stopping no other."""

    def setup(
        self, *, hydra_context: HydraContext, task_function: TaskFunction, config: DictConfig
    ) -> None:
        """Keep what Hydra gives, and make the launcher."""
        from hydra.core.plugins import Plugins

        self.config: DictConfig = config
        self.loader = hydra_context.config_loader
        self.launcher: Launcher = Plugins.instance().instantiate_launcher(
            hydra_context=hydra_context, task_function=task_function, config=config
        )

    def sweep(self, arguments: list[str]) -> Any:
        """Run the sweep; ends the process with status 1 where a run has no result."""
        from src.launch.cells import expand
        from src.launch.sweep import run_sweep

        folder = Path(self.config.hydra.sweep.dir)
        folder.mkdir(parents=True, exist_ok=True)
        OmegaConf.save(self.config, folder / "multirun.yaml")
        grids = OmegaConf.to_container(self.config.sweep)
        assert isinstance(grids, list)
        cells = expand(arguments, grids, OverridesParser.create(config_loader=self.loader))
        if not run_sweep(self.config, cells, self._compose, self._launch):
            raise SystemExit(1)

    def _compose(self, overrides: list[str]) -> DictConfig:
        return self.loader.load_sweep_config(self.config, overrides)

    def _launch(self, overrides: Sequence[Sequence[str]], first: int) -> Sequence[Any]:
        return self.launcher.launch(overrides, initial_job_idx=first)


ConfigStore.instance().store(
    group="hydra/sweeper",
    name="grambench",
    node={"_target_": f"{__name__}.GrambenchSweeper"},
    provider="grambench",
)
