"""Values that a choice leaves open (``???`` in its YAML), because only the user knows them."""

from __future__ import annotations

from omegaconf import DictConfig, OmegaConf

from src.errors import GrambenchError

_GIVE = {
    "llm.base_url": "URL (of the endpoint; it mostly ends in /v1)",
    "llm.context": "TOKENS (the most that a prompt and its reply have together)",
    "llm.model": "NAME (as the endpoint calls it)",
}


def check_missing(cfg: DictConfig) -> None:
    """Refuse a config in which values are still to be given.

    Raises:
        GrambenchError: names each of them, and the choice that leaves it open.
    """
    keys = sorted(OmegaConf.missing_keys(cfg))
    if not keys:
        return
    groups = dict.fromkeys(key.partition(".")[0] for key in keys if "." in key)
    names = {group: OmegaConf.select(cfg, f"{group}.name") for group in groups}
    chosen = ", ".join(f"{group}={name}" for group, name in names.items() if name)
    given = " ".join(f"{key}={_GIVE.get(key, 'VALUE')}" for key in keys)
    left = f"{chosen} leaves open" if chosen else "There is no value for"
    raise GrambenchError(f"{left} {', '.join(keys)}. Give {given}.")
