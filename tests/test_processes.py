import os
import socket
import subprocess
import sys

import pytest

from src.processes import is_dead, process

SAY_AND_WAIT = "from src.processes import process; print(process(), flush=True); input()"


def test_a_process_is_named_by_host_number_and_birth():
    with subprocess.Popen(
        [sys.executable, "-c", SAY_AND_WAIT],
        stdin=subprocess.PIPE,
        stdout=subprocess.PIPE,
        text=True,
    ) as child:
        name = child.stdout.readline().strip()
        assert name.startswith(f"{socket.gethostname()}:{child.pid}:")
        assert not is_dead(name)
        child.communicate("\n")
    assert is_dead(name)


def test_a_killed_process_is_dead_though_nobody_has_asked_after_it():
    with subprocess.Popen(
        [sys.executable, "-c", SAY_AND_WAIT],
        stdin=subprocess.PIPE,
        stdout=subprocess.PIPE,
        text=True,
    ) as child:
        name = child.stdout.readline().strip()
        child.kill()
        child.stdout.read()  # its end is closed when it is gone
        os.waitid(os.P_PID, child.pid, os.WEXITED | os.WNOWAIT)
        assert is_dead(name)


def test_a_reused_process_number_is_not_taken_for_the_process():
    host, pid, created = process().rsplit(":", 2)
    assert not is_dead(f"{host}:{pid}:{created}")
    assert is_dead(f"{host}:{pid}:{float(created) - 100}")


@pytest.mark.parametrize("name", ["", "otherhost:1:1.0", "{host}", "{host}:x:1.0", "{host}:1:"])
def test_what_cannot_be_known_is_not_called_dead(name):
    assert not is_dead(name.format(host=socket.gethostname()))
