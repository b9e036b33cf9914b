import math
from dataclasses import replace
from pathlib import Path

import numpy as np
import pytest

from src.corpus.pack import load_pack
from src.errors import GrambenchError
from src.records import Ranking, Search
from src.retrieval.bm25_fast import BM25sRetriever
from src.retrieval.given import GivenRetriever
from src.retrieval.none import NoReranker
from src.tasks.paged import Settings
from src.tasks.retrieve import retrieve
from tests.packs import write_books

SEARCH = Search("wals_81a", "the order of subject, object and verb", "term")
SETTINGS = Settings(k=2, cutoffs=(1, 3), confidence=0.95, resamples=500, seed=0)
BOOKS = {
    "a": [("1", "one"), ("2", "three"), ("2, 3", "seven77"), ("4", "five5")],
    "b": [("7", "two2"), ("8", "four44")],
}
GOLD = {"wals_81a": {"a": "2-4", "b": "8"}}


class Order:
    """A retriever with a fixed order of places, cut to what a pool has."""

    def __init__(self, *places):
        self.places = places

    def rank(self, search, paragraphs):
        order = [place for place in self.places if place < len(paragraphs)]
        return Ranking(np.array(order, dtype=np.intp), -np.arange(len(order), dtype=np.float64))


class Scored(NoReranker):
    def __init__(self, **scores):
        super().__init__()
        self.scores = scores

    def score(self, search, paragraphs):
        return np.array([self.scores.get(p.text, 0) for p in paragraphs], dtype=np.float64)


def words(texts):
    return [len(text.split()) for text in texts]


def found(tmp_path, retriever, reranker=None, *, books=BOOKS, gold=GOLD, areas=None, **more):
    folder = tmp_path / f"pack{len(list(tmp_path.iterdir()))}"
    pack = load_pack(write_books(folder, books, gold, areas or {}))
    settings = more.pop("settings", SETTINGS)
    search = more.pop("search", SEARCH)
    return retrieve(pack, search, retriever, reranker or NoReranker(), settings, words, **more)


# a is ranked as pages 1 / 2, 3 / 2 / 4, of which 2, 3, 4 are gold; b as 7 / 8, of which 8 is
SHUFFLED = Order(0, 2, 1, 3)


def test_figures_worked_out_by_hand(tmp_path):
    result = found(tmp_path, SHUFFLED)
    expected = {
        "page_recall_at_1": 0,
        "page_recall_at_2": (2 / 3 + 1) / 2,
        "page_recall_at_3": (2 / 3 + 1) / 2,
        "page_rr_at_2": 1 / 2,
        "page_hit_at_1": 0,
        "page_hit_at_2": 1,
        "page_precision_at_3": (2 / 3 + 1 / 3) / 2,
        "characters_at_1": (3 + 4) / 2,
        "characters_at_3": (15 + 10) / 2,
        "tokens_at_3": (3 + 2) / 2,
        "characters_to_first_page": (10 + 10) / 2,
        "characters_to_all_pages": (20 + 10) / 2,
        # page 2 is on two of a's four paragraphs, 3 and 4 on one each; b's two are all of it
        "chance/page_recall_at_2": ((5 / 6 + 1 / 2 + 1 / 2) / 3 + 1) / 2,
        "reachable": 1,
        "grammars": 2,
        "grammars_with_all_pages": 2,
    }
    assert {name: result.metrics[name] for name in expected} == pytest.approx(expected)
    assert list(result.curves["page_recall"]) == pytest.approx([0, 5 / 6, 5 / 6, 1])
    assert result.metrics["page_recall_at_2_low"] == pytest.approx(2 / 3)
    assert result.metrics["page_recall_at_2_high"] == 1
    assert not [name for name in result.metrics if "gain" in name]


def test_rankings_tell_pages_and_whether_they_are_gold(tmp_path):
    rows = found(tmp_path, SHUFFLED).tables["rankings"]
    assert rows[1] == {
        "grammar": "a",
        "rank": 2,
        "paragraph": "a/0003",
        "retriever_rank": 2,
        "retriever_score": -1.0,
        "score": 0.0,
        "pages": [2, 3],
        "gold": True,
        "characters": 7,
        "tokens": 1,
        "section": "",
    }
    assert [row["gold"] for row in rows] == [False, True, True, True, False, True]


def test_reranking_is_tested_against_the_retrievers_order(tmp_path):
    # of a: first 2, then 2 3; b as it was
    result = found(tmp_path, SHUFFLED, Scored(three=2, seven77=1), passed_on=2)
    rows = {row["grammar"]: row for row in result.tables["grammars"]}
    assert rows["a"]["page_recall_at_1"] == pytest.approx(1 / 3)
    assert rows["a"]["page_recall_at_2"] == pytest.approx(2 / 3)
    assert result.metrics["page_recall_at_2_gain"] == 0
    assert result.metrics["page_recall_at_2_gain_p"] == 1
    at_1 = Settings(k=1, cutoffs=(1,), confidence=0.95, resamples=500, seed=0)
    reranked = Scored(seven77=2, four44=1)
    metrics = found(tmp_path, SHUFFLED, reranked, settings=at_1).metrics
    assert metrics["retriever/page_recall_at_1"] == 0
    assert metrics["page_recall_at_1_gain"] == pytest.approx((2 / 3 + 1) / 2)
    # of the 4 sign patterns two are as extreme
    assert metrics["page_recall_at_1_gain_p"] == 0.5


def test_only_so_many_paragraphs_are_passed_on(tmp_path):
    result = found(tmp_path, SHUFFLED, passed_on=2)
    assert [row["ranked"] for row in result.tables["grammars"]] == [2, 2]
    assert len(result.curves["page_recall"]) == 2
    assert "page_recall_at_3" not in result.metrics and not result.notes
    cut = found(tmp_path, SHUFFLED, passed_on=1)
    assert cut.headline[0] == "page_recall_at_1" and cut.metrics["page_recall_at_1"] == 0
    assert any("figures are at 1, not at 2" in note for note in cut.notes)


def test_a_retriever_that_finds_nothing_finds_no_page(tmp_path):
    metrics = found(tmp_path, Order()).metrics
    for name in ("page_recall_at_2", "page_rr_at_2", "page_hit_at_3", "characters_at_3"):
        assert metrics[name] == 0
    assert metrics["reachable"] == 1 and metrics["grammars_with_first_page"] == 0
    assert math.isnan(metrics["characters_to_first_page"])


def test_what_cannot_be_reached_bounds_recall(tmp_path):
    result = found(tmp_path, SHUFFLED, gold={"wals_81a": {"a": "4, 90", "b": "91"}})
    assert result.metrics["reachable"] == pytest.approx((1 / 2 + 0) / 2)
    assert result.curves["page_recall"][-1] == pytest.approx(1 / 4)
    assert result.metrics["grammars_with_all_pages"] == 0


def test_recall_by_macroarea(tmp_path):
    metrics = found(tmp_path, SHUFFLED, areas={"a": "North America"}).metrics
    assert metrics["page_recall_at_2/macroarea/North America"] == pytest.approx(2 / 3)
    assert metrics["page_recall_at_2/macroarea/unknown"] == 1
    assert metrics["grammars/macroarea/unknown"] == 1
    assert not [name for name in found(tmp_path, SHUFFLED).metrics if "macroarea" in name]


def test_grammars_that_cannot_be_judged_are_left_out_and_named(tmp_path):
    books = {**BOOKS, "tex": [("", "no page")], "lone": [("1", "a")], "none": [("1", "b")]}
    gold = {"wals_81a": {**GOLD["wals_81a"], "tex": "1", "none": ""}}
    books["b"] = [*BOOKS["b"], ("", "an appendix")]
    result = found(tmp_path, SHUFFLED, books=books, gold=gold)
    assert [row["grammar"] for row in result.tables["grammars"]] == ["a", "b"]
    notes = "\n".join(result.notes)
    assert "those who looked for gold pages found none: none" in notes
    assert "LaTeX and text without page breaks have none): tex" in notes
    assert "nobody looked for gold pages: lone" in notes
    assert "1 of 7 paragraphs know no page" in notes


def test_a_grammar_without_text_is_left_out_and_named(tmp_path):
    folder = write_books(tmp_path / "pack", BOOKS, GOLD, {})
    with (folder / "grammars.csv").open("a") as file:
        file.write("lost,Lost,\n")
    with (folder / "gold_pages.csv").open("a") as file:
        file.write("wals_81a,lost,5\n")
    result = retrieve(load_pack(folder), SEARCH, SHUFFLED, NoReranker(), SETTINGS, words)
    assert result.notes == ["left out, since there is no text to retrieve from: lost"]


def test_a_pack_in_which_nothing_can_be_judged_says_why(tmp_path):
    with pytest.raises(GrambenchError, match=r"can be judged for wals_81a.*looked.*: a, b"):
        found(tmp_path, SHUFFLED, gold={"wals_81a": {"a": "", "b": ""}})
    with pytest.raises(GrambenchError, match="no gold pages for the feature 'wals_49a'"):
        found(tmp_path, SHUFFLED, search=Search("wals_49a", "cases", "term"))


def test_limit_reads_the_first_grammars(tmp_path):
    result = found(tmp_path, SHUFFLED, limit=1)
    assert [row["grammar"] for row in result.tables["grammars"]] == ["a"]
    assert math.isnan(result.metrics["page_recall_at_2_low"])


def test_recorded_candidates_are_searched_where_the_whole_is_not_there(tmp_path):
    folder = write_books(tmp_path / "pack", BOOKS, GOLD, {})
    (folder / "documents.csv").unlink()
    (folder / "candidates.csv").write_text(
        "feature,paragraph\nwals_81a,a/0004\nwals_81a,a/0001\n", encoding="utf-8"
    )
    pack = load_pack(folder)
    for retriever in (GivenRetriever(pack=folder), BM25sRetriever(variant="lucene")):
        search = replace(SEARCH, query=pack.paragraphs["a/0004"].text)
        result = retrieve(pack, search, retriever, NoReranker(), SETTINGS, words)
        (row,) = result.tables["grammars"]
        assert (row["grammar"], row["pool"]) == ("a", 2)
        assert row["reachable"] == pytest.approx(1 / 3)
        assert row["page_recall_at_2"] == pytest.approx(1 / 3)


def test_the_figure_is_drawn(tmp_path: Path):
    result = found(tmp_path, SHUFFLED, Scored(three=2))
    result.figures["page_recall.png"](tmp_path / "page_recall.png")
    assert (tmp_path / "page_recall.png").read_bytes().startswith(b"\x89PNG")


def test_a_row_a_macroarea(tmp_path):
    assert "macroareas" not in found(tmp_path, SHUFFLED).tables
    books = {**BOOKS, "c": [("5", "five"), ("6", "six")]}
    gold = {"wals_81a": {**GOLD["wals_81a"], "c": "6"}}
    areas = {"a": "Africa", "b": "Eurasia", "c": "Africa"}
    result = found(tmp_path, SHUFFLED, books=books, gold=gold, areas=areas)
    africa, eurasia = result.tables["macroareas"]
    assert (africa["macroarea"], africa["grammars"]) == ("Africa", 2)
    assert africa["page_recall_at_1"] == 0
    assert africa["page_recall_at_2"] == pytest.approx((2 / 3 + 1) / 2)
    assert africa["chance/page_recall_at_2"] == pytest.approx(((5 / 6 + 1) / 3 + 1) / 2)
    assert (eurasia["grammars"], eurasia["page_recall_at_3"]) == (1, 1)
    # the means over macroareas, weighed by their grammars, are the mean over grammars
    weighed = (2 * africa["page_recall_at_2"] + eurasia["page_recall_at_2"]) / 3
    assert weighed == pytest.approx(result.metrics["page_recall_at_2"])


def test_a_curve_is_as_long_as_what_is_found_not_as_what_may_be_passed_on(tmp_path):
    result = found(tmp_path, SHUFFLED, passed_on=10**12)
    assert len(result.curves["page_recall"]) == 4
    assert result.metrics == pytest.approx(found(tmp_path, SHUFFLED).metrics, nan_ok=True)


def test_figures_beyond_what_the_retriever_kept_are_told(tmp_path):
    result = found(tmp_path, Order(1))
    assert result.metrics["page_recall_at_3"] == result.metrics["page_recall_at_1"]
    (note,) = [note for note in result.notes if "retriever kept" in note]
    assert "kept only 1 paragraphs in 2 of 2 grammars" in note and "up to those at 3" in note
    # b has no more than two
    assert not [n for n in found(tmp_path, Order(0, 1, 2)).notes if "retriever kept" in n]


def test_gold_pages_after_the_end_of_a_book_are_told(tmp_path):
    folder = write_books(tmp_path / "pack", BOOKS, {"wals_81a": {"a": "2, 90", "b": "8"}})
    (folder / "documents.csv").write_text("grammar,pages\na,4\nb,\n", encoding="utf-8")
    result = retrieve(load_pack(folder), SEARCH, SHUFFLED, NoReranker(), SETTINGS, words)
    (note,) = [note for note in result.notes if "after the book's last page" in note]
    assert note.endswith(": a")
    assert result.metrics["reachable"] == pytest.approx((1 / 2 + 1) / 2)


def test_that_only_candidates_are_searched_is_told(tmp_path):
    folder = write_books(tmp_path / "pack", BOOKS, GOLD, {})
    (folder / "documents.csv").write_text("grammar\nb\n", encoding="utf-8")
    (folder / "candidates.csv").write_text("feature,paragraph\nwals_81a,a/0002\n")
    result = retrieve(load_pack(folder), SEARCH, SHUFFLED, NoReranker(), SETTINGS, words)
    (note,) = [note for note in result.notes if "recorded candidates" in note]
    assert note.startswith("of 1 of 2 grammars only") and "1 paragraphs each" in note
