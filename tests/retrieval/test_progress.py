"""Signs of life while a model runs over many texts."""

import sys

from src.retrieval import batches


def test_a_log_hears_of_a_long_wait(monkeypatch, capsys):
    monkeypatch.setattr(batches, "_SECONDS_IN_A_LOG", 0.01)
    monkeypatch.setattr("tqdm.std.time", iter(range(100, 10_000)).__next__)
    assert not sys.stderr.isatty()
    with batches.progress(1000) as bar:
        for _ in range(20):
            bar.update(10)
    assert "/1000" in capsys.readouterr().err


def test_a_short_wait_says_nothing(capsys):
    with batches.progress(1000) as bar:
        bar.update(1000)
    assert capsys.readouterr().err.strip() == ""
