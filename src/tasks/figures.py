"""Figures that tasks draw, one function a kind."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from pathlib import Path

import numpy as np
import numpy.typing as npt

COLOURS = ("#1f5fa8", "#8a8a8a", "#c9a227", "#4d9a5b")


def draw_curves(
    path: Path,
    curves: Mapping[str, npt.NDArray[np.float64]],
    *,
    title: str,
    ylabel: str,
    thin: Sequence[npt.NDArray[np.float64]] = (),
) -> None:
    """Draw curves over k, the first of them strong, with one thin line a grammar behind it."""
    # the object interface: pyplot would keep every figure of a sweep
    from matplotlib.backends.backend_agg import FigureCanvasAgg
    from matplotlib.figure import Figure

    figure = Figure(figsize=(6.4, 4.0), dpi=100)
    FigureCanvasAgg(figure)
    axes = figure.add_axes((0.1, 0.12, 0.87, 0.78))
    for curve in thin:
        axes.plot(range(1, curve.size + 1), curve, color=COLOURS[0], alpha=0.18, linewidth=0.8)
    for (label, curve), colour in zip(curves.items(), COLOURS, strict=False):
        width = 2.2 if colour == COLOURS[0] else 1.4
        axes.plot(range(1, curve.size + 1), curve, color=colour, linewidth=width, label=label)
    axes.set(xlabel="k", ylabel=ylabel, ylim=(0, 1), title=title)
    axes.set_xmargin(0.01)
    axes.grid(alpha=0.25)
    axes.legend(loc="lower right", frameon=False)
    figure.savefig(path)
