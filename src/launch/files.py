"""What a run leaves in its folder, and in MLflow as artifacts."""

from __future__ import annotations

import json
import math
import os
from collections.abc import Mapping
from pathlib import Path
from typing import Any

from omegaconf import OmegaConf

from src.launch.outcome import Outcome
from src.records import Result
from src.tracking.provenance import versions

RESULT = "result.json"


def write_artifacts(folder: Path, result: Result, outcome: Outcome, config: Any) -> None:
    """Write result.json, the resolved config, versions, sample-level tables and figures."""
    folder.mkdir(parents=True, exist_ok=True)
    (folder / "config.yaml").write_text(OmegaConf.to_yaml(OmegaConf.create(config)), "utf-8")
    (folder / "versions.json").write_text(json.dumps(versions(), indent=1), encoding="utf-8")
    for name, rows in result.tables.items():
        _write_parquet(folder / f"{name}.parquet", rows)
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


def _write_parquet(path: Path, rows: Any) -> None:
    import pyarrow as pa
    import pyarrow.parquet as pq

    pq.write_table(pa.Table.from_pylist(list(rows)), path)
