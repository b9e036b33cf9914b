from __future__ import annotations

import os
import signal
import subprocess
import sys
import time
from pathlib import Path

import psutil
import pytest

from src.importers.grammars.workers import Died, in_parallel


def work(task: str) -> tuple[str, int]:
    if task == "crash":
        os.kill(os.getpid(), signal.SIGSEGV)
    if task == "killed":
        os.kill(os.getpid(), signal.SIGKILL)
    if task == "exit":
        os._exit(3)
    if task == "sleep":
        time.sleep(60)
    return task, os.getpid()


def test_all_tasks_are_done_by_few_processes():
    done = list(in_parallel(work, ["a", "b", "c", "d", "e"], jobs=2))
    assert sorted(task for task, _ in done) == ["a", "b", "c", "d", "e"]
    assert all(answer[0] == task for task, answer in done)
    pids = {answer[1] for _, answer in done}
    assert 1 <= len(pids) <= 2
    assert os.getpid() not in pids


@pytest.mark.parametrize(
    ("task", "said"),
    [
        ("crash", "was ended by SIGSEGV"),
        ("killed", "was ended by SIGKILL: there may not have been enough memory"),
        ("exit", "ended with status 3"),
    ],
)
def test_a_process_that_dies_takes_only_its_task_along(task, said):
    done = dict(in_parallel(work, ["a", task, "b", "c"], jobs=1))
    assert isinstance(done[task], Died)
    assert said in str(done[task])
    assert [done[name][0] for name in ("a", "b", "c")] == ["a", "b", "c"]


def test_who_stops_early_leaves_no_process():
    before = set(psutil.Process().children(recursive=True))
    for _ in in_parallel(work, ["a", "sleep", "sleep"], jobs=2):
        break
    for child in set(psutil.Process().children(recursive=True)) - before:
        # multiprocessing's own helper stays for as long as we do
        assert "resource_tracker" in " ".join(child.cmdline())


def test_no_process_outlives_a_parent_that_is_killed():
    code = (
        "from tests.importers.grammars.test_workers import work\n"
        "from src.importers.grammars.workers import in_parallel\n"
        "if __name__ == '__main__':\n"
        "    for done in in_parallel(work, ['a', 'sleep', 'sleep'], jobs=2):\n"
        "        print(*done[1], flush=True)\n"
    )
    root = Path(__file__).parents[3]
    with subprocess.Popen(
        [sys.executable, "-c", code], cwd=root, stdout=subprocess.PIPE, text=True
    ) as parent:
        assert parent.stdout is not None
        assert parent.stdout.readline().startswith("a ")
        children = psutil.Process(parent.pid).children(recursive=True)
        parent.kill()
    assert len(children) >= 2
    assert psutil.wait_procs(children, timeout=20)[1] == []


def test_nothing_to_do():
    assert list(in_parallel(work, [], jobs=2)) == []
