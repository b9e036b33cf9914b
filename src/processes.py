"""Names of processes, by which others can tell later whether one still lives."""

from __future__ import annotations

import socket


def process() -> str:
    """Name this process: ``host:pid:created``, the last in seconds since 1970."""
    import psutil

    me = psutil.Process()
    return f"{socket.gethostname()}:{me.pid}:{me.create_time():.2f}"


def is_dead(name: str) -> bool:
    """Tell whether a process named by :func:`process` on this host is gone for certain.

    A living process with the same number, but created at another time, is another one; one that
    was killed, and that whoever started it has not asked after yet, is dead.
    """
    import psutil

    host, _, rest = name.partition(":")
    pid, _, created = rest.partition(":")
    if host != socket.gethostname() or not pid.isdigit():
        return False
    try:
        found = psutil.Process(int(pid))
        is_other = abs(found.create_time() - float(created)) > 1
        return is_other or found.status() == psutil.STATUS_ZOMBIE
    except psutil.NoSuchProcess:
        return True
    except (psutil.AccessDenied, ValueError):
        return False
