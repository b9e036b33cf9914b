"""Unknown choices, found before Hydra does, so that the nearest known one can be suggested."""

from __future__ import annotations

import argparse
import dataclasses
from collections.abc import Iterable, Sequence
from pathlib import Path

from hydra.core.config_store import ConfigStore
from hydra.core.object_type import ObjectType
from hydra.core.override_parser.overrides_parser import OverridesParser
from hydra.core.override_parser.types import Override

from src.errors import suggest
from src.launch.schema.config import Config, Data, Instruct, Paths, Query, Rerank, Tracking
from src.launch.schema.features import Feature

TYPED = {
    "data": Data,
    "feature": Feature,
    "instruct": Instruct,
    "paths": Paths,
    "query": Query,
    "rerank": Rerank,
    "tracking": Tracking,
}
CONF = Path(__file__).parents[2] / "conf"


def unknown_choice(overrides: Sequence[str], folders: Sequence[Path] = (CONF,)) -> str:
    """Say which override names a key or an option that there is not; ``""`` if none does."""
    for override in OverridesParser.create().parse_overrides(list(overrides)):
        if override.is_hydra_override():
            continue
        said = _unknown_key(override.key_or_group, folders) or _unknown_option(override, folders)
        if said:
            return said
    return ""


def _unknown_key(key: str, folders: Sequence[Path]) -> str:
    first, _, rest = key.partition("@")[0].replace("/", ".").partition(".")
    known = {*_groups(folders), *(field.name for field in dataclasses.fields(Config))} - {
        "hydra",
        "local",
    }
    if first not in known:
        return f"There is no '{first}' to set.{suggest(first, known)} Known: {_list(known)}."
    kind = TYPED.get(first)
    names = [field.name for field in dataclasses.fields(kind)] if kind else []
    if rest and names and rest not in names:
        near = suggest(rest, names)
        return f"There is no '{first}.{rest}' to set.{near} Known: {_list(names)}."
    return ""


def _unknown_option(override: Override, folders: Sequence[Path]) -> str:
    if override.is_sweep_override() or override.is_delete():
        return ""
    group, value = override.key_or_group, override.value()
    options = {name for folder in folders for name in _options(folder / group)}
    options |= _stored(group) if options else set()
    text = getattr(value, "text", value)
    if group in TYPED and not options and not isinstance(value, dict):
        keys = [f"{group}.{field.name}" for field in dataclasses.fields(TYPED[group])]
        near = suggest(group, [name for name in _groups(folders) if name != group])
        return f"'{group}' is no choice of options: set {_list(keys)}.{near}"
    if not options or text == "null" or not isinstance(text, str) or text in options:
        return ""
    advice = f" To add one, write conf/{group}/{text}.yaml." if text else ""
    if group == "data":
        advice = " `python -m src.data import` makes packs, `python -m src.data list` lists them."
    return f"There is no {group} '{text}'.{suggest(text, options)} Known: {_list(options)}.{advice}"


def _groups(folders: Sequence[Path]) -> set[str]:
    return {path.name for folder in folders for path in folder.glob("*") if path.is_dir()}


def _list(names: Iterable[str]) -> str:
    return ", ".join(sorted(names))


def config_folders(arguments: Sequence[str]) -> list[Path]:
    """Return conf/ and the folders that ``--config-dir`` adds to it."""
    parser = argparse.ArgumentParser(add_help=False, allow_abbrev=False)
    parser.add_argument("--config-dir", "-cd", type=Path)
    known, _ = parser.parse_known_args(arguments)
    return [CONF, *([known.config_dir] if known.config_dir else [])]


def _stored(group: str) -> set[str]:
    """Return the options that stand in no file, such as packs."""
    store = ConfigStore.instance()
    known = store.list(group) if store.get_type(group) == ObjectType.GROUP else []
    return {name.removesuffix(".yaml") for name in known}


def _options(folder: Path) -> list[str]:
    return [file.stem for file in folder.glob("*.yaml")] if folder.is_dir() else []
