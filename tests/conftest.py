"""What all tests share: an environment without telemetry or hubs, and where real data may be."""

from __future__ import annotations

import os
from collections.abc import Callable
from pathlib import Path
from typing import TYPE_CHECKING

import pytest
from hypothesis import settings

if TYPE_CHECKING:
    from tests.launching import Ended, Workplace

for name, value in {
    "HF_HUB_OFFLINE": "1",
    "MLFLOW_DISABLE_TELEMETRY": "true",
    "DVC_NO_ANALYTICS": "1",
    "DO_NOT_TRACK": "1",
}.items():
    os.environ[name] = value

# machines differ: a test must not fail because the first call imports something large
settings.register_profile("grambench", deadline=None)
settings.load_profile("grambench")

ROOT = Path(__file__).parents[1]
REAL_DATA = ROOT.parent / "shared" / "data"


@pytest.fixture(scope="session")
def real_data() -> Path:
    """The folder with real research data; the test skips where it is absent."""
    if not REAL_DATA.is_dir():
        pytest.skip("../shared/data is not here")
    return REAL_DATA


@pytest.fixture(scope="session")
def database(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """An empty MLflow database, made once."""
    from src.tracking.store import Tracker

    folder = tmp_path_factory.mktemp("database")
    Tracker(f"sqlite:///{folder}/mlflow.db", str(folder / "artifacts"), "other")
    return folder / "mlflow.db"


@pytest.fixture
def workplace(tmp_path: Path, database: Path) -> Workplace:
    """A folder of its own to run in."""
    from tests.launching import Workplace  # Hydra and MLflow only for those who run

    return Workplace(tmp_path, database)


@pytest.fixture
def launch(
    workplace: Workplace,
    monkeypatch: pytest.MonkeyPatch,
    capsys: pytest.CaptureFixture[str],
) -> Callable[..., Ended]:
    """Run src.run in the workplace, in this process."""
    return lambda *overrides: workplace.here(monkeypatch, capsys, *overrides)
