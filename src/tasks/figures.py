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
PANELS_ACROSS = 4
NO_ANSWER = "no answer"


def draw_curves(
    path: Path,
    curves: Mapping[str, Curve],
    *,
    title: str,
    ylabel: str,
    thin: Sequence[Curve] = (),
) -> None:
    """Draw curves over k, the first of them strong, with one thin line a grammar behind it."""
    figure, axes = _axes(title, ylabel, legend_rows=1)
    for number, curve in enumerate(thin):
        # one line stands for all in the legend
        label = None if number else "one grammar each"
        steps = range(1, len(curve) + 1)
        axes.plot(steps, curve, color=COLOURS[0], alpha=0.25, linewidth=0.8, label=label)
    for (label, curve), colour in zip(curves.items(), COLOURS, strict=False):
        width = 2.2 if colour == COLOURS[0] else 1.4
        axes.plot(range(1, len(curve) + 1), curve, color=colour, linewidth=width, label=label)
    figure.legend(loc="lower center", frameon=False, ncols=len(curves) + 1, fontsize=9)
    figure.savefig(path)


def draw_runs(path: Path, curves: Mapping[str, Curve], *, title: str, ylabel: str) -> None:
    """Draw one curve a run; where there are many, only the highest are named.

    They are compared at one k, half of what the shortest has.
    """
    shortest = min((len(curve) for curve in curves.values() if len(curve)), default=1)
    k = (shortest + 1) // 2
    height = {name: curve[k - 1] if len(curve) else 0.0 for name, curve in curves.items()}
    best = sorted(curves, key=lambda name: -height[name])[:NAMED_RUNS]
    others = [name for name in curves if name not in best]
    figure, axes = _axes(title, ylabel, legend_rows=len(best) + bool(others))
    for name in best:
        axes.plot(range(1, len(curves[name]) + 1), curves[name], linewidth=1.6, label=name)
    for name in others:
        label = f"{len(others)} more, lower at k = {k}" if name == others[0] else None
        steps = range(1, len(curves[name]) + 1)
        axes.plot(steps, curves[name], linewidth=0.8, color="#bbbbbb", zorder=1, label=label)
    if best:
        figure.legend(loc="lower center", frameon=False, fontsize=7)
    figure.savefig(path)


def draw_confusions(
    path: Path, tables: Mapping[str, npt.NDArray[np.int64]], labels: Mapping[str, Sequence[str]]
) -> None:
    """Draw confusion matrices side by side: gold labels down, what was predicted across.

    ``labels`` are the rows'; a table's last column counts replies without an answer. The colour
    is the share of the row.
    """
    from matplotlib.backends.backend_agg import FigureCanvasAgg
    from matplotlib.figure import Figure

    across = min(len(tables), PANELS_ACROSS)
    down = -(-len(tables) // max(across, 1))
    # in inches, measured here: matplotlib's own layouts draw everything several times
    high = 0.4 * max((len(table) for table in tables.values()), default=1)
    wide = high + 0.4
    names = 0.056 * max(len(_short(name)) for own in labels.values() for name in (*own, NO_ANSWER))
    left, below = names + 0.4, 0.75 * names + 0.45
    width = left + max(wide, 0.07 * max(map(len, tables))) + 0.2
    height = below + high + 0.35
    figure = Figure(figsize=(across * width, down * height), dpi=100)
    FigureCanvasAgg(figure)
    for place, (title, table) in enumerate(tables.items()):
        x, y = place % across + left / width, down - 1 - place // across + below / height
        box = (x / across, y / down, wide / width / across, high / height / down)
        _confusion(figure.add_axes(box), title, table, labels[title])
    figure.savefig(path)


def _confusion(axes: Axes, title: str, table: npt.NDArray[np.int64], labels: Sequence[str]) -> None:
    shares = table / np.maximum(table.sum(axis=1, keepdims=True), 1)
    axes.imshow(shares, cmap="Blues", vmin=0, vmax=1)
    columns = [*labels, NO_ANSWER]
    axes.set_xticks(range(len(columns)), [_short(c) for c in columns], rotation=45, ha="right")
    axes.set_yticks(range(len(labels)), [_short(label) for label in labels])
    axes.tick_params(labelsize=7)
    axes.set_xlabel("predicted", fontsize=8)
    axes.set_ylabel("gold", fontsize=8)
    axes.set_title(title, fontsize=9, loc="left")
    for (row, column), number in np.ndenumerate(table):
        colour = "white" if shares[row, column] > 0.5 else "black"
        axes.text(column, row, str(number), ha="center", va="center", fontsize=7, color=colour)


def _short(label: str, most: int = 24) -> str:
    return label if len(label) <= most else f"{label[: most - 1]}…"


def _axes(title: str, ylabel: str, *, legend_rows: int) -> tuple[Figure, Axes]:
    """Return an empty figure, with room for a legend below, where it covers no curve."""
    # the object interface: pyplot would keep every figure of a sweep
    from matplotlib.backends.backend_agg import FigureCanvasAgg
    from matplotlib.figure import Figure
    from matplotlib.ticker import MaxNLocator

    below = 0.65 + 0.17 * legend_rows
    height = 3.5 + below
    figure = Figure(figsize=(6.4, height), dpi=100)
    FigureCanvasAgg(figure)
    axes = figure.add_axes((0.1, below / height, 0.87, 3.1 / height))
    axes.set(xlabel="k", ylabel=ylabel, ylim=(0, 1.02))
    axes.set_title(title, fontsize=10)
    axes.set_xmargin(0.01)
    axes.xaxis.set_major_locator(MaxNLocator(integer=True))
    axes.grid(alpha=0.25)
    return figure, axes
