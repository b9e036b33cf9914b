"""Runs of src.run for tests, in this process or in one of their own."""

from __future__ import annotations

import os
import shutil
import sqlite3
import subprocess
import sys
from collections.abc import Sequence
from dataclasses import dataclass
from pathlib import Path

import pytest
from hydra.core.global_hydra import GlobalHydra
from mlflow import MlflowClient
from mlflow.entities import Run

from src import run
from tests.packs import write_pack

ROOT = Path(__file__).parents[1]


@dataclass
class Ended:
    status: int
    out: str
    err: str


class Workplace:
    """A folder of its own with a pack, outputs and an MLflow database.

    ``database`` is one to start from: making a new one takes MLflow some seconds.
    """

    def __init__(self, folder: Path, database: Path | None = None) -> None:
        self.folder = folder
        self.pack = write_pack(folder / "data" / "demo")
        if database is not None:
            (folder / "mlruns").mkdir()
            shutil.copy(database, folder / "mlruns" / "mlflow.db")

    def arguments(self, *overrides: str) -> list[str]:
        places = {name: self.folder / name for name in ("data", "outputs", "mlruns")}
        cached = [f"paths.{name}={self.folder}/cache/{name}" for name in ("vectors", "indexes")]
        flags = [text for text in overrides if text.startswith("-")]
        chosen = [text for text in overrides if text not in flags]
        return [*flags, *(f"paths.{k}={v}" for k, v in places.items()), *cached, *chosen]

    def command(self, *overrides: str) -> list[str]:
        return [sys.executable, "-m", "src.run", *self.arguments(*overrides)]

    def start(self, *overrides: str, **environment: str) -> subprocess.Popen[str]:
        return subprocess.Popen(
            self.command(*overrides),
            cwd=ROOT,
            env={**os.environ, **environment},
            stdout=subprocess.PIPE,
            stderr=subprocess.PIPE,
            text=True,
        )

    def here(
        self, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str], *overrides: str
    ) -> Ended:
        """Run in this process, which spares the seconds of importing MLflow."""
        GlobalHydra.instance().clear()
        monkeypatch.setattr(sys, "argv", ["src.run", *self.arguments(*overrides)])
        status = 0
        try:
            run.main()
        except SystemExit as end:
            status = int(end.code or 0)
        captured = capsys.readouterr()
        return Ended(status, captured.out, captured.err)

    def client(self) -> MlflowClient:
        return MlflowClient(f"sqlite:///{self.folder}/mlruns/mlflow.db")

    def count(self, status: str) -> int:
        """Count runs without MLflow, which would make the database if it is not there yet."""
        try:
            with sqlite3.connect(f"file:{self.folder}/mlruns/mlflow.db?mode=ro", uri=True) as base:
                row = base.execute(
                    "SELECT count(*) FROM runs WHERE status = ?", [status]
                ).fetchone()
        except sqlite3.OperationalError:
            return 0
        return int(row[0])

    def runs(self, experiment: str = "rerank") -> list[Run]:
        client = self.client()
        found = client.get_experiment_by_name(experiment)
        return list(client.search_runs([found.experiment_id])) if found else []

    def children(self) -> list[Run]:
        return [run for run in self.runs() if "mlflow.parentRunId" in run.data.tags]

    def parents(self) -> list[Run]:
        return [run for run in self.runs() if "grambench.sweep" in run.data.tags]


def statuses(runs: Sequence[Run]) -> list[str]:
    return sorted(run.info.status for run in runs)
