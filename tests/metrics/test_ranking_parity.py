"""The paper's stored NDCG columns, recomputed from its stored grades."""

from __future__ import annotations

import csv
from pathlib import Path

import numpy as np
import pytest

from src.metrics.ranking import ndcg_curve

STORED = Path(__file__).parents[2].parent / "shared" / "data" / "mtob" / "rerankers_metrics"
GRADES, NDCG = " Relevance Score", " NDCG@K"

pytestmark = [
    pytest.mark.realdata,
    pytest.mark.skipif(not STORED.is_dir(), reason="needs the stored metrics of MTOB"),
]


def test_every_stored_ndcg_agrees() -> None:
    files = sorted(STORED.glob("*.csv"))
    assert len(files) >= 10
    for file in files:
        with file.open(encoding="utf-8", newline="") as handle:
            rows = list(csv.DictReader(handle))
        names = [c.removesuffix(GRADES) for c in rows[0] if c.endswith(GRADES)]
        assert len(names) == 29, file.name
        candidates = [int(row["BM25" + GRADES]) for row in rows]
        for name in names:
            grades = [int(row[name + GRADES]) for row in rows]
            stored = np.array([float(row[name + NDCG]) for row in rows])
            gap = np.abs(ndcg_curve(grades, candidates) - stored).max()
            assert gap <= 1e-12, f"{file.name}, {name}: {gap}"
