"""What components of every kind share."""

from __future__ import annotations

from dataclasses import dataclass

from omegaconf import MISSING


@dataclass
class Component:
    """What retrievers and rerankers share.

    ``inputs`` are the parts of a search that the result depends on: ``query`` and ``instruct``
    (their texts), ``query_name`` and ``instruct_name``; null means those of the components that it
    is made of or, where it is made of none, all of them.
    """

    _target_: str = MISSING
    name: str = MISSING
    inputs: list[str] | None = None
