"""Folders of cached files that several processes share: written whole or not at all, checked.

A lock file beside the folder, not in it, lets one process at a time write.
"""

from __future__ import annotations

import logging
import os
from collections.abc import Iterator
from contextlib import ExitStack, contextmanager
from functools import cached_property
from pathlib import Path
from typing import TYPE_CHECKING

from src.errors import GrambenchError

if TYPE_CHECKING:
    from filelock import BaseFileLock

_log = logging.getLogger(__name__)


class Damaged(Exception):
    """Why a file is not to be trusted."""


class CacheFolder:
    """A folder of safetensors files; ``what`` it holds and its ``setting`` are for messages."""

    def __init__(self, path: Path, what: str, setting: str) -> None:
        self.path = path
        self._what = what
        self._setting = setting

    @contextmanager
    def alone(self) -> Iterator[None]:
        """Wait until no other process writes to the folder, and let none while this lasts.

        May be entered again by the thread that is in it. Raises GrambenchError where the folder
        cannot be written to.
        """
        with ExitStack() as stack:
            if not self._lock.is_locked:
                try:
                    self.path.mkdir(parents=True, exist_ok=True)
                    self._take_lock()
                    stack.callback(self._lock.release)
                    self._remove_leftovers()
                except OSError as error:
                    raise self._cannot_keep(error) from error
            yield

    def write(self, name: str, content: bytes) -> None:
        """Write a file; raise GrambenchError if it cannot."""
        path = self.path / name
        temporary = path.with_name(f".{name}.{os.getpid()}")
        with self.alone():
            try:
                try:
                    temporary.write_bytes(content)
                    temporary.replace(path)
                finally:
                    temporary.unlink(missing_ok=True)
            except OSError as error:
                raise self._cannot_keep(error) from error

    @cached_property
    def _lock(self) -> BaseFileLock:
        from filelock import FileLock

        return FileLock(self.path.with_name(f".{self.path.name}.lock"))

    def _take_lock(self) -> None:
        from filelock import Timeout

        try:
            self._lock.acquire(timeout=0)
        except Timeout:
            _log.info("Waiting for another process that adds %s to %s.", self._what, self.path)
            self._lock.acquire()

    def _remove_leftovers(self) -> None:
        """Remove what writers that were killed left; who calls holds the lock: nobody writes."""
        for path in self.path.glob(".*.safetensors.*"):
            path.unlink(missing_ok=True)

    def _cannot_keep(self, error: OSError) -> GrambenchError:
        return GrambenchError(
            f"The {self._what} cannot be kept in {self.path}: {error.strerror or error}. Set "
            f"{self._setting} to a folder that you may write to."
        )
