import platform

import pytest

from src.tracking import provenance


@pytest.fixture(autouse=True)
def forgotten():
    provenance.commit.cache_clear()
    yield
    provenance.commit.cache_clear()


@pytest.mark.parametrize(
    ("revision", "expected"),
    [("ab12", ("ab12", False)), ("ab12-dirty", ("ab12", True)), ("", ("", True))],
)
def test_the_commit_is_told_apart_from_its_state(monkeypatch, revision, expected):
    monkeypatch.setattr(provenance, "git_revision", lambda folder: revision)
    assert provenance.commit() == expected


def test_versions_are_those_of_python_and_of_packages():
    versions = provenance.versions()
    assert versions["python"] == platform.python_version()
    assert versions["numpy"] == __import__("numpy").__version__
