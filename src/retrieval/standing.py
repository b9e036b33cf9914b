"""What of a retriever or a reranker determines results where its config alone does not say it."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

from src.models.finding import find_model
from src.models.hub import warn_if_it_moves
from src.retrieval.devices import check_device, dtype_in_effect, pick_device
from src.retrieval.terms import terms_version


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
