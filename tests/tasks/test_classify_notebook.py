"""The task as a notebook calls it: without Hydra, MLflow or a config."""

from __future__ import annotations

import subprocess
import sys
from pathlib import Path

from tests.tasks.test_classify import pack_of

ROOT = Path(__file__).parents[2]
NOTEBOOK = """
import sys
from src.corpus.pack import load_pack
from src.llm.guessing import Guesser
from src.prompting.answers import DefaultAnswers
from src.prompting.features import feature_of
from src.tasks.classify import classify
from src.tasks.judging import Scoring
from src.tasks.preparing import Settings

order = feature_of({"id": "order", "title": "Order", "question": "Which order has {language}?",
                    "values": [{"label": "SOV"}, {"label": "SVO"}, {"label": "none"}],
                    "not_mentioned": "none"})
scoring = Scoring("gold_and_predicted", "wrong", 0.95, 100, seed=1)
majority = Guesser(name="majority", strategy="majority", seed=1)
result = classify(load_pack(sys.argv[1]), order, majority, DefaultAnswers(),
                  Settings("all", scoring))
print(result.metrics["f1_micro"], len(result.tables["grammars"]))
print([name for name in ("hydra", "mlflow", "matplotlib") if name in sys.modules])
"""


def test_a_notebook_needs_neither_hydra_nor_mlflow(tmp_path):
    pack = pack_of(tmp_path / "pack")
    ended = subprocess.run(
        [sys.executable, "-c", NOTEBOOK, str(pack.path)], cwd=ROOT, capture_output=True, text=True
    )
    assert ended.stdout.split("\n") == ["0.5 4", "[]", ""], ended.stderr
