"""data=NAME for packs that have no YAML in conf/data/."""

import pytest
from hydra.core.config_store import ConfigStore

from src.launch.choices import unknown_choice
from src.launch.packs import register_packs
from tests.packs import write_pack


@pytest.fixture(autouse=True)
def store():
    """The store as it was, when the test is over."""
    repo = ConfigStore.instance().repo
    before = dict(repo.get("data", {}))
    yield
    repo["data"] = before


def test_a_pack_is_a_choice(launch, workplace):
    write_pack(workplace.folder / "data" / "mine")
    ended = launch("data=mine", "reranker=none")
    assert ended.status == 0, ended.err
    assert "ndcg_at_20" in ended.out


def test_packs_can_be_swept_over(launch, workplace):
    write_pack(workplace.folder / "data" / "mine")
    ended = launch("-m", "data=demo,mine", "reranker=none", "query=term")
    assert ended.status == 0, ended.err
    assert "data=mine" in ended.out


def test_a_misspelt_pack_is_answered_with_the_nearest(tmp_path):
    write_pack(tmp_path / "mine")
    register_packs([f"paths.data={tmp_path}"])
    said = unknown_choice(["data=mime"])
    assert "There is no data 'mime'" in said and "'mine'" in said
    assert "src.data import" in said


def test_a_pack_with_a_yaml_of_its_own_keeps_it(tmp_path):
    write_pack(tmp_path / "demo")
    register_packs([f"paths.data='{tmp_path}'"])
    assert "demo.yaml" not in ConfigStore.instance().repo.get("data", {})


def test_a_folder_without_packs_is_no_fault(tmp_path):
    before = set(ConfigStore.instance().repo.get("data", {}))
    register_packs([f"paths.data={tmp_path / 'nowhere'}"])
    assert set(ConfigStore.instance().repo.get("data", {})) == before
