from pathlib import Path
from types import SimpleNamespace
from typing import Any

import pytest
from huggingface_hub import constants, errors

from src.errors import GrambenchError
from src.models import hub
from src.models.finding import FoundModel
from src.models.hub import hub_file, require_on_hub

HUB = FoundModel("org/name", "abc123", "org/name@abc123")


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
    found = FoundModel("org/name", commit, "x")
    require_on_hub(found)
    assert hub_file(found, "config.json") == snapshot / "config.json"
    with pytest.raises(GrambenchError, match="HF_HUB_OFFLINE"):  # another file is not there
        hub_file(found, "tokenizer.json")
    with pytest.raises(GrambenchError):  # while another commit of it would need one
        require_on_hub(FoundModel("org/name", "b" * 40, "x"))


def test_folders_have_nothing_to_do_with_the_hub(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(constants, "HF_HUB_OFFLINE", True)
    require_on_hub(FoundModel(str(tmp_path), None, "x"))
    with pytest.raises(GrambenchError, match="HF_HUB_OFFLINE"):
        require_on_hub(FoundModel("org/elsewhere", "c" * 40, "x"))


def answered(kind: type[Exception]) -> Exception:
    response: Any = SimpleNamespace(headers={}, request=None)
    return kind("no", response=response)  # type: ignore[call-arg]


@pytest.mark.parametrize(
    ("error", "message"),
    [
        (answered(errors.GatedRepoError), "accept its terms.*hf auth login"),
        (answered(errors.RepositoryNotFoundError), "Check `model`"),
        (answered(errors.RevisionNotFoundError), "Check `revision`"),
        (errors.EntryNotFoundError("no"), r"has no config\.json on the hub"),
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
    assert hub._SECONDS <= 10
