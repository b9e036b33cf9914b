"""Unknown choices, found before Hydra does, so that the nearest known one can be suggested."""

from __future__ import annotations

import argparse
from collections.abc import Sequence
from pathlib import Path

from hydra.core.override_parser.overrides_parser import OverridesParser

from src.errors import suggest

CONF = Path(__file__).parents[2] / "conf"


def unknown_choice(overrides: Sequence[str], folders: Sequence[Path] = (CONF,)) -> str:
    """Say which override names an option that no config folder has; ``""`` if none does."""
    for override in OverridesParser.create().parse_overrides(list(overrides)):
        if override.is_hydra_override() or override.is_sweep_override() or override.is_delete():
            continue
        group = override.key_or_group
        options = sorted({name for folder in folders for name in _options(folder / group)})
        value = override.value()
        text = getattr(value, "text", value)
        if options and text != "null" and isinstance(text, str) and text not in options:
            return (
                f"There is no {group} '{text}'.{suggest(text, options)}"
                f" Known: {', '.join(options)}. To add one, write conf/{group}/{text}.yaml."
            )
    return ""


def config_folders(arguments: Sequence[str]) -> list[Path]:
    """Return conf/ and the folders that ``--config-dir`` adds to it."""
    parser = argparse.ArgumentParser(add_help=False, allow_abbrev=False)
    parser.add_argument("--config-dir", "-cd", type=Path)
    known, _ = parser.parse_known_args(arguments)
    return [CONF, *([known.config_dir] if known.config_dir else [])]


def _options(folder: Path) -> list[str]:
    return [file.stem for file in folder.glob("*.yaml")] if folder.is_dir() else []
