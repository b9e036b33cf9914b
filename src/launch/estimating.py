"""What runs would ask LLMs and what it would cost, told without asking anything (``dry_run``)."""

from __future__ import annotations

from collections.abc import Mapping, Sequence

from hydra.utils import get_method
from omegaconf import DictConfig, OmegaConf

from src.errors import GrambenchError
from src.launch.markdown import markdown
from src.launch.missing import check_missing
from src.launch.notes import noted
from src.records import Estimate

_HEAD = ("run", "requests", "stored", "prompt tokens", "reply tokens", "USD", "USD at most", "time")


def estimate(cfg: DictConfig) -> Estimate:
    """Return what a composed config would ask.

    Raises:
        GrambenchError: its task asks no LLM, or the run could not be made at all.
    """
    if cfg.task.plan is None:
        raise GrambenchError(
            f"dry_run=true tells what LLMs would be asked; task={cfg.task.name} asks none."
        )
    check_missing(OmegaConf.masked_copy(cfg, [str(key) for key in cfg if key != "hydra"]))
    found: Estimate = get_method(cfg.task.plan)(cfg)
    return found


def estimate_table(estimates: Mapping[str, Estimate]) -> str:
    """Lay out estimates, a run a row, with their sum where there are several, and their notes."""
    rows = [(name, *_cells(found)) for name, found in estimates.items()]
    if len(rows) > 1:
        rows.append(("in all", *_cells(total(list(estimates.values())))))
    notes = noted({name: found.notes for name, found in estimates.items()})
    return "\n".join([markdown(_HEAD, rows), *notes])


def total(estimates: Sequence[Estimate]) -> Estimate:
    """Add estimates up; a figure that one of them does not know, the sum does not know either."""
    return Estimate(
        requests=sum(found.requests for found in estimates),
        stored=sum(found.stored for found in estimates),
        prompt_tokens=sum(found.prompt_tokens for found in estimates),
        completion_tokens=sum(found.completion_tokens for found in estimates),
        usd=_sum([found.usd for found in estimates]),
        most_usd=_sum([found.most_usd for found in estimates]),
        seconds=_sum([found.seconds for found in estimates]),
    )


def _sum(values: Sequence[float | None]) -> float | None:
    known = [value for value in values if value is not None]
    return sum(known) if len(known) == len(values) else None


def _cells(found: Estimate) -> tuple[str, ...]:
    counts = (found.requests, found.stored, found.prompt_tokens, found.completion_tokens)
    costs = (found.usd, found.most_usd)
    return (
        *(f"{count:,}" for count in counts),
        *("unknown" if cost is None else f"{cost:,.2f}" for cost in costs),
        "unknown" if found.seconds is None else _time(found.seconds),
    )


def _time(seconds: float) -> str:
    if seconds < 90:
        return f"{seconds:.0f} s"
    minutes = seconds / 60
    return f"{minutes:.0f} min" if minutes < 90 else f"{minutes / 60:.1f} h"
