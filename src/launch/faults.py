"""What Hydra and OmegaConf say of mistakes in a user's YAML or overrides, said for people."""

from __future__ import annotations

import dataclasses
import re
import sys
from pathlib import Path

from hydra.core.config_store import ConfigStore
from omegaconf import DictConfig
from omegaconf.errors import ConfigAttributeError, ConfigKeyError

from src.errors import suggest
from src.launch.choices import config_folders, options_of
from src.launch.schema import config, features, llms, prompts, retrieval, tasks

_IN = re.compile(r"In '(?P<file>[^']+)': ")
_NO_KEY = re.compile(r"Key '(?P<key>[^']+)' not in '(?P<kind>\w+)'")
_NO_FILE = re.compile(r"Could not (?:load|find) '(?P<option>[^']+)'")
_SEVERAL = re.compile(r"Ambiguous value for argument '(?P<key>[^=]+)=(?P<value>.*)'$", re.MULTILINE)
_FULL_KEY = re.compile(r"^\s*full_key: (?P<key>\S+)$", re.MULTILINE)
_VALUES = (
    (re.compile(r"Value '(.*)' of type '\w+' could not be converted to Float"), "a number"),
    (re.compile(r"Value '(.*)' of type '\w+' could not be converted to Integer"), "a whole number"),
    (re.compile(r"Value '(.*)' is not a valid bool"), "true or false"),
    (re.compile(r"Invalid value assigned: (\w+) is not a ListConfig"), "a list, [a,b]"),
)


def fault(error: BaseException) -> str:
    """Say what is wrong, where, and what is near to it; ``""`` for an error of another kind."""
    text = "\n".join(str(e) for e in (error, error.__cause__) if e is not None)
    return (
        _without_schema(error)
        or _key_in_file(text)
        or _missing_default(text)
        or _several(text)
        or _wrong_value(text, error.__cause__)
    )


def _key_in_file(text: str) -> str:
    place, found = _IN.match(text), _NO_KEY.search(text)
    if place is None or found is None:
        return ""
    names = _fields(found["kind"])
    full = _FULL_KEY.search(text)
    key = full["key"] if full else found["key"]
    return (
        f"{_file(place['file'])}: there is no key '{key}'.{suggest(found['key'], names)}"
        f" Known: {', '.join(sorted(names))}."
    )


def _missing_default(text: str) -> str:
    place, found = _IN.match(text), _NO_FILE.search(text)
    if place is None or found is None:
        return ""
    group, _, option = found["option"].rpartition("/")
    known = options_of(group, config_folders(sys.argv[1:]))
    listed = f" Known: {', '.join(sorted(known))}." if known else ""
    return (
        f"{_file(place['file'])}: its defaults name '{option}', but there is no {group} '{option}'."
        f"{suggest(option, known)}{listed}"
    )


def _several(text: str) -> str:
    found = _SEVERAL.search(text)
    if found is None:
        return ""
    key, value = found["key"], found["value"]
    return (
        f"'{key}={value}' gives several values: add -m for a run with each. A list stands in"
        f" brackets ({key}=[{value}]), one value with commas in quotes ('{key}=\"{value}\"')."
    )


def _wrong_value(text: str, cause: BaseException | None) -> str:
    full = _FULL_KEY.search(text)
    if full is None:
        return ""
    place = _IN.match(text)
    where = f"{_file(place['file'])}: " if place else ""
    for pattern, wanted in _VALUES:
        if found := pattern.search(text):
            # of a value that is to be a list, the message has the type alone
            value = getattr(cause, "value", None) or found[1]
            return f"{where}{full['key']} is '{value}'; give {wanted}."
    return ""


def _without_schema(error: BaseException) -> str:
    """Say which line a component's YAML lacks where a key is asked for that every schema has."""
    if not isinstance(error, ConfigAttributeError | ConfigKeyError):
        return ""
    parent, (group, _, key) = error.parent_node, str(error.full_key).partition(".")
    if error.object_type is not dict or not isinstance(parent, DictConfig) or "." in key:
        return ""
    schemas = ConfigStore.instance().repo.get("hydra", {}).get("schema", {}).get(group, {})
    shared = {
        name.removesuffix(".yaml"): len({*node.node} & {*parent}) for name, node in schemas.items()
    }
    if not shared:
        return ""
    # the one that has most of the keys in common with what was written
    nearest = max(shared, key=lambda name: shared[name])
    name = parent.get("name") or "..."
    others = ", ".join(sorted(set(shared) - {nearest}))
    return (
        f"{group}={name} has no '{key}': {_file(f'{group}/{name}')} lacks a schema. Begin it with"
        f" `defaults:` and below it `- /hydra/schema/{group}@_here_: {nearest}` (or: {others})."
    )


def _fields(kind: str) -> list[str]:
    """Return the keys of a class of the schemas."""
    for module in (config, features, llms, prompts, retrieval, tasks):
        found = getattr(module, kind, None)
        if dataclasses.is_dataclass(found):
            return [field.name for field in dataclasses.fields(found)]
    return []


def _file(name: str) -> str:
    """Return the path of a config's YAML as a person would write it."""
    for folder in reversed(config_folders(sys.argv[1:])):
        path = (folder / f"{name}.yaml").absolute()
        if path.is_file():
            here = Path.cwd()
            return str(path.relative_to(here) if path.is_relative_to(here) else path)
    return f"conf/{name}.yaml"
