"""What a user sees while batches run: a bar that waits with them, and a line for what happens."""

from __future__ import annotations

import logging
import time
from collections.abc import Mapping
from typing import Any

_log = logging.getLogger(__name__)

_OFTEN = 600.0  # seconds between lines where no terminal shows the bar


class BatchProgress:
    """A bar of the requests that are settled, with how far the endpoint is; a context manager."""

    def __init__(self, name: str, total: int) -> None:
        from tqdm import tqdm

        self._name = name
        self._total = total
        self._told = time.monotonic()
        self._bar: Any = tqdm(
            total=total, desc=name, unit=" replies", delay=1, disable=None, leave=False
        )

    def show(self, settled: int, running: Mapping[str, Mapping[str, int]]) -> None:
        """Show how many requests are settled, and the endpoint's counts of the running batches."""
        counts = running.values()
        done = sum(count.get("completed", 0) + count.get("failed", 0) for count in counts)
        total = sum(count.get("total", 0) for count in counts)
        batches = "batch" if len(running) == 1 else "batches"
        said = f"{len(running)} {batches} at the endpoint, {done} of {total} done there"
        self._bar.update(settled - self._bar.n if not self._bar.disable else 0)
        self._bar.set_postfix_str(said, refresh=True)
        if self._bar.disable and time.monotonic() - self._told > _OFTEN:
            self._told = time.monotonic()
            _log.info("%s: %d of %d settled; %s.", self._name, settled, self._total, said)

    def close(self) -> None:
        """Take the bar away."""
        self._bar.close()
