"""Small YAML files: mappings read with care, and written so that people can read them."""

from __future__ import annotations

from collections.abc import Mapping
from pathlib import Path
from typing import Any

import yaml

from src.corpus.text import decode

_Loader: Any = getattr(yaml, "CSafeLoader", yaml.SafeLoader)


class _StrictLoader(_Loader):  # type: ignore[misc]
    """A safe loader that refuses a key that stands twice, where YAML keeps the last."""

    def construct_mapping(self, node: Any, deep: bool = False) -> Any:
        """Make a mapping; raise ValueError at a repeated key."""
        keys = [key.value for key, _ in node.value]
        for position, key in enumerate(keys):
            if key in keys[:position]:
                raise ValueError(f"'{key}' stands there twice")
        return super().construct_mapping(node, deep=deep)


class _Dumper(yaml.SafeDumper):
    """Writes texts of several lines as blocks."""


def _text_node(dumper: yaml.SafeDumper, text: str) -> yaml.Node:
    style = "|" if "\n" in text else None
    # YAML takes these for line ends, and would not give them back; in double quotes it does.
    if any(character in text for character in "\r\x85\u2028\u2029"):
        style = '"'
    return dumper.represent_scalar("tag:yaml.org,2002:str", text, style=style)


_Dumper.add_representer(str, _text_node)


def read_mapping(path: Path) -> dict[str, Any]:
    """Read a YAML file that holds a mapping; ValueError says what is wrong with it."""
    try:
        content = yaml.load(decode(path.read_bytes()), Loader=_StrictLoader)
    except yaml.YAMLError as error:
        raise ValueError(f"not YAML ({' '.join(str(error).split())})") from error
    if not isinstance(content, dict):
        raise ValueError("not a mapping (`key: value`, one a line)")
    return content


def write_mapping(path: Path, content: Mapping[str, Any]) -> None:
    """Write a mapping as UTF-8 YAML, keys in the order given."""
    text = yaml.dump(
        dict(content), Dumper=_Dumper, allow_unicode=True, sort_keys=False, width=2**31 - 1
    )
    path.write_text(text, encoding="utf-8", newline="\n")
