import importlib
import importlib.util
import json
import logging
import shutil
import subprocess
import sys
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import pytest

from src.errors import GrambenchError
from src.models.fingerprints import fingerprint
from src.retrieval import devices
from src.retrieval.standing import stands_for
from tests.composing import composed
from tests.retrieval.encoder_help import MINILM, VERSION, minilm_folder

COMMIT = "0123456789abcdef0123456789abcdef01234567"


def card(**changes: Any) -> dict[str, Any]:
    plain = {"name": "mine", "model": MINILM, "revision": VERSION, "dtype": "float32"}
    return {**plain, "device": "cpu", **changes}


@pytest.fixture
def folder(tmp_path: Path) -> Path:
    made = tmp_path / "model"
    made.mkdir()
    (made / "config.json").write_text("{}")
    (made / "model.safetensors").write_bytes(b"weights")
    return made


def test_a_packages_model_is_told_by_its_content() -> None:
    expected = {"model": fingerprint(minilm_folder()), "revision": None, "dtype": "float32"}
    assert stands_for(card()) == expected
    assert stands_for(composed("reranker=minilm")["reranker"]) == expected


def test_a_folder_is_told_by_its_content_not_by_its_path(folder: Path, tmp_path: Path) -> None:
    copy = shutil.copytree(folder, tmp_path / "copy")
    found = stands_for(card(model=str(folder), revision="main"))
    assert stands_for(card(model=str(copy), revision="other")) == found
    (copy / "model.safetensors").write_bytes(b"Weights")
    assert stands_for(card(model=str(copy), revision="main")) != found


def test_a_model_of_the_hub_is_told_by_its_commit(caplog: pytest.LogCaptureFixture) -> None:
    found = stands_for(card(model="org/name", revision=COMMIT))
    assert found == {"model": f"org/name@{COMMIT}", "revision": None, "dtype": "float32"}
    assert caplog.text == ""


def test_a_revision_that_moves_is_warned_of_once(caplog: pytest.LogCaptureFixture) -> None:
    with caplog.at_level(logging.WARNING):
        for _ in range(3):
            found = stands_for(card(name="card_a", model="org/moving", revision="main"))
            stands_for(card(name="card_b", model="org/moving", revision=COMMIT[:12]))
    assert found["model"] == "org/moving@main"
    assert [(r.levelname, r.getMessage().count("Pin it")) for r in caplog.records] == [
        ("WARNING", 1),
        ("WARNING", 1),
    ]
    assert "'card_a': revision 'main' of org/moving" in caplog.text
    assert f"'card_b': revision '{COMMIT[:12]}' of org/moving" in caplog.text


@pytest.mark.parametrize(
    ("changes", "message"),
    [
        ({"model": "package:no_such_model"}, "pip install no-such-model"),
        ({"model": "./no/such"}, "no model at"),
        ({"revision": "9.9"}, "0.1.0 is installed"),
        ({"dtype": "float8"}, "dtype 'float8' is unknown"),
        ({"dtype": "bfloat16", "device": "tpu"}, "device=tpu"),
    ],
)
def test_what_is_not_there(changes: dict[str, Any], message: str) -> None:
    with pytest.raises(GrambenchError, match=message):
        stands_for(card(**changes))


@pytest.mark.parametrize(
    ("dtype", "device", "found"),
    [
        ("float16", "cpu", "float32"),
        ("bfloat16", "cpu", "bfloat16"),
        ("float16", "cuda", "float16"),
        ("bfloat16", "cuda", "float32"),
    ],
)
def test_the_number_format_in_effect(
    monkeypatch: pytest.MonkeyPatch,
    caplog: pytest.LogCaptureFixture,
    dtype: str,
    device: str,
    found: str,
) -> None:
    import torch

    # An old GPU, which a test cannot bring about.
    monkeypatch.setattr(devices, "_torch_devices", lambda: 1)
    monkeypatch.setattr(torch.cuda, "get_device_capability", lambda device: (7, 5))
    assert stands_for(card(dtype=dtype, device=device))["dtype"] == found
    assert caplog.text == ""  # who computes says it


def test_nothing_heavy_is_imported() -> None:
    lines = [
        "import sys",
        "from src.retrieval.standing import stands_for",
        f"card = {card(device='cuda')!r}",
        "stands_for(card)",
        "stands_for({**card, 'dtype': 'bfloat16', 'device': 'cpu'})",
        "heavy = {'torch', 'transformers', 'onnxruntime', 'spacy', 'sentence_transformers'}",
        "print(sorted(heavy & set(sys.modules)))",
    ]
    command = [sys.executable, "-c", "\n".join(lines)]
    done = subprocess.run(command, check=True, capture_output=True, text=True)
    assert done.stdout.strip() == "[]"


@pytest.fixture
def packages(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Iterator[Path]:
    """A place for what an installer writes down of packages; their code is not needed."""
    place = tmp_path / "site"
    place.mkdir()
    monkeypatch.syspath_prepend(place)
    yield place
    importlib.invalidate_caches()


def install(place: Path, name: str, version: str) -> None:
    folder = place / f"{name}-{version}.dist-info"
    folder.mkdir()
    text = f"Metadata-Version: 2.1\nName: {name}\nVersion: {version}\n"
    (folder / "METADATA").write_text(text, encoding="utf-8")
    importlib.invalidate_caches()


def lemmas(model: str) -> dict[str, Any]:
    return stands_for({"name": "bm25", "terms": "lemmas", "lemmas_model": model, "k": 5})


def test_lemmas_are_told_by_the_versions_that_make_them(packages: Path, tmp_path: Path) -> None:
    install(packages, "spacy", "3.6.1")
    install(packages, "xx_lemmas_sm", "3.6.0")
    expected = {"lemmas_model": "xx_lemmas_sm 3.6.0, spacy 3.6.1"}
    assert lemmas("xx_lemmas_sm") == expected
    unpacked = tmp_path / "anywhere"
    unpacked.mkdir()
    meta = {"lang": "xx", "name": "lemmas_sm", "version": "3.6.0"}
    (unpacked / "meta.json").write_text(json.dumps(meta), encoding="utf-8")
    assert lemmas(str(unpacked)) == expected


def test_a_pipeline_that_is_not_there(packages: Path, tmp_path: Path) -> None:
    install(packages, "spacy", "3.6.1")
    (tmp_path / "meta.json").write_text("{}", encoding="utf-8")
    for model in ("xx_none", str(tmp_path / "none"), str(tmp_path), "blank:en", ""):
        with pytest.raises(GrambenchError, match=r"spaCy 3\.6\.1 cannot load .*Get it"):
            lemmas(model)


@pytest.mark.skipif(importlib.util.find_spec("spacy") is not None, reason="spaCy is installed")
def test_without_spacy() -> None:
    with pytest.raises(GrambenchError, match="pip install spacy"):
        lemmas("en_core_web_sm")


def test_other_terms_need_no_pipeline() -> None:
    found = stands_for({"name": "bm25", "terms": "words", "lemmas_model": "no/such"})
    assert found == {"lemmas_model": None}


def test_models_within_a_retriever_are_told_by_their_content(folder: Path) -> None:
    exact = {"model": fingerprint(minilm_folder()), "revision": None, "dtype": "float32"}
    dense = composed("retriever=dense")["retriever"]
    assert stands_for(dense) == {"encoder": {**dense["encoder"], **exact}}
    hybrid = composed("retriever=hybrid")["retriever"]
    parts = stands_for(hybrid)["parts"]
    assert parts["dense"] == {**dense, **stands_for(dense)}
    assert parts["lexical"] == {**hybrid["parts"]["lexical"], "lemmas_model": None}
    other = {"_target_": "x", "parts": [card(_target_="y", model=str(folder), revision="r"), 3]}
    assert stands_for(other)["parts"][0]["model"] == fingerprint(folder)
    assert stands_for(other)["parts"][1] == 3


def test_what_is_said_of_a_model_within_is_not_taken_for_a_model() -> None:
    about = {"model": "a network", "revision": "second", "parts": {"depth": 2}}
    assert stands_for({"_target_": "x", "about": about, "weights": {"a": 1}}) == {}


@pytest.mark.parametrize(
    "choice",
    ["retriever=given", "retriever=none", "retriever=oracle", "reranker=none", "reranker=recorded"],
)
def test_all_else_stands_for_itself(choice: str) -> None:
    assert stands_for(composed(choice)[choice.partition("=")[0]]) == {}
