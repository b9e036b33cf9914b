import signal
import subprocess
import sys
from pathlib import Path

import numpy as np
import pytest

from src.errors import GrambenchError
from src.retrieval.vectors import VectorStore, text_hash

KEY = {"model": "m", "dtype": "float32"}
HASHES = [text_hash(text) for text in ("one", "two", "three")]
ROWS = np.arange(12, dtype=np.float32).reshape(3, 4)


def filled(folder: Path) -> Path:
    VectorStore(folder, KEY).add(HASHES, ROWS)
    (shard,) = folder.iterdir()
    return shard


def test_text_hash() -> None:
    # printf 'one' | sha256sum
    known = "7692c3ad3540bb803c020b3aee66cd8887123234ea0c6e7143c0add73ff431ed"
    assert text_hash("one") == known


def test_vectors_come_back_in_the_order_asked_for(tmp_path: Path) -> None:
    filled(tmp_path)
    store = VectorStore(tmp_path, KEY)
    assert store.missing([*HASHES, text_hash("four")]) == {text_hash("four")}
    found = store.get([HASHES[2], HASHES[0], HASHES[2]])
    assert found.tolist() == ROWS[[2, 0, 2]].tolist()
    assert found.dtype == np.float32


def test_without_a_folder_vectors_stay_in_memory() -> None:
    store = VectorStore(None, KEY)
    assert store.missing(HASHES) == set(HASHES)
    store.add(HASHES, ROWS)
    assert store.missing(HASHES) == set()
    assert store.get(HASHES).tolist() == ROWS.tolist()


def test_equal_input_makes_equal_files(tmp_path: Path) -> None:
    first = filled(tmp_path / "a")
    VectorStore(tmp_path / "b", dict(reversed(KEY.items()))).add(HASHES[::-1], ROWS[::-1])
    (second,) = (tmp_path / "b").iterdir()
    assert second.name == first.name
    assert second.read_bytes() == first.read_bytes()


def test_equal_files_in_another_process(tmp_path: Path) -> None:
    here = filled(tmp_path / "a")
    lines = [
        "import numpy as np; from pathlib import Path",
        "from src.retrieval.vectors import VectorStore",
        f"VectorStore(Path({str(tmp_path / 'b')!r}), {KEY!r}).add({HASHES!r}, "
        "np.arange(12, dtype=np.float32).reshape(3, 4))",
    ]
    subprocess.run([sys.executable, "-c", "\n".join(lines)], check=True)
    assert (tmp_path / "b" / here.name).read_bytes() == here.read_bytes()


def test_keys_do_not_mix(tmp_path: Path) -> None:
    filled(tmp_path)
    other = VectorStore(tmp_path, {**KEY, "dtype": "bfloat16"})
    assert other.missing(HASHES) == set(HASHES)
    other.add(HASHES, ROWS + 1)
    assert VectorStore(tmp_path, KEY).missing(HASHES) == set()
    store = VectorStore(tmp_path, KEY)
    store.missing(HASHES)
    assert store.get(HASHES).tolist() == ROWS.tolist()


def test_what_another_process_adds_is_found(tmp_path: Path) -> None:
    mine, theirs = VectorStore(tmp_path, KEY), VectorStore(tmp_path, KEY)
    mine.add(HASHES[:1], ROWS[:1])
    theirs.add(HASHES[1:], ROWS[1:])
    assert mine.missing(HASHES) == set()
    assert mine.get(HASHES).tolist() == ROWS.tolist()


def truncate(shard: Path) -> None:
    shard.write_bytes(shard.read_bytes()[:-5])


def empty(shard: Path) -> None:
    shard.write_bytes(b"")


def garble(shard: Path) -> None:
    content = bytearray(shard.read_bytes())
    content[-3] ^= 1
    shard.write_bytes(content)


def strip_header(shard: Path) -> None:
    from safetensors.numpy import save

    shard.write_bytes(save({"vectors": ROWS}))


def another_key(shard: Path) -> None:
    VectorStore(shard.parent / "x", {"other": 1}).add(HASHES, ROWS)
    (other,) = (shard.parent / "x").iterdir()
    other.replace(shard)


@pytest.mark.parametrize("damage", [truncate, empty, garble, strip_header, another_key])
def test_damaged_shards_are_named_and_not_trusted(
    tmp_path: Path, caplog: pytest.LogCaptureFixture, damage: object
) -> None:
    shard = filled(tmp_path)
    assert callable(damage)
    damage(shard)
    store = VectorStore(tmp_path, KEY)
    assert store.missing(HASHES) == set(HASHES)
    assert f"{shard} is damaged" in caplog.text
    assert not shard.exists()
    store.add(HASHES, ROWS)
    again = VectorStore(tmp_path, KEY)
    assert again.missing(HASHES) == set()
    assert again.get(HASHES).tolist() == ROWS.tolist()


def test_a_folder_that_cannot_be_written(tmp_path: Path) -> None:
    (tmp_path / "file").write_text("in the way")
    store = VectorStore(tmp_path / "file" / "cache", KEY)
    with pytest.raises(GrambenchError, match=r"cannot be kept in .*paths\.vectors"):
        store.add(HASHES, ROWS)


def test_nothing_half_written_stays(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    def fail(self: Path, target: Path) -> None:
        raise OSError(28, "No space left on device")

    monkeypatch.setattr(Path, "replace", fail)
    with pytest.raises(GrambenchError, match="No space left"):
        VectorStore(tmp_path, KEY).add(HASHES, ROWS)
    assert list(tmp_path.iterdir()) == []


def test_what_a_killed_writer_left_goes_with_the_next(tmp_path: Path) -> None:
    lines = [
        "import numpy as np, os, signal; from pathlib import Path",
        "from src.retrieval.vectors import VectorStore",
        "Path.replace = lambda *_: os.kill(os.getpid(), signal.SIGKILL)",
        f"store = VectorStore(Path({str(tmp_path)!r}), {KEY!r})",
        f"store.add({HASHES!r}, np.zeros((3, 4), dtype=np.float32))",
    ]
    done = subprocess.run([sys.executable, "-c", "\n".join(lines)])
    assert done.returncode == -signal.SIGKILL
    (left,) = tmp_path.iterdir()
    store = VectorStore(tmp_path, KEY)
    assert store.missing(HASHES) == set(HASHES)
    assert left.exists()  # whoever only reads does not know whether it is still being written
    store.add(HASHES[:2], ROWS[:2])
    assert not left.exists()
    assert [path.suffix for path in tmp_path.iterdir()] == [".safetensors"]


def test_others_wait_while_one_is_alone(tmp_path: Path) -> None:
    lines = [
        "import numpy as np; from pathlib import Path",
        "from src.retrieval.vectors import VectorStore",
        f"store = VectorStore(Path({str(tmp_path / 'cache')!r}), {KEY!r})",
        "print('ready', flush=True)",
        "with store.alone():",
        f"    print(len(store.missing({HASHES!r})))",
    ]
    store = VectorStore(tmp_path / "cache", KEY)
    with store.alone():
        command = [sys.executable, "-c", "\n".join(lines)]
        other = subprocess.Popen(command, stdout=subprocess.PIPE, text=True)
        assert other.stdout is not None
        assert other.stdout.readline() == "ready\n"
        store.add(HASHES[:1], ROWS[:1])
        with store.alone():
            store.add(HASHES[1:], ROWS[1:])
    assert other.communicate()[0] == "0\n"
    with store.alone():
        pass


def test_in_memory_there_is_nobody_to_wait_for() -> None:
    store = VectorStore(None, KEY)
    with store.alone():
        store.add(HASHES, ROWS)
    assert store.missing(HASHES) == set()


def test_two_processes_writing_at_once(tmp_path: Path) -> None:
    lines = [
        "import numpy as np; from pathlib import Path",
        "from src.retrieval.vectors import VectorStore, text_hash",
        f"folder = Path({str(tmp_path)!r})",
        "for n in range(40):",
        f"    store = VectorStore(folder, {KEY!r})",
        "    hashes = [text_hash(str(i)) for i in range(n, n + 3)]",
        "    missing = sorted(store.missing(hashes))",
        "    store.add(missing, np.full((len(missing), 2), n, dtype=np.float32))",
    ]
    command = [sys.executable, "-c", "\n".join(lines)]
    processes = [subprocess.Popen(command) for _ in range(2)]
    assert [process.wait() for process in processes] == [0, 0]
    store = VectorStore(tmp_path, KEY)
    assert store.missing([text_hash(str(i)) for i in range(42)]) == set()
    assert all(path.suffix == ".safetensors" for path in tmp_path.iterdir())
