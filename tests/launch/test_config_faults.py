"""Mistakes in a user's own YAML, and in overrides, are told in a sentence."""

from __future__ import annotations

import re

import pytest

CHAT = "defaults:\n  - /hydra/schema/llm@_here_: chat\n"
FILES = {
    "llm/typo": f"{CHAT}name: typo\nmax_token: 200\n",
    "llm/hot": f"{CHAT}name: hot\ntemperature: hot\n",
    "llm/chatt": CHAT.replace("chat\n", "chatt\n"),
    "llm/bare": "name: bare\nmodel: x\nbase_url: http://localhost:1/v1\ncontext: 100\n",
    "llm/guess": "name: guess\nstrategy: uniform\nseed: 0\n",
    "feature/mine": "id: mine\nvalues:\n  - label: A\n    alias: [a]\n",
    "prompt/odd": "defaults:\n  - plian\nname: odd\n",
}


@pytest.fixture
def told(tmp_path, launch):
    """Return the error of a run with a folder of one's own configs."""
    folder = tmp_path / "own"
    for name, text in FILES.items():
        path = folder / f"{name}.yaml"
        path.parent.mkdir(parents=True, exist_ok=True)
        path.write_text(text)

    def run(*overrides):
        chosen = ("task=classify", "retriever=none", "reranker=none", "tracking=none")
        ended = launch(f"--config-dir={folder}", *chosen, *overrides)
        assert ended.status == 1 and ended.err.startswith("error: ")
        for raw in ("object_type", "full_key", "Traceback", "search path", "Error executing"):
            assert raw not in ended.err
        return ended.err.replace(f"{folder}/", "")

    return run


@pytest.mark.parametrize(
    ("overrides", "said"),
    [
        (
            ["llm=typo"],
            "llm/typo.yaml: there is no key 'llm.max_token'. Did you mean 'max_tokens'? Known: ",
        ),
        (["llm=hot"], "llm/hot.yaml: llm.temperature is 'hot'; give a number."),
        (
            ["llm=chatt"],
            "llm/chatt.yaml: its defaults name 'chatt', but there is no hydra/schema/llm 'chatt'."
            " Did you mean 'chat'? Known: chat, guess, recorded.",
        ),
        (
            ["llm=bare"],
            "llm/bare.yaml lacks a schema. Begin it with `defaults:` and below it"
            " `- /hydra/schema/llm@_here_: chat` (or: guess, recorded).",
        ),
        (["llm=guess"], "`- /hydra/schema/llm@_here_: guess`"),
        (
            ["llm=majority", "feature=mine"],
            "feature/mine.yaml: there is no key 'alias'. Did you mean 'aliases'?",
        ),
        (
            ["llm=majority", "prompt=odd"],
            "prompt/odd.yaml: its defaults name 'plian', but there is no prompt 'plian'."
            " Did you mean 'plain'? Known: guidelines,",
        ),
        (["llm.temperature=hot"], "error: llm.temperature is 'hot'; give a number.\n"),
        (["llm.max_tokens=1.5"], "error: llm.max_tokens is '1.5'; give a whole number.\n"),
        (["dry_run=maybe"], "error: dry_run is 'maybe'; give true or false.\n"),
        (["llm.stop=x"], "error: llm.stop is 'x'; give a list, [a,b].\n"),
        (["llm.model=a,b"], "error: 'llm.model=a,b' gives several values: add -m for a run with"),
    ],
)
def test_a_mistake_is_told_in_a_sentence(told, overrides, said):
    assert said in told(*overrides)


def test_a_mistake_in_a_card_is_told_of_a_cell_of_a_sweep(tmp_path, told):
    assert "'max_tokens'?" in told("-m", "llm=typo", "seed=0,1")


def test_an_error_of_a_dry_run_is_told_once(launch):
    ended = launch("dry_run=true", "tracking=none")
    said = "error: dry_run=true tells what LLMs would be asked; task=rerank asks none.\n"
    assert (ended.status, ended.err) == (1, said)


def test_a_pack_that_is_not_there_is_said_once_for_a_sweep(workplace, launch):
    ended = launch("-m", "experiment=mtob_table4")
    assert ended.status == 1 and len(re.findall("no pack 'mtob'", ended.out + ended.err)) == 1
    assert ended.err.startswith("error: There is no pack 'mtob'")
    assert "`python -m src.data import mtob PATH/TO/from-MTEB-to-MTOB`" in ended.err
    assert "Did you mean" not in ended.err and workplace.runs("classify") == []
