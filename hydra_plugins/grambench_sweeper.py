"""Hydra finds sweepers only in this namespace; all that this one does is in src/launch/."""

from __future__ import annotations

from pathlib import Path
from typing import Any, cast

from hydra.core.config_loader import ConfigLoader
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

        from src.launch.planned import PlannedLoader

        self.config: DictConfig = config
        self.loader = PlannedLoader(hydra_context.config_loader)
        self.launcher: Launcher = Plugins.instance().instantiate_launcher(
            hydra_context=HydraContext(
                config_loader=cast(ConfigLoader, self.loader), callbacks=hydra_context.callbacks
            ),
            task_function=task_function,
            config=config,
        )

    def sweep(self, arguments: list[str]) -> Any:
        """Run the sweep; ends the process with status 1 where a run has no result."""
        from src.errors import GrambenchError
        from src.launch.cells import expand
        from src.launch.sweep import run_sweep

        folder = Path(self.config.hydra.sweep.dir)
        folder.mkdir(parents=True, exist_ok=True)
        OmegaConf.save(self.config, folder / "multirun.yaml")
        grids = OmegaConf.to_container(self.config.sweep)
        assert isinstance(grids, list)
        parser = OverridesParser.create(config_loader=cast(ConfigLoader, self.loader))
        if any(text.startswith("experiment=") and "," in text for text in arguments):
            raise GrambenchError("One experiment at a time: their grids cannot be crossed.")
        cells = expand(arguments, grids, parser, {"reranker.model": self._recorded_models})
        if not run_sweep(self.config, cells, self.loader, self.launcher):
            raise SystemExit(1)

    def _recorded_models(self) -> list[str]:
        from src.corpus.pack import load_pack

        sets = load_pack(self.config.data.path).score_sets()
        return list(dict.fromkeys(model for model, *_ in sets))


ConfigStore.instance().store(
    group="hydra/sweeper",
    name="grambench",
    node={"_target_": f"{__name__}.GrambenchSweeper"},
    provider="grambench",
)
