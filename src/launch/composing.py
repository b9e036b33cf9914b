"""The config that ``src.run`` would have for a pack, for commands that are no runs."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from contextlib import contextmanager
from pathlib import Path

from hydra import compose, initialize_config_dir
from hydra.errors import HydraException
from omegaconf import DictConfig
from omegaconf.errors import OmegaConfBaseException

from src.errors import GrambenchError
from src.launch import resolvers, schema
from src.launch.choices import CONF, unknown_choice


def compose_for(
    data_dir: Path, name: str, own: Sequence[str], overrides: Sequence[str]
) -> DictConfig:
    """Compose the config for a pack, with a command's ``own`` choices and then the user's.

    Raises GrambenchError for a choice or a value that there is not.
    """
    resolvers.register()
    schema.register()
    # A pack needs no YAML of its own.
    data = "data" if (CONF / "data" / f"{name}.yaml").is_file() else "data.name"
    folder = str(data_dir.absolute()).replace("\\", "\\\\").replace("'", "\\'")
    said = [f"{data}={name}", f"paths.data='{folder}'", *own, *overrides]
    with faults_told():
        if unknown := unknown_choice(said):
            raise GrambenchError(unknown)
        with initialize_config_dir(str(CONF.resolve()), version_base="1.3"):
            return compose("config", said)


@contextmanager
def faults_told() -> Iterator[None]:
    """Turn what Hydra and OmegaConf raise into errors for people."""
    try:
        yield
    except (HydraException, OmegaConfBaseException) as error:
        if isinstance(error.__cause__, GrambenchError):
            raise error.__cause__ from error
        # Hydra says which override it was, its cause what is wrong with it.
        cause = str(error.__cause__ or "").partition("\n")[0]
        raise GrambenchError(f"{error}: {cause}" if cause else str(error)) from error
