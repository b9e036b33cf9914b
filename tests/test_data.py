from __future__ import annotations

import contextlib
import os
import pty
import re
import signal
import subprocess
import sys
import time
from pathlib import Path

import pytest

from src import data
from tests.corpus.small_pack import small_pack
from tests.mtob_answers import with_answers
from tests.mtob_clone import ORVANE, write_clone

ROOT = Path(__file__).parents[1]


@pytest.fixture
def call(tmp_path, capsys):
    def run(*arguments: object, data_dir: Path = tmp_path / "data") -> tuple[int, str, str]:
        status = data.main([*map(str, arguments), "--data-dir", str(data_dir)])
        said = capsys.readouterr()
        return status, said.out, said.err

    return run


@pytest.fixture
def clone(tmp_path) -> Path:
    return write_clone(tmp_path / "clone").root


def command(*arguments: object) -> list[str]:
    return [sys.executable, "-m", "src.data", *map(str, arguments)]


def spoil(clone: Path) -> Path:
    path = clone / "rerankers_benchmark" / f"{ORVANE}.csv"
    path.write_text("Paragraph,Annotation\nOne.,2.4\nTwo.,7\n")
    return path


def test_import_says_what_came_in_and_where_the_notes_are(call, clone, tmp_path):
    status, out, err = call("import", "mtob", clone)
    assert (status, err) == (0, "")
    assert "Imported the pack 'mtob': 3 grammars, 24 paragraphs, 28 score sets" in out
    assert str(tmp_path / "data" / "mtob" / "import_report.csv") in out
    assert "warning: nothing known about the grammar, 1 x" in out
    status, out, err = call("import", "mtob", clone)
    assert status == 0
    assert "left as it is" in out


def test_import_under_another_name(call, clone, tmp_path):
    assert call("import", "mtob", clone, "--name", "mine")[0] == 0
    assert (tmp_path / "data" / "mine" / "grammars.csv").exists()


def test_faults_are_all_told_on_stderr_and_nothing_is_written(call, clone, tmp_path):
    spoil(clone)
    status, out, err = call("import", "mtob", clone)
    assert (status, out) == (1, "")
    assert err.startswith("error: Nothing was imported from")
    assert "'2.4'" in err
    assert "'7'" in err
    assert "Traceback" not in err
    assert not (tmp_path / "data").exists()
    status, out, err = call("import", "mtob", clone, "--skip-invalid")
    assert status == 0
    assert "2 grammars, 16 paragraphs" in out
    assert "error: unknown grade, 2 x" in out
    assert "skipped: grammar left out, 1 x" in out


@pytest.mark.parametrize("name", ["../x", "", "a/b", ".hidden"])
def test_a_name_that_leads_elsewhere_is_refused(call, clone, tmp_path, name):
    status, _, err = call("import", "mtob", clone, "--name", name)
    assert status == 1
    assert "cannot be the name of a pack" in err
    assert not (tmp_path / "x").exists()
    assert not (tmp_path / "data").exists()


def test_what_is_not_a_clone_is_refused(call, tmp_path):
    status, _, err = call("import", "mtob", tmp_path / "nowhere")
    assert status == 1
    assert "is not a folder" in err


@pytest.mark.parametrize(
    "arguments", [[], ["import"], ["import", "mtop", "."], ["show"], ["lsit"], ["list", "--odd"]]
)
def test_wrong_usage_ends_with_2(arguments, capsys):
    with pytest.raises(SystemExit) as caught:
        data.main(arguments)
    assert caught.value.code == 2
    assert "usage: python -m src.data" in capsys.readouterr().err


def test_list_shows_every_pack_and_broken_ones_with_their_fault(call, tmp_path):
    status, out, _ = call("list")
    assert status == 0
    assert "There are no packs in" in out
    small_pack(tmp_path / "data" / "toy")
    small_pack(tmp_path / "data" / "worn", SOURCE_yaml=None)
    status, out, _ = call("list")
    assert status == 0
    lines = out.splitlines()
    assert lines[0].split() == [
        *["name", "grammars", "languages", "whole", "paragraphs", "graded"],
        *["score", "sets", "queries", "values", "replies", "prompts", "licence", "digest"],
    ]
    row = ["toy", "2", "2", "0", "3", "4", "2", "wals_81a", "0", "0", "0", "CC0"]
    assert lines[1].split()[:12] == row
    assert lines[2].split()[0] == "worn"
    assert "(broken, see below)" in lines[2]
    assert "SOURCE.yaml: missing file" in out


def test_show_tells_all_of_a_pack(call, clone):
    call("import", "mtob", clone)
    status, out, _ = call("show", "mtob")
    assert status == 0
    lines = [line.split() for line in out.splitlines()]
    assert ["grammars", "3"] in lines
    assert ["graded", "24", "for", "wals_81a"] in lines
    assert ["score", "sets", "28"] in lines
    assert [ORVANE, "Orvane", "qov", "Orvanic", "Eurasia", "8"] in lines
    # Grades 0 to 5 and their sum, counted by hand in mtob_clone.py.
    assert [ORVANE, "2", "2", "1", "1", "1", "1", "8"] in lines
    assert ["all", "7", "5", "3", "4", "2", "3", "24"] in lines
    assert any(
        re.fullmatch(
            r"SFR-Embedding-2_R +4 +default, specific +term, summary +wals_81a +24 *", line
        )
        for line in out.splitlines()
    )
    digest = next(line[1] for line in lines if line[:1] == ["digest"])
    assert len(digest) == 64
    assert "https://github.com/al-the-eigenvalue/from-MTEB-to-MTOB" in out
    assert "do not redistribute" in out


def test_show_and_list_tell_values_replies_and_prompts(call, tmp_path):
    call("import", "mtob", with_answers(tmp_path / "answers").root)
    _, out, _ = call("list")
    row = out.splitlines()[1].split("wals_81a")[1].split()
    assert row[:3] == ["8", "16", "8"]
    status, out, _ = call("show", "mtob")
    assert status == 0
    lines = [line.split() for line in out.splitlines()]
    assert ["recorded", "replies", "16"] in lines
    assert ["recorded", "prompts", "8"] in lines
    assert ["wals_116a", "Second", "position", "particle,", "Tone", "1"] in lines
    assert ["wals_81a", "baseline", "3", "2", "6", "0", "0"] in lines
    assert ["wals_81a", "oracle_cot", "1", "2", "2", "1", "1"] in lines
    assert any(line[:4] == ["wals_49a", "2", "system,", "user"] for line in lines)


def test_a_pack_whose_replies_are_spoilt_is_listed_as_broken(call, tmp_path):
    small_pack(tmp_path / "data" / "toy", replies_csv="feature\nx\n")
    status, out, _ = call("list")
    assert status == 0
    assert "(broken, see below)" in out
    assert "replies.csv: no column 'grammar'" in out


def test_show_of_a_pack_that_is_not_there(call, tmp_path):
    small_pack(tmp_path / "data" / "toy")
    status, _, err = call("show", "tyo")
    assert status == 1
    assert "Did you mean 'toy'?" in err
    assert "Packs there: toy." in err


@pytest.mark.parametrize(
    ("arguments", "said"),
    [
        (["tyo", "minilm"], "Did you mean 'toy'?"),
        (["toy", "minilmm"], "There is no reranker 'minilmm'. Did you mean 'minilm'?"),
        (["toy", "none"], "Reranker 'none' encodes no paragraphs"),
        (["toy", "minilm", "devise=cpu"], "'devise'"),
        (["toy", "minilm", "no override"], "no override"),
        (["toy", "minilm", "batch_size=many"], "batch_size"),
        (["toy", "minilm", "batch_size=0"], "batch_size"),
    ],
)
def test_embed_says_what_is_wrong(call, tmp_path, arguments, said):
    small_pack(tmp_path / "data" / "toy")
    status, _, err = call("embed", *arguments)
    assert status == 1
    assert said in err


def test_embed_encodes_every_paragraph_once(call, tmp_path):
    """In a folder whose name Hydra's grammar would trip over."""
    odd = tmp_path / "it's = a, {data}\\"
    small_pack(odd / "toy")
    vectors = tmp_path / "vectors"
    arguments = ["embed", "toy", "minilm", f"paths.vectors={vectors}", "device=cpu"]
    once = call(*arguments, data_dir=odd)
    assert once[0] == 0, once[2]
    assert "3 texts of 3 paragraphs of 'toy' encoded with minilm" in once[1]
    assert list(vectors.rglob("*.safetensors"))
    again = call(*arguments, data_dir=odd)
    assert "0 texts of 3 paragraphs of 'toy' encoded with minilm" in again[1]


def test_nothing_is_cut_where_the_output_is_no_terminal(tmp_path):
    licence = "long " * 60 + "end [bold]not markup[/bold] :smile:"
    small_pack(tmp_path / "toy", SOURCE_yaml=f"licence: '{licence}'\n")
    done = subprocess.run(
        command("list", "--data-dir", tmp_path),
        cwd=ROOT,
        capture_output=True,
        text=True,
        check=True,
        env={**os.environ, "COLUMNS": "80"},
    )
    assert licence in done.stdout
    assert "\x1b" not in done.stdout


def test_a_terminal_gets_lines_of_its_width(tmp_path):
    small_pack(tmp_path / "toy", SOURCE_yaml=f"licence: '{'long ' * 60}'\n")
    leader, follower = pty.openpty()
    environment = {**os.environ, "COLUMNS": "70", "TERM": "xterm"}
    subprocess.run(
        command("list", "--data-dir", tmp_path),
        cwd=ROOT,
        stdout=follower,
        check=True,
        env=environment,
    )
    os.close(follower)
    shown = os.read(leader, 100_000).decode()
    os.close(leader)
    assert "\x1b[1m" in shown
    assert len(shown.splitlines()) > 3


def test_a_terminal_without_unicode_gets_escapes(tmp_path):
    small_pack(tmp_path / "toy", SOURCE_yaml="licence: Gã\n")
    done = subprocess.run(
        command("list", "--data-dir", tmp_path),
        cwd=ROOT,
        capture_output=True,
        text=True,
        check=True,
        env={**os.environ, "PYTHONIOENCODING": "ascii"},
    )
    assert "G\\xe3" in done.stdout


def test_help_needs_none_of_the_heavy_packages():
    code = (
        "import sys\n"
        "from src import data\n"
        "try:\n    data.main(['--help'])\nexcept SystemExit as end:\n    assert end.code == 0\n"
        "heavy = {'numpy', 'pyarrow', 'yaml', 'rich', 'hydra', 'torch', 'src.importers'}\n"
        "assert not heavy & set(sys.modules), heavy & set(sys.modules)\n"
    )
    done = subprocess.run(
        [sys.executable, "-c", code], cwd=ROOT, capture_output=True, text=True, check=False
    )
    assert done.returncode == 0, done.stderr
    assert "look at and search packs" in done.stdout


def test_a_reader_that_goes_away_is_no_fault(tmp_path):
    for number in range(30):
        small_pack(tmp_path / f"toy{number}", SOURCE_yaml=f"licence: '{'x' * 9000}'\n")
    producer = subprocess.Popen(
        command("list", "--data-dir", tmp_path),
        cwd=ROOT,
        stdout=subprocess.PIPE,
        stderr=subprocess.PIPE,
    )
    producer.stdout.close()
    assert producer.stderr.read() == b""
    assert producer.wait() == 0


def test_ctrl_c_ends_with_130_and_leaves_nothing(clone, tmp_path):
    """The signal comes while the import waits for a file that is a pipe without a writer."""
    pipe = clone / "ground_truth_rag.csv"
    pipe.unlink()
    os.mkfifo(pipe)
    process = subprocess.Popen(
        command("import", "mtob", clone, "--data-dir", tmp_path / "data"),
        cwd=ROOT,
        stderr=subprocess.PIPE,
        text=True,
    )
    writer = None
    while writer is None:
        assert process.poll() is None, process.stderr.read()
        with contextlib.suppress(OSError):
            # Fails until there is a reader.
            writer = os.open(pipe, os.O_WRONLY | os.O_NONBLOCK)
        time.sleep(0.01)
    process.send_signal(signal.SIGINT)
    _, err = process.communicate()
    os.close(writer)
    assert process.returncode == 130
    assert err == "Interrupted.\n"
    assert not (tmp_path / "data").exists()
