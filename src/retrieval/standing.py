"""What of a retriever or a reranker determines results where its config alone does not say it."""

from __future__ import annotations

import logging
import re
from collections.abc import Mapping
from functools import cache
from typing import Any

from src.retrieval.devices import check_device, dtype_in_effect, pick_device
from src.retrieval.models import FoundModel, find_model
from src.retrieval.terms import terms_version

_COMMIT = re.compile(r"[0-9a-f]{40}")

_log = logging.getLogger(__name__)


def stands_for(component: Mapping[str, Any]) -> dict[str, Any]:
    """Return what to put in the place of a resolved config's entries in a run's identity.

    Of a model its content counts, not the path that leads to it, and the number format that this
    machine computes in; of lemmas the version of the pipeline that makes them; of components
    within a component, such as a retriever's encoder, the same. Nothing is loaded.

    Raises:
        GrambenchError: the model, the device or the pipeline is not there.
    """
    inner = {key: _exact(value) for key, value in component.items() if _holds_component(value)}
    if "model" in component and "revision" in component:
        return {**inner, **_card(component)}
    if "terms" in component:
        return {
            **inner,
            "lemmas_model": terms_version(component["terms"], component["lemmas_model"]),
        }
    return inner


def _holds_component(value: Any) -> bool:
    """Tell whether a config's value is a component, or names or lists some."""
    if isinstance(value, Mapping):
        return "_target_" in value or any(map(_holds_component, value.values()))
    return isinstance(value, list | tuple) and any(map(_holds_component, value))


def _exact(value: Any) -> Any:
    if isinstance(value, list | tuple):
        return [_exact(item) for item in value]
    return {**value, **stands_for(value)} if isinstance(value, Mapping) else value


def _card(card: Mapping[str, Any]) -> dict[str, Any]:
    found = find_model(card["model"], str(card["revision"]))
    warn_if_it_moves(f"Model '{card.get('name')}'", found)
    device, dtype = card.get("device", "auto"), card.get("dtype", "float32")
    check_device(device)
    if dtype != "float32":
        # Which device it is may take importing PyTorch, for seconds; float32 is float32 on all.
        dtype = dtype_in_effect(dtype, pick_device(device))
    return {"model": found.identity, "revision": None, "dtype": dtype}


def warn_if_it_moves(what: str, found: FoundModel) -> None:
    """Warn where a hub's revision is a branch or a tag; ``what`` is what the model is there for."""
    if found.revision is not None and not _COMMIT.fullmatch(found.revision):
        _warn_that_it_moves(what, found.source, found.revision)


@cache
def _warn_that_it_moves(what: str, model: str, revision: str) -> None:
    """Say it once a process, not once a run."""
    _log.warning(
        "%s: revision '%s' of %s can come to be another one, and results and cached vectors of "
        "both would be taken for the same. Pin it: set its revision to the commit, 40 digits long.",
        what,
        revision,
        model,
    )
