"""Figures that tasks draw, one function a kind."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from pathlib import Path
from typing import TYPE_CHECKING

import numpy as np
import numpy.typing as npt

if TYPE_CHECKING:
    from matplotlib.axes import Axes
    from matplotlib.figure import Figure

Curve = Sequence[float] | npt.NDArray[np.float64]

COLOURS = ("#1f5fa8", "#8a8a8a", "#c9a227", "#4d9a5b")
NAMED_RUNS = 8


def draw_curves(
    path: Path,
    curves: Mapping[str, Curve],
    *,
    title: str,
    ylabel: str,
    thin: Sequence[Curve] = (),
) -> None:
    """Draw curves over k, the first of them strong, with one thin line a grammar behind it."""
    figure, axes = _axes(title, ylabel)
    for curve in thin:
        axes.plot(range(1, len(curve) + 1), curve, color=COLOURS[0], alpha=0.18, linewidth=0.8)
    for (label, curve), colour in zip(curves.items(), COLOURS, strict=False):
        width = 2.2 if colour == COLOURS[0] else 1.4
        axes.plot(range(1, len(curve) + 1), curve, color=colour, linewidth=width, label=label)
    axes.legend(loc="lower right", frameon=False)
    figure.savefig(path)


def draw_runs(path: Path, curves: Mapping[str, Curve], *, title: str, ylabel: str) -> None:
    """Draw one curve a run; where there are many, only those highest in the middle are named."""
    figure, axes = _axes(title, ylabel)
    middle = {name: curve[len(curve) // 2] if len(curve) else 0.0 for name, curve in curves.items()}
    best = sorted(curves, key=lambda name: -middle[name])[:NAMED_RUNS]
    for name in sorted(curves, key=lambda name: name in best):
        steps = range(1, len(curves[name]) + 1)
        if name in best:
            axes.plot(steps, curves[name], linewidth=1.6, label=name)
        else:
            axes.plot(steps, curves[name], linewidth=0.8, color="#bbbbbb")
    axes.legend(loc="lower right", frameon=False, fontsize=7)
    figure.savefig(path)


def _axes(title: str, ylabel: str) -> tuple[Figure, Axes]:
    # the object interface: pyplot would keep every figure of a sweep
    from matplotlib.backends.backend_agg import FigureCanvasAgg
    from matplotlib.figure import Figure
    from matplotlib.ticker import MaxNLocator

    figure = Figure(figsize=(6.4, 4.0), dpi=100)
    FigureCanvasAgg(figure)
    axes = figure.add_axes((0.1, 0.12, 0.87, 0.78))
    axes.set(xlabel="k", ylabel=ylabel, ylim=(0, 1), title=title)
    axes.set_xmargin(0.01)
    axes.xaxis.set_major_locator(MaxNLocator(integer=True))
    axes.grid(alpha=0.25)
    return figure, axes
