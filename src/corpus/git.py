"""What git knows about a folder: the revision of foreign data, and of our own code."""

from __future__ import annotations

import os
import subprocess
from pathlib import Path

DIRTY = "-dirty"

_SECONDS = 60


def git_revision(folder: Path) -> str:
    """Return the commit that a git checkout stands at, with ``-dirty`` after it where files
    differ from it; ``""`` where the folder is not itself a checkout, or git is not there.
    """
    top = _git(folder, "rev-parse", "--show-toplevel")
    if not top or Path(top) != folder.resolve():
        return ""
    return _git(folder, "describe", "--always", f"--dirty={DIRTY}", "--abbrev=40", "--exclude=*")


def _git(folder: Path, *arguments: str) -> str:
    # Variables such as GIT_DIR would lead git to another repository.
    clean = {key: value for key, value in os.environ.items() if not key.startswith("GIT_")}
    command = ["git", "--no-optional-locks", "-C", str(folder), *arguments]
    try:
        done = subprocess.run(
            command, capture_output=True, text=True, env=clean, check=False, timeout=_SECONDS
        )
    except (OSError, subprocess.TimeoutExpired):
        return ""
    return done.stdout.strip() if done.returncode == 0 else ""
