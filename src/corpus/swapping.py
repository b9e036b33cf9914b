"""Folders that change places, and what killed processes leave behind."""

from __future__ import annotations

import ctypes
import hashlib
import os
import re
import shutil
import socket
import sys
import time
from pathlib import Path

from src.processes import is_dead, process

_LEFTOVER = re.compile(r"\.grambench-(new|old)-(.+)-([0-9a-f]{8})-(\d+)-(\d+\.\d+)")
_A_DAY = 24 * 3600.0

# From linux/fs.h and linux/fcntl.h.
_RENAME_EXCHANGE = 2
_AT_FDCWD = -100


def leftover_name(role: str, name: str) -> str:
    """Name a temporary folder after its pack and the process that made it."""
    host, pid, created = process().rsplit(":", 2)
    return f".grambench-{role}-{name}-{_short(host)}-{pid}-{created}"


def exchange(new: Path, target: Path) -> None:
    """Let two folders change places: in one step where the system can, else in two renames."""
    if _exchange_at_once(new, target):
        return
    old = target.parent / leftover_name("old", target.name)
    target.rename(old)
    try:
        new.rename(target)
    except BaseException:
        old.rename(target)
        raise
    shutil.rmtree(old, ignore_errors=True)


def tidy(parent: Path) -> None:
    """Remove temporary folders of dead processes, and put back a pack that one had moved away."""
    for path in parent.glob(".grambench-*"):
        match = _LEFTOVER.fullmatch(path.name)
        if match is None or not _is_abandoned(path, *match.group(3, 4, 5)):
            continue
        pack = parent / match[2]
        if match[1] == "old" and not pack.exists():
            path.rename(pack)
        else:
            shutil.rmtree(path, ignore_errors=True)


def _exchange_at_once(one: Path, other: Path) -> bool:
    if not sys.platform.startswith("linux"):
        return False
    try:
        renameat2 = ctypes.CDLL(None).renameat2
    except (OSError, AttributeError):
        return False
    done: int = renameat2(
        _AT_FDCWD, os.fsencode(one), _AT_FDCWD, os.fsencode(other), _RENAME_EXCHANGE
    )
    return done == 0


def _is_abandoned(path: Path, short_host: str, pid: str, created: str) -> bool:
    host = socket.gethostname()
    if short_host != _short(host):
        # Processes of another machine cannot be asked; none imports for a day.
        return time.time() - path.stat().st_mtime > _A_DAY
    maker = f"{host}:{pid}:{created}"
    # Our own are what an earlier import could not remove: a process has one import at a time.
    return maker == process() or is_dead(maker)


def _short(host: str) -> str:
    """Shorten a host's name to what every file system takes."""
    return hashlib.sha256(host.encode()).hexdigest()[:8]
