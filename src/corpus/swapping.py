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

_LEFTOVER = re.compile(r"\.grambench-(new|old)-(.+)-([0-9a-f]{8})-(\d+)")
_A_DAY = 24 * 3600.0

# From linux/fs.h and linux/fcntl.h.
_RENAME_EXCHANGE = 2
_AT_FDCWD = -100


def leftover_name(role: str, name: str) -> str:
    """Name a temporary folder after its pack and the process that made it."""
    return f".grambench-{role}-{name}-{_host()}-{os.getpid()}"


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
        if match is None or not _is_dead(path, host=match[3], pid=int(match[4])):
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


def _is_dead(path: Path, host: str, pid: int) -> bool:
    if host != _host():
        # Processes of another machine cannot be asked; none imports for a day.
        return time.time() - path.stat().st_mtime > _A_DAY
    if pid == os.getpid():
        return True
    try:
        os.kill(pid, 0)
    except ProcessLookupError:
        return True
    except OSError:
        return False
    return False


def _host() -> str:
    return hashlib.sha256(socket.gethostname().encode()).hexdigest()[:8]
