"""Terms on disk: what is kept is what would be made, whatever happens to the files."""

from __future__ import annotations

import logging
import signal
import subprocess
import sys
from collections.abc import Callable, Iterator
from pathlib import Path

import pytest
from hypothesis import given
from hypothesis import strategies as st

from src.corpus.pack import load_pack
from src.errors import GrambenchError
from src.records import Paragraph, Search
from src.retrieval import term_store
from src.retrieval.bm25 import BM25Retriever
from src.retrieval.bm25_fast import BM25sRetriever
from src.retrieval.recent_indexes import RECENT
from src.retrieval.term_store import TermStore, fill
from tests.packs import write_books

TEXTS = ["The verb is last.", "", "ńdò =ka ŋa: the verb, the verb", "– … –", "Word order is free."]
SEARCH = Search("wals_81a", "verb order ŋa the", "term")


def book(texts: list[str] = TEXTS, grammar: str = "g") -> tuple[Paragraph, ...]:
    return tuple(Paragraph(f"{grammar}/{i:04}", grammar, t) for i, t in enumerate(texts, 1))


@pytest.fixture(autouse=True)
def few(monkeypatch: pytest.MonkeyPatch) -> Iterator[None]:
    """However short, terms are kept; what other tests indexed is forgotten."""
    monkeypatch.setattr(term_store, "WORTH_KEEPING", 0)
    RECENT.clear()
    yield
    RECENT.clear()


def files(folder: Path) -> list[Path]:
    return sorted(folder.glob("*")) if folder.exists() else []


def test_terms_are_made_once(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    made = TermStore(tmp_path / "x", "words", "").get(book())
    monkeypatch.setattr(term_store, "get_terms", lambda *_: lambda texts: 1 / 0)
    kept = TermStore(tmp_path / "x", "words", "").get(book())
    assert kept.counted.vocabulary == made.counted.vocabulary
    assert kept.counted.lengths.tolist() == [4, 0, 7, 0, 4]
    assert len(kept) == len(TEXTS)
    with pytest.raises(ZeroDivisionError):
        TermStore(None, "words", "").get(book())


@pytest.mark.parametrize("make", [BM25Retriever, BM25sRetriever])
def test_rankings_are_the_same_to_the_last_bit(
    tmp_path: Path, make: type[BM25Retriever] | type[BM25sRetriever]
) -> None:
    plain = make().rank(SEARCH, book())
    for _ in ("written", "read"):
        RECENT.clear()
        stored = make(indexes=tmp_path).rank(SEARCH, book())
        assert stored.order.tolist() == plain.order.tolist()
        assert stored.scores.tolist() == plain.scores.tolist()
    assert len(files(tmp_path)) == 1


@given(st.lists(st.lists(st.sampled_from("aaabcdefgŋ"), max_size=9).map(" ".join), max_size=9))
def test_rankings_by_stored_terms_are_the_same(texts: list[str]) -> None:
    import tempfile

    with tempfile.TemporaryDirectory() as folder:
        for make in (BM25Retriever, BM25sRetriever):
            search = Search("f", "a b ŋ z b", "term")
            RECENT.clear()
            plain = make().rank(search, book(texts))
            TermStore(Path(folder), "words", "").get(book(texts))
            RECENT.clear()
            stored = make(indexes=folder).rank(search, book(texts))
            assert stored.order.tolist() == plain.order.tolist()
            assert stored.scores.tolist() == plain.scores.tolist()


@pytest.mark.parametrize(
    "other",
    [
        book([*TEXTS[:-1], "Word order is fixed."]),
        book(TEXTS[::-1]),
        book(TEXTS[:-1]),
        book(["The verb is last.ńdò", *TEXTS[1:2], *TEXTS[2:]]),
        book(["The verb is", " last.", *TEXTS[2:]]),
    ],
)
def test_other_texts_have_other_files(tmp_path: Path, other: tuple[Paragraph, ...]) -> None:
    store = TermStore(tmp_path, "words", "")
    store.get(book())
    found = store.get(other).counted
    assert len(files(tmp_path)) == 2
    assert found.vocabulary == TermStore(None, "words", "").get(other).counted.vocabulary


def test_the_same_texts_make_the_same_file(tmp_path: Path) -> None:
    for folder in ("a", "b"):
        TermStore(tmp_path / folder, "words", "").get(book())
    (one,), (two,) = files(tmp_path / "a"), files(tmp_path / "b")
    assert (one.name, one.read_bytes()) == (two.name, two.read_bytes())
    assert one.name.startswith("g-") and one.suffix == ".safetensors"


def test_names_of_grammars_cannot_lead_out_of_the_folder(tmp_path: Path) -> None:
    TermStore(tmp_path / "x", "words", "").get(book(grammar="../../out/ß:é" + "x" * 300))
    (one,) = files(tmp_path / "x")
    assert one.is_file() and len(one.name.encode()) < 200
    assert {path.name for path in tmp_path.iterdir()} == {"x", ".x.lock"}


def truncate(file: Path) -> None:
    file.write_bytes(file.read_bytes()[:-5])


def empty(file: Path) -> None:
    file.write_bytes(b"")


def garble(file: Path) -> None:
    content = bytearray(file.read_bytes())
    content[-3] ^= 1
    file.write_bytes(content)


def another(file: Path) -> None:
    TermStore(file.parent / "x", "words", "").get(book(TEXTS[::-1]))
    (other,) = (file.parent / "x").iterdir()
    other.replace(file)


@pytest.mark.parametrize("damage", [truncate, empty, garble, another])
def test_damaged_files_are_reported_and_made_anew(
    tmp_path: Path, caplog: pytest.LogCaptureFixture, damage: Callable[[Path], None]
) -> None:
    store = TermStore(tmp_path, "words", "")
    vocabulary = store.get(book()).counted.vocabulary
    (file,) = files(tmp_path)
    content = file.read_bytes()
    damage(file)
    assert store.get(book()).counted.vocabulary == vocabulary
    assert f"{file} is damaged" in caplog.text
    assert file.read_bytes() == content


def test_short_lists_are_not_kept_but_found(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(term_store, "WORTH_KEEPING", sum(map(len, TEXTS)) + 1)
    store = TermStore(tmp_path / "x", "words", "")
    store.get(book())
    assert files(tmp_path) == []
    assert store.keep(book())[1]
    assert not store.keep(book())[1]
    monkeypatch.setattr(term_store, "get_terms", lambda *_: lambda texts: 1 / 0)
    assert len(TermStore(tmp_path / "x", "words", "").get(book())) == len(TEXTS)
    with pytest.raises(ZeroDivisionError):
        TermStore(tmp_path / "x", "words", "").get(book(TEXTS[::-1]))


def test_no_paragraphs(tmp_path: Path) -> None:
    assert len(TermStore(tmp_path / "x", "words", "").get([])) == 0
    assert BM25sRetriever(indexes=tmp_path / "x").rank(SEARCH, ()).order.tolist() == []


def test_a_folder_that_cannot_be_written_stops_no_run(
    tmp_path: Path, caplog: pytest.LogCaptureFixture
) -> None:
    (tmp_path / "file").write_text("in the way")
    retriever = BM25sRetriever(indexes=tmp_path / "file" / "cache")
    with caplog.at_level(logging.WARNING):
        found = retriever.rank(SEARCH, book())
        retriever.rank(SEARCH, book(TEXTS[::-1]))
    assert found.order.tolist() == BM25sRetriever().rank(SEARCH, book()).order.tolist()
    assert [record.getMessage().count("paths.indexes") for record in caplog.records] == [1]
    with pytest.raises(GrambenchError, match=r"terms cannot be kept in .*paths\.indexes"):
        TermStore(tmp_path / "file" / "cache", "words", "").keep(book())


def test_what_a_killed_writer_left_goes_with_the_next(tmp_path: Path) -> None:
    lines = [
        "import os, signal; from pathlib import Path",
        "from src.records import Paragraph; from src.retrieval.term_store import TermStore",
        "Path.replace = lambda *_: os.kill(os.getpid(), signal.SIGKILL)",
        f"store = TermStore(Path({str(tmp_path)!r}), 'words', '')",
        "store.keep([Paragraph('g/1', 'g', 'one text')])",
    ]
    done = subprocess.run([sys.executable, "-c", "\n".join(lines)])
    assert done.returncode == -signal.SIGKILL
    (left,) = files(tmp_path)
    TermStore(tmp_path, "words", "").get(book())
    assert not left.exists()
    assert [path.suffix for path in tmp_path.iterdir()] == [".safetensors"]


def test_two_processes_writing_at_once(tmp_path: Path) -> None:
    lines = [
        "from pathlib import Path",
        "from src.records import Paragraph; from src.retrieval.term_store import TermStore",
        f"store = TermStore(Path({str(tmp_path)!r}), 'words', '')",
        "for n in range(40):",
        "    store.keep([Paragraph('g/1', 'g', f'text {n} of a grammar')])",
    ]
    processes = [subprocess.Popen([sys.executable, "-c", "\n".join(lines)]) for _ in range(2)]
    assert [process.wait() for process in processes] == [0, 0]
    store = TermStore(tmp_path, "words", "")
    assert not any(
        store.keep([Paragraph("g/1", "g", f"text {n} of a grammar")])[1] for n in [0, 39]
    )
    assert len(files(tmp_path)) == 40


def test_a_pack_is_filled_once_and_again_where_its_text_changed(tmp_path: Path) -> None:
    north = [("1", "The verb is last."), ("2", "Nouns have case.")]
    south = [("1", "Tones are two.")]
    folder = tmp_path / "cache"
    pack = load_pack(write_books(tmp_path / "one", {"north": north, "south": south}, {}))
    assert fill(pack, "words", "", folder) == 2
    assert fill(pack, "words", "", folder) == 0
    before = files(folder)
    changed = {"north": north, "south": [*south, ("2", "Vowels are five.")]}
    pack = load_pack(write_books(tmp_path / "two", changed, {}))
    assert fill(pack, "words", "", folder) == 1
    after = files(folder)
    assert len(before) == len(after) == 2
    assert len(set(before) & set(after)) == 1
