import os
import shutil
from pathlib import Path

import pytest

from src.models import fingerprints
from src.models.fingerprints import fingerprint


@pytest.fixture
def folder(tmp_path: Path) -> Path:
    made = tmp_path / "model"
    (made / "1_Pooling").mkdir(parents=True)
    (made / "config.json").write_text("{}")
    (made / "1_Pooling" / "config.json").write_text('{"mean": true}')
    (made / "model.safetensors").write_bytes(bytes(range(256)) * 40_000)
    return made


def test_a_fingerprint_is_of_content_alone(folder: Path, tmp_path: Path) -> None:
    before = fingerprint(folder)
    copy = shutil.copytree(folder, tmp_path / "elsewhere")
    os.utime(copy / "config.json", (1, 1))
    (copy / "README.md").write_text("not what the model is made of")
    (copy / ".cache").mkdir()
    (copy / ".cache" / "x.json").write_text("{}")
    assert fingerprint(copy) == before


@pytest.mark.parametrize("at", [0, 5_000_000, 10_239_999])
def test_other_weights_have_another_fingerprint(folder: Path, at: int) -> None:
    before = fingerprint(folder)
    content = bytearray((folder / "model.safetensors").read_bytes())
    block = slice(at - at % 160_000, at - at % 160_000 + 160_000)  # as training changes weights
    content[block] = bytes(len(content[block]))
    (folder / "model.safetensors").write_bytes(content)
    assert fingerprint(folder) != before


def test_files_are_read_once_while_they_stay_as_they_are(folder: Path) -> None:
    before = fingerprint(folder)
    read = fingerprints._digest.cache_info().misses
    assert fingerprint(folder) == before
    assert fingerprints._digest.cache_info().misses == read
    (folder / "config.json").write_text("[]")  # as long as what it was
    assert fingerprint(folder) != before


def test_other_settings_have_another_fingerprint(folder: Path) -> None:
    before = fingerprint(folder)
    (folder / "1_Pooling" / "config.json").write_text('{"mean": null}')
    assert fingerprint(folder) != before


def test_a_file_is_told_by_its_content_not_by_its_name(tmp_path: Path) -> None:
    one, copy = tmp_path / "one.gguf", tmp_path / "copy.gguf"
    one.write_bytes(b"GGUF" * 90_000)
    copy.write_bytes(one.read_bytes())
    assert fingerprint(copy) == fingerprint(one)
    copy.write_bytes(one.read_bytes()[:-4] + b"LAST")
    assert fingerprint(copy) != fingerprint(one)
    copy.write_bytes(one.read_bytes() + b"\0")
    assert fingerprint(copy) != fingerprint(one)
