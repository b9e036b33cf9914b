from __future__ import annotations

import subprocess
from pathlib import Path

import pytest

from src.corpus.git import git_revision


def git(root: Path, *arguments: str) -> str:
    person = ["-c", "user.name=A", "-c", "user.email=a@example.org"]
    command = ["git", "-C", str(root), *person, *arguments]
    return subprocess.run(command, check=True, capture_output=True, text=True).stdout.strip()


@pytest.fixture
def checkout(tmp_path) -> Path:
    folder = tmp_path / "checkout"
    (folder / "inside").mkdir(parents=True)
    (folder / "inside" / "a.txt").write_text("a")
    git(folder, "init", "-q")
    git(folder, "add", ".")
    git(folder, "commit", "-q", "-m", "all")
    git(folder, "tag", "v1")
    return folder


def test_the_revision_is_the_commit_and_whether_files_differ(checkout):
    commit = git(checkout, "rev-parse", "HEAD")
    assert git_revision(checkout) == commit
    (checkout / "new.txt").write_text("")
    assert git_revision(checkout) == commit
    (checkout / "inside" / "a.txt").write_text("b")
    assert git_revision(checkout) == f"{commit}-dirty"


def test_the_environment_leads_to_no_other_repository(checkout, tmp_path, monkeypatch):
    """Whoever works inside a git hook has such variables set."""
    commit = git(checkout, "rev-parse", "HEAD")
    monkeypatch.setenv("GIT_DIR", str(tmp_path / "elsewhere"))
    monkeypatch.setenv("GIT_WORK_TREE", str(tmp_path))
    assert git_revision(checkout) == commit


def test_what_is_no_checkout_itself_has_no_revision(checkout, tmp_path):
    assert git_revision(checkout / "inside") == ""
    assert git_revision(tmp_path) == ""
    assert git_revision(tmp_path / "nowhere") == ""
    git(tmp_path / "checkout", "init", "-q", str(tmp_path / "empty"))
    assert git_revision(tmp_path / "empty") == ""


def test_a_linked_checkout_is_one(checkout, tmp_path):
    (tmp_path / "linked").symlink_to(checkout)
    assert git_revision(tmp_path / "linked") == git(checkout, "rev-parse", "HEAD")


def test_without_git_there_is_no_revision(checkout, tmp_path, monkeypatch):
    monkeypatch.setenv("PATH", str(tmp_path))
    assert git_revision(checkout) == ""
