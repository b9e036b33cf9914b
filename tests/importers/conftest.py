from __future__ import annotations

from pathlib import Path

import pytest

from tests.mtob_clone import Clone, write_clone


@pytest.fixture
def clone(tmp_path) -> Clone:
    return write_clone(tmp_path / "clone")


@pytest.fixture
def folder(tmp_path) -> Path:
    return tmp_path / "data" / "mtob"
