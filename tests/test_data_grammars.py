"""``python -m src.data import grammars`` and ``search``, as they are called."""

from __future__ import annotations

import signal
import subprocess
import sys
import time
from pathlib import Path

import psutil
import pytest

from src import data
from src.commands.importing import paragraph_settings
from src.errors import GrambenchError
from tests.importers.grammars.books import WORDS, write_latex, write_text

ROOT = Path(__file__).parents[1]


@pytest.fixture
def call(tmp_path, capsys):
    def run(*arguments: object) -> tuple[int, str, str]:
        status = data.main([*map(str, arguments), "--data-dir", str(tmp_path / "data")])
        said = capsys.readouterr()
        return status, said.out, said.err

    return run


@pytest.fixture
def books(tmp_path) -> Path:
    write_text(tmp_path / "books" / "keshrin.txt")
    write_latex(tmp_path / "books" / "oko")
    return tmp_path / "books"


def test_import_tells_what_came_in_and_what_did_not(call, books):
    (books / "spoilt.pdf").write_bytes(b"")
    status, out, err = call("import", "grammars", books, "--name", "mine")
    assert status == 0
    assert out.startswith("Imported the pack 'mine': 2 grammars, ")
    assert "Files: 0 unchanged, 2 read." in out
    assert err == "1 of 3 files could not be read:\n  spoilt.pdf: is empty.\n"


def test_nothing_to_read_is_an_error(call, tmp_path):
    (tmp_path / "spoilt.pdf").write_bytes(b"")
    status, out, err = call("import", "grammars", tmp_path / "spoilt.pdf", "--name", "mine")
    assert (status, out) == (1, "")
    assert "spoilt.pdf: is empty." in err


def test_paragraphs_are_made_as_set(call, books, tmp_path):
    arguments = ["import", "grammars", books, "--name", "mine", "--jobs", "1"]
    status, _, err = call(*arguments, "--set", "paragraphs.method=paper")
    assert (status, err) == (0, "")
    assert "method=paper" in (tmp_path / "data" / "mine" / "documents.csv").read_text()


def test_settings_come_from_params_and_the_command_line():
    assert paragraph_settings([]).method == "blocks"
    chosen = paragraph_settings(["paragraphs.characters=900", "paragraphs.headings=none"])
    assert (chosen.method, chosen.characters, chosen.headings) == ("blocks", 900, "none")


@pytest.mark.parametrize(
    ("override", "said"),
    [
        ("method=paper", "--set takes paragraphs.KEY=VALUE"),
        ("paragraphs.method", "--set takes paragraphs.KEY=VALUE"),
        ("paragraphs.methd=paper", "Did you mean 'method'?"),
        ("paragraphs.method=papers", "Did you mean 'paper'?"),
        ("paragraphs.characters=few", "paragraphs.characters"),
        ("paragraphs.characters=[", "cannot be read"),
    ],
)
def test_settings_that_make_no_sense(override, said):
    with pytest.raises(GrambenchError) as caught:
        paragraph_settings([override])
    assert said in str(caught.value)


@pytest.mark.parametrize(
    ("arguments", "said"),
    [
        (["--name", "mine", "--metadata", "nowhere.csv"], "There is no file nowhere.csv."),
        (["--name", "../mine"], "cannot be the name of a pack"),
    ],
)
def test_faults_before_anything_is_read(call, books, tmp_path, arguments, said):
    status, _, err = call("import", "grammars", books, *arguments)
    assert status == 1
    assert said in err
    assert not (tmp_path / "data").exists()


@pytest.mark.parametrize(
    "arguments",
    [
        ["import", "grammars", "x"],
        ["import", "grammars", "--name", "x"],
        ["import", "grammars", "x", "--name", "x", "--jobs", "0"],
        ["list", "more"],
        ["search", "toy", "verb", "--odd"],
        ["search"],
    ],
)
def test_wrong_usage_ends_with_2(arguments, capsys):
    with pytest.raises(SystemExit) as caught:
        data.main(arguments)
    assert caught.value.code == 2
    assert "usage: python -m src.data" in capsys.readouterr().err


def test_search_shows_the_best_paragraphs(call, books):
    call("import", "grammars", books, "--name", "mine")
    status, out, err = call("search", "mine", "verbs", "come", "last", "--top", 1, "-g", "oko")
    assert (status, err) == (0, "")
    lines = out.splitlines()
    assert lines[0] == '"verbs come last" (bm25s)'
    assert lines[2].startswith("oko, A grammar of Oko  (")
    assert "oko/0001" in lines[3]
    assert any("Verbs come last." in line for line in lines[4:])
    assert "keshrin" not in out
    status, out, _ = call("search", "mine", "verbs", "--top", 2, "retriever=bm25")
    assert status == 0
    assert '"verbs" (bm25)' in out


@pytest.mark.parametrize("options", [[], ["-g", "oko"], ["--top", "1", "-g=oko"]])
def test_a_query_may_begin_with_a_hyphen(call, books, tmp_path, capsys, options):
    call("import", "grammars", books, "--name", "mine")
    folder = ["--data-dir", str(tmp_path / "data")]
    assert data.main(["search", "mine", *folder, *options, "--", "-ka"]) == 0
    assert '"-ka" (bm25s)' in capsys.readouterr().out


def test_search_tells_what_is_wrong(call, books):
    call("import", "grammars", books, "--name", "mine")
    for arguments, said in [
        (["mine"], "Say what to look for"),
        (["mine", "verb", "--top", 0], "--top is 0"),
        (["mine", "verb", "-g", "okko"], "Did you mean 'oko'?"),
        (["mien", "verb"], "Did you mean 'mine'?"),
    ]:
        status, _, err = call("search", *arguments)
        assert status == 1
        assert said in err
    status, out, _ = call("search", "mine", "xyzzy")
    assert status == 0
    assert out.count("no paragraph holds any of its words") == 2


def test_index_fills_the_cache(call, books, tmp_path):
    call("import", "grammars", books, "--name", "mine")
    indexes = f"paths.indexes={tmp_path}/indexes"
    status, out, err = call("index", "mine", indexes)
    assert (status, err) == (0, "")
    assert "terms of 2 of 2 whole grammars" in out


def test_ctrl_c_ends_with_130_and_leaves_nothing(tmp_path):
    """The signal comes while a process reads a long text."""
    path = tmp_path / "long.txt"
    path.write_text("\n\n".join([WORDS * 5] * 20_000))
    command = [sys.executable, "-m", "src.data", "import", "grammars", path, "--name", "mine"]
    process = subprocess.Popen(
        [*map(str, command), "--data-dir", str(tmp_path / "data")],
        cwd=ROOT,
        stderr=subprocess.PIPE,
        text=True,
    )
    me = psutil.Process(process.pid)
    while not any("spawn_main" in " ".join(child.cmdline()) for child in me.children()):
        assert process.poll() is None, process.stderr.read()
        time.sleep(0.02)
    children = me.children()
    process.send_signal(signal.SIGINT)
    _, err = process.communicate()
    assert process.returncode == 130
    assert err == "Interrupted.\n"
    assert not (tmp_path / "data").exists()
    assert not psutil.wait_procs(children, timeout=10)[1]
