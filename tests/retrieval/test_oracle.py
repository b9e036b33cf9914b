from __future__ import annotations

from dataclasses import replace
from pathlib import Path

import pytest
from hypothesis import given
from hypothesis import strategies as st

from src.corpus.pack import load_pack
from src.errors import GrambenchError
from src.records import Paragraph, Search
from src.retrieval.no_retriever import NoRetriever
from src.retrieval.oracle import OracleRetriever
from tests.packs import write_books

SEARCH = Search("wals_81a", "word order", "term")
GOLD = {"wals_81a": {"north": "3-4", "south": ""}, "gb_107": {"north": "3-4"}}


@pytest.fixture(scope="module")
def pack(tmp_path_factory: pytest.TempPathFactory) -> Path:
    return write_books(tmp_path_factory.mktemp("packs") / "books", gold=GOLD)


def test_the_gold_pages_paragraphs_in_the_books_order(pack: Path) -> None:
    pool = load_pack(pack).pool("wals_81a")
    ranking = OracleRetriever(pack=pack).rank(SEARCH, pool["north"])
    assert ranking.order.tolist() == [2, 3]  # on page 3, and on 3 and 4
    assert ranking.scores.tolist() == [1, 1]
    assert OracleRetriever(pack=pack, k=1).rank(SEARCH, pool["north"]).order.tolist() == [2]


def test_gold_pages_that_are_none_give_nothing(pack: Path) -> None:
    pool = load_pack(pack).pool("wals_81a")
    assert OracleRetriever(pack=pack).rank(SEARCH, pool["south"]).order.tolist() == []
    assert OracleRetriever(pack=pack).rank(SEARCH, []).order.tolist() == []


def test_what_the_pack_does_not_know_is_said(pack: Path) -> None:
    pool = load_pack(pack).pool("gb_107")
    with pytest.raises(GrambenchError, match="does not say on which pages south describes gb_107"):
        OracleRetriever(pack=pack).rank(replace(SEARCH, feature="gb_107"), pool["south"])
    with pytest.raises(GrambenchError, match="no gold pages for the feature 'wals_49a'"):
        OracleRetriever(pack=pack).rank(replace(SEARCH, feature="wals_49a"), pool["north"])


@given(st.lists(st.lists(st.integers(1, 7), max_size=3).map(tuple), max_size=9))
def test_found_is_what_stands_on_gold_pages(pack: Path, pages: list[tuple[int, ...]]) -> None:
    book = [Paragraph(f"north/{i}", "north", "text", pages=p) for i, p in enumerate(pages)]
    found = OracleRetriever(pack=pack).rank(SEARCH, book).order.tolist()
    assert found == [i for i, on in enumerate(pages) if 3 in on or 4 in on]


@pytest.mark.parametrize("make", [OracleRetriever, NoRetriever])
def test_k_must_be_a_whole_number_above_0(make: type) -> None:
    with pytest.raises(GrambenchError, match=r"retriever\.k is 0"):
        make(k=0)


def test_none_finds_nothing(pack: Path) -> None:
    ranking = NoRetriever(k=5).rank(SEARCH, load_pack(pack).pool("wals_81a")["north"])
    assert (len(ranking.order), len(ranking.scores)) == (0, 0)
