"""What the tests of batch mode share: an endpoint, and where the store is to be."""

from __future__ import annotations

from collections.abc import Iterator
from pathlib import Path

import pytest

from tests.llm.batch_server import BatchServer


@pytest.fixture
def server() -> Iterator[BatchServer]:
    with BatchServer() as endpoint:
        yield endpoint


@pytest.fixture
def path(tmp_path: Path) -> Path:
    return tmp_path / "replies.db"
