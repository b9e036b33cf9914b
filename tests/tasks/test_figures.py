from pathlib import Path

import numpy as np
import pytest
from matplotlib.backends.backend_agg import FigureCanvasAgg
from matplotlib.figure import Figure

from src.tasks.figures import NAMED_RUNS, draw_confusions, draw_curves, draw_runs


@pytest.fixture
def drawn(monkeypatch):
    """Keep the figures that are saved, to look into them."""
    figures = []
    save = Figure.savefig

    def keep(figure, path):
        figures.append(figure)
        save(figure, path)

    monkeypatch.setattr(Figure, "savefig", keep)
    return figures


def named(figure):
    (legend,) = figure.legends
    return [text.get_text() for text in legend.get_texts()]


def legend_and_axes(figure):
    renderer = FigureCanvasAgg(figure).get_renderer()
    (legend,), (axes,) = figure.legends, figure.axes
    return legend.get_window_extent(renderer), axes.get_tightbbox(renderer), figure.bbox


def test_runs_are_compared_at_one_k(drawn, tmp_path: Path):
    # at k = 2 the short ones are ahead, at its own middle the long one is
    runs = {f"short {n}": [0.2, 0.3 + n / 100, 0.4] for n in range(NAMED_RUNS)}
    runs["long"] = [0.0, 0.1, 0.2, 0.5, 0.9, 0.9, 0.9, 0.9]
    runs["empty"] = []
    draw_runs(tmp_path / "runs.png", runs, title="10 runs", ylabel="recall")
    best = [f"short {n}" for n in reversed(range(NAMED_RUNS))]
    assert named(drawn[0]) == [*best, "2 more, lower at k = 2"]


def test_a_legend_lies_below_the_curves_within_the_figure(drawn, tmp_path: Path):
    runs = {f"{'reranker.model=some/long-name ' * 2}{n}": [n / 30] * 20 for n in range(20)}
    draw_runs(tmp_path / "runs.png", runs, title="20 runs", ylabel="recall")
    curves = {"this run": [0.5, 1.0], "chance": [0.1, 0.2], "before reranking": [0.3, 0.4]}
    draw_curves(
        tmp_path / "curves.png", curves, title="title", ylabel="recall", thin=[[0, 1], [1, 1]]
    )
    assert named(drawn[1]) == ["one grammar each", *curves]
    for figure in drawn:
        legend, axes, page = legend_and_axes(figure)
        assert page.y0 <= legend.y0 and legend.y1 <= axes.y0
        assert page.x0 <= legend.x0 and legend.x1 <= page.x1


@pytest.mark.parametrize(
    ("titles", "labels"),
    [
        (["Order"], [*"ABCDEFGH", "Not mentioned in the grammar"]),
        ([f"Something said at some length {n}" for n in range(7)], ["1", "0"]),
        (["x"], ["1"]),
    ],
)
def test_confusion_matrices_stand_whole_beside_each_other(drawn, tmp_path, titles, labels):
    tables = {title: np.ones((len(labels), len(labels) + 1), dtype=int) for title in titles}
    draw_confusions(tmp_path / "c.png", tables, dict.fromkeys(titles, labels))
    (figure,) = drawn
    renderer = FigureCanvasAgg(figure).get_renderer()
    boxes = [axes.get_tightbbox(renderer) for axes in figure.axes]
    for number, box in enumerate(boxes):
        assert figure.bbox.x0 <= box.x0 and box.x1 <= figure.bbox.x1
        assert figure.bbox.y0 <= box.y0 and box.y1 <= figure.bbox.y1
        assert not any(box.overlaps(other) for other in boxes[number + 1 :])


def test_no_runs_make_an_empty_figure(tmp_path: Path):
    draw_runs(tmp_path / "runs.png", {}, title="0 runs", ylabel="recall")
    assert (tmp_path / "runs.png").read_bytes().startswith(b"\x89PNG")
