from __future__ import annotations

from pathlib import Path

import pytest

from src.corpus.pack import load_pack
from src.errors import GrambenchError
from src.records import Paragraph, Search
from src.retrieval.given import GivenRetriever
from tests.packs import write_books, write_pack

SEARCH = Search("wals_81a", "word order", "term")
PARAGRAPHS = [Paragraph(f"g/{i:03}", "g", f"text {i}") for i in range(1, 5)]


@pytest.mark.parametrize(("k", "order"), [(1, [0]), (3, [0, 1, 2]), (4, [0, 1, 2, 3])])
def test_the_candidate_order_is_kept(k: int, order: list[int]) -> None:
    ranking = GivenRetriever(k=k).rank(SEARCH, PARAGRAPHS)
    assert ranking.order.tolist() == order
    assert ranking.scores.tolist() == [-i for i in order]


def test_k_above_the_number_of_paragraphs_and_none_at_all() -> None:
    assert GivenRetriever(k=50).rank(SEARCH, PARAGRAPHS).order.tolist() == [0, 1, 2, 3]
    assert GivenRetriever().rank(SEARCH, []).order.tolist() == []
    assert GivenRetriever(k=None).rank(SEARCH, PARAGRAPHS).order.tolist() == [0, 1, 2, 3]


@pytest.mark.parametrize("k", [0, -1, 2.5])
def test_k_must_be_a_whole_number_above_0(k: int) -> None:
    with pytest.raises(GrambenchError, match=r"retriever\.k is"):
        GivenRetriever(k=k)


def candidates(folder: Path, *rows: str) -> Path:
    text = "feature,paragraph\n" + "".join(f"{row}\n" for row in rows)
    (folder / "candidates.csv").write_text(text, encoding="utf-8")
    return folder


@pytest.fixture
def books(tmp_path: Path) -> Path:
    recorded = ("wals_81a,north/0004", "wals_81a,north/0001", "wals_81a,north/0003")
    return candidates(write_books(tmp_path / "books"), *recorded)


def test_the_recorded_order_within_a_whole_grammar(books: Path) -> None:
    pool = load_pack(books).pool("wals_81a")["north"]
    ranking = GivenRetriever(pack=books).rank(SEARCH, pool)
    assert ranking.order.tolist() == [3, 0, 2]
    assert ranking.scores.tolist() == [0, -1, -2]
    assert GivenRetriever(pack=books, k=2).rank(SEARCH, pool).order.tolist() == [3, 0]


def test_a_whole_grammar_without_recorded_candidates(books: Path) -> None:
    pack = load_pack(books)
    with pytest.raises(GrambenchError, match=r"no recorded candidates of south for wals_81a"):
        GivenRetriever(pack=books).rank(SEARCH, pack.pool("wals_81a")["south"])
    assert GivenRetriever().rank(SEARCH, pack.pool("wals_81a")["south"]).order.tolist() == [
        *range(4)
    ]


def test_recorded_candidates_without_the_book(tmp_path: Path) -> None:
    """Candidates are then the pool, and their order is kept."""
    rows = [f"wals_81a,alpha/00{number}" for number in (5, 2, 6)]
    folder = candidates(write_pack(tmp_path / "pack"), *rows)
    pool = load_pack(folder).pool("wals_81a")["alpha"]
    assert [paragraph.id for paragraph in pool] == ["alpha/005", "alpha/002", "alpha/006"]
    assert GivenRetriever(pack=folder).rank(SEARCH, pool).order.tolist() == [0, 1, 2]
    assert GivenRetriever(pack=folder, k=2).rank(SEARCH, pool).order.tolist() == [0, 1]


def test_graded_paragraphs_keep_their_order(tmp_path: Path) -> None:
    """A grammar's graded paragraphs need not be its candidates: none of them may be lost."""
    folder = candidates(write_pack(tmp_path / "pack"), "wals_81a,alpha/005", "wals_81a,alpha/002")
    pack = load_pack(folder)
    for grammar in ("alpha", "beta"):
        graded = [paragraph for paragraph, _ in pack.graded("wals_81a")[grammar]]
        for some in (graded, graded[:4]):
            order = GivenRetriever(pack=folder).rank(SEARCH, some).order.tolist()
            assert order == list(range(len(some)))


def test_graded_paragraphs_that_are_the_candidates_take_their_order(tmp_path: Path) -> None:
    rows = [f"wals_81a,alpha/00{number}" for number in (5, 2, 6, 1, 3, 4)]
    folder = candidates(write_pack(tmp_path / "pack"), *rows)
    graded = [paragraph for paragraph, _ in load_pack(folder).graded("wals_81a")["alpha"]]
    order = GivenRetriever(pack=folder).rank(SEARCH, graded).order.tolist()
    assert order == [4, 1, 5, 0, 2, 3]
