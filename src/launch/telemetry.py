"""No package phones home from a run, unless the user's environment says so itself."""

from __future__ import annotations

import os

OFF = {
    "DO_NOT_TRACK": "1",
    "DVC_NO_ANALYTICS": "1",
    "HF_HUB_DISABLE_TELEMETRY": "1",
    "MLFLOW_DISABLE_TELEMETRY": "true",
    "RAY_USAGE_STATS_ENABLED": "0",
}


def switch_off() -> None:
    """Set what turns telemetry off in this process and in those that it starts."""
    for name, value in OFF.items():
        os.environ.setdefault(name, value)
