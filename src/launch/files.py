"""What a run leaves in its folder, and in MLflow as artifacts."""

from __future__ import annotations

import json
import math
import os
from collections.abc import Mapping
from pathlib import Path
from typing import Any

import yaml

from src.corpus.tables import columns_of, write_parquet
from src.launch.outcome import Outcome
from src.records import Result
from src.tracking.provenance import versions

RESULT = "result.json"


def write_artifacts(folder: Path, result: Result, outcome: Outcome, config: Any) -> None:
    """Write result.json, the resolved config, versions, texts, sample-level tables, figures."""
    folder.mkdir(parents=True, exist_ok=True)
    _write_yaml(folder / "config.yaml", config)
    _write_yaml(folder / "texts.yaml", result.texts)
    (folder / "versions.json").write_text(json.dumps(versions(), indent=1), encoding="utf-8")
    for name, rows in result.tables.items():
        write_parquet(folder / f"{name}.parquet", columns_of(rows))
    for name, draw in result.figures.items():
        draw(folder / name)
    write_json(folder / RESULT, as_json(outcome))


def as_json(outcome: Outcome) -> dict[str, Any]:
    """Return an outcome for result.json; undefined figures are null."""
    return {
        "name": outcome.name,
        "identity": outcome.identity,
        "run_id": outcome.run_id,
        "folder": outcome.folder,
        "seconds": round(outcome.seconds, 3),
        "headline": list(outcome.headline),
        "metrics": {name: _number(value) for name, value in outcome.metrics.items()},
        "curves": {name: [_number(v) for v in curve] for name, curve in outcome.curves.items()},
        "notes": list(outcome.notes),
    }


def from_json(name: str, text: str) -> Outcome:
    """Return the outcome of a run that is reused, from its result.json."""
    stored = json.loads(text)
    return Outcome(
        name=name,
        status="reused",
        identity=stored["identity"],
        run_id=stored["run_id"],
        folder=stored["folder"],
        seconds=stored["seconds"],
        metrics={k: math.nan if v is None else v for k, v in stored["metrics"].items()},
        curves={k: [math.nan if v is None else v for v in c] for k, c in stored["curves"].items()},
        headline=stored["headline"],
        notes=stored["notes"],
    )


def write_json(path: Path, content: Mapping[str, Any]) -> None:
    """Write JSON so that a reader sees the whole file or none."""
    text = json.dumps(content, indent=1, ensure_ascii=False, allow_nan=False)
    draft = path.with_name(f".{path.name}.{os.getpid()}")
    draft.write_text(text + "\n", encoding="utf-8")
    draft.replace(path)


def _number(value: float) -> float | None:
    return value if math.isfinite(value) else None


def _write_yaml(path: Path, content: Mapping[str, Any]) -> None:
    text = yaml.safe_dump(dict(content), allow_unicode=True, sort_keys=False)
    path.write_text(text, encoding="utf-8")
