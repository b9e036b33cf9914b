"""What of a retriever or a reranker determines results where its config alone does not say it."""

from __future__ import annotations

import logging
import re
from collections.abc import Mapping
from functools import cache
from typing import Any

from src.retrieval.devices import check_device, dtype_in_effect, pick_device
from src.retrieval.lemmas import pipeline_version
from src.retrieval.models import find_model

_COMMIT = re.compile(r"[0-9a-f]{40}")

_log = logging.getLogger(__name__)


def stands_for(component: Mapping[str, Any]) -> dict[str, Any]:
    """Return what to put in the place of a resolved config's entries in a run's identity.

    Of a model its content counts, not the path that leads to it, and the number format that this
    machine computes in; of lemmas the version of the pipeline that makes them. Nothing is loaded.

    Raises:
        GrambenchError: the model, the device or the pipeline is not there.
    """
    if "model" in component and "revision" in component:
        return _card(component)
    if "terms" in component:
        lemmas = component["terms"] == "lemmas"
        return {"lemmas_model": pipeline_version(component["lemmas_model"]) if lemmas else None}
    return {}


def _card(card: Mapping[str, Any]) -> dict[str, Any]:
    found = find_model(card["model"], str(card["revision"]))
    if found.revision is not None and not _COMMIT.fullmatch(found.revision):
        _warn_that_it_moves(str(card.get("name")), found.source, found.revision)
    device, dtype = card.get("device", "auto"), card.get("dtype", "float32")
    check_device(device)
    if dtype != "float32":
        # Which device it is may take importing PyTorch, for seconds; float32 is float32 on all.
        dtype = dtype_in_effect(dtype, pick_device(device))
    return {"model": found.identity, "revision": None, "dtype": dtype}


@cache
def _warn_that_it_moves(name: str, model: str, revision: str) -> None:
    """Say it once a process, not once a run."""
    _log.warning(
        "Reranker '%s': revision '%s' of %s can come to be another model, and results and cached "
        "vectors of both would be taken for the same. Pin it: set reranker.revision to the commit, "
        "40 digits long.",
        name,
        revision,
        model,
    )
