"""Values that a choice leaves open (``???`` in its YAML), because only the user knows them."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

from omegaconf import DictConfig, OmegaConf

from src.errors import GrambenchError
from src.tracking.identity import groups_read

_GIVE = {
    "llm.base_url": "URL (of the endpoint; it mostly ends in /v1)",
    "llm.context": "TOKENS (the most that a prompt and its reply have together)",
    "llm.model": "NAME (as the endpoint calls it)",
}
# what every run needs, whatever its task reads
_OF_ALL = ("data", "paths", "task", "tracking")


def check_missing(cfg: DictConfig) -> None:
    """Refuse a config in which values are still to be given that its task reads.

    Raises:
        GrambenchError: names each of them, and the choice that leaves it open.
    """
    missing = OmegaConf.missing_keys(cfg)
    plain = OmegaConf.to_container(cfg) if missing else {}
    keys = sorted(key for key in missing if _is_read(key, plain))  # type: ignore[arg-type]
    if not keys:
        return
    groups = dict.fromkeys(key.partition(".")[0] for key in keys if "." in key)
    names = {group: OmegaConf.select(cfg, f"{group}.name") for group in groups}
    chosen = ", ".join(f"{group}={name}" for group, name in names.items() if name)
    given = " ".join(f"{key}={_GIVE.get(key, 'VALUE')}" for key in keys)
    left = f"{chosen} leaves open" if chosen else "There is no value for"
    raise GrambenchError(f"{left} {', '.join(keys)}. Give {given}.")


def _is_read(key: str, plain: Mapping[str, Any]) -> bool:
    """Whether a dotted key is in a group that the task reads, or in none."""
    group, _, inner = key.partition(".")
    if not inner or group in _OF_ALL:
        return True
    read = groups_read(plain)
    keys = read.get(group, frozenset())
    return keys is None or inner.partition(".")[0] in keys
