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
from omegaconf import DictConfig
from omegaconf.errors import ConfigAttributeError, ConfigKeyError

from src.errors import suggest
from src.launch.schema.config import Config

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


def unknown_key(error: Exception) -> str:
    """Say which key there is not that Hydra was to set, at any depth; ``""`` if it is not that."""
    cause = error.__cause__
    if not isinstance(cause, ConfigAttributeError | ConfigKeyError):
        return ""
    parent, key = cause.parent_node, str(cause.key)
    if not isinstance(parent, DictConfig):
        return ""
    names = [str(name) for name in parent] if len(parent) else []
    known = f" Known: {_list(names)}." if names else ""
    # What has a schema takes no other keys; a mapping without one does.
    more = f" +{cause.full_key}=... adds it." if cause.object_type is dict else ""
    return f"There is no '{cause.full_key}' to set.{suggest(key, names)}{known}{more}"


def _unknown_key(key: str, folders: Sequence[Path]) -> str:
    first = key.partition("@")[0].replace("/", ".").partition(".")[0]
    known = {*_groups(folders), *(field.name for field in dataclasses.fields(Config))} - {
        "hydra",
        "local",
    }
    if first not in known:
        return f"There is no '{first}' to set.{suggest(first, known)} Known: {_list(known)}."
    return ""


def _unknown_option(override: Override, folders: Sequence[Path]) -> str:
    if override.is_sweep_override() or override.is_delete():
        return ""
    group, value = override.key_or_group, override.value()
    options = options_of(group, folders) if _has_files(group, folders) else set()
    text = getattr(value, "text", value)
    typed = _typed(group)
    if typed and not options and not isinstance(value, dict):
        keys = [f"{group}.{name}" for name in typed]
        near = suggest(group, [name for name in _groups(folders) if name != group])
        return f"'{group}' is no choice of options: set {_list(keys)}.{near}"
    if not options or isinstance(text, list) or text in options:
        return ""
    text = "null" if text is None else str(text)
    if text == "null":
        advice = f" Leave {group}= out, or choose none with ~{group}."
    else:
        advice = f" To add one, write conf/{group}/{text}.yaml." if text else ""
    if group == "data":
        advice = " `python -m src.data import` makes packs, `python -m src.data list` lists them."
    return f"There is no {group} '{text}'.{suggest(text, options)} Known: {_list(options)}.{advice}"


def options_of(group: str, folders: Sequence[Path]) -> set[str]:
    """Return the options of a group, those in files and those that stand in none."""
    return {name for folder in folders for name in _options(folder / group)} | _stored(group)


def _has_files(group: str, folders: Sequence[Path]) -> bool:
    return any(_options(folder / group) for folder in folders)


def _typed(group: str) -> list[str]:
    """Return the keys of a group that has the same ones whatever is chosen."""
    kinds = {field.name: field.default_factory for field in dataclasses.fields(Config)}
    kind = kinds.get(group)
    return [f.name for f in dataclasses.fields(kind)] if dataclasses.is_dataclass(kind) else []


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
