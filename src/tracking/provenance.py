"""Where a result comes from: the commit, whether it was dirty, and the packages' versions."""

from __future__ import annotations

import platform
import socket
import subprocess
from functools import lru_cache
from importlib import metadata
from pathlib import Path

ROOT = Path(__file__).parents[2]

PACKAGES = [
    "bm25s",
    "hydra-core",
    "mlflow",
    "numpy",
    "omegaconf",
    "onnxruntime",
    "rank-bm25",
    "scikit-learn",
    "sentence-transformers",
    "spacy",
    "tokenizers",
    "torch",
    "transformers",
]


@lru_cache(maxsize=1)
def commit() -> tuple[str, bool]:
    """Return the commit of the code and whether it was changed since; ``""`` outside git."""
    head = _git("rev-parse", "HEAD")
    if not head:
        return "", True
    return head, bool(_git("status", "--porcelain", "--untracked-files=no"))


@lru_cache(maxsize=1)
def versions() -> dict[str, str]:
    """Return the versions of Python and of the packages that results may depend on."""
    found = {"python": platform.python_version(), "platform": platform.platform()}
    for name in PACKAGES:
        try:
            found[name] = metadata.version(name)
        except metadata.PackageNotFoundError:
            continue
    return found


@lru_cache(maxsize=1)
def process() -> str:
    """Name this process so that another can tell later whether it still lives."""
    import psutil

    me = psutil.Process()
    return f"{socket.gethostname()}:{me.pid}:{me.create_time():.2f}"


def is_dead(name: str) -> bool:
    """Tell whether a process named by :func:`process` on this host is gone for certain."""
    import psutil

    host, _, rest = name.partition(":")
    pid, _, started = rest.partition(":")
    if host != socket.gethostname() or not pid.isdigit():
        return False
    try:
        return abs(psutil.Process(int(pid)).create_time() - float(started)) > 1
    except psutil.NoSuchProcess:
        return True
    except (psutil.AccessDenied, ValueError):
        return False


def _git(*arguments: str) -> str:
    try:
        done = subprocess.run(
            ["git", *arguments], cwd=ROOT, capture_output=True, text=True, timeout=20, check=False
        )
    except (OSError, subprocess.TimeoutExpired):
        return ""
    return done.stdout.strip() if done.returncode == 0 else ""
