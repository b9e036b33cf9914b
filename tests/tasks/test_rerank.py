import math
from dataclasses import replace

import numpy as np
import pytest

from src.corpus.pack import load_pack
from src.errors import GrambenchError
from src.records import Ranking, Search
from src.retrieval.given import GivenRetriever
from src.retrieval.none import NoReranker
from src.tasks.ranked import Settings
from src.tasks.rerank import rerank
from tests.packs import write_pack

SEARCH = Search("wals_81a", "the order of subject, object and verb", "term")
SETTINGS = Settings(
    k=2, cutoffs=(1, 2, 3), gain="linear", relevant=4, confidence=0.95, resamples=500, seed=0
)
AT_1 = replace(SETTINGS, k=1, cutoffs=(1,))
GIVEN = GivenRetriever(name="given", inputs=[], k=50)


class Scored:
    """A reranker with fixed scores by paragraph."""

    def __init__(self, scores):
        self.scores = scores

    def score(self, search, paragraphs):
        return np.array([self.scores[p.id] for p in paragraphs], dtype=np.float64)


def pack_of(tmp_path, grades):
    return load_pack(write_pack(tmp_path / "small", grades))


def test_figures_worked_out_by_hand(tmp_path):
    # a: reranked to grades 5 0 3, ideal 5 3 0; b keeps 0 4, ideal 4 0
    pack = pack_of(tmp_path, {"a": [0, 3, 5], "b": [0, 4]})
    scores = {"a/001": 0.5, "a/002": 0.1, "a/003": 0.9, "b/001": 0.2, "b/002": 0.1}
    result = rerank(pack, SEARCH, GIVEN, Scored(scores), SETTINGS)
    log3 = math.log2(3)
    a_at_2, b_at_2 = 5 / (5 + 3 / log3), (4 / log3) / 4
    a_at_3 = (5 + 3 / 2) / (5 + 3 / log3)
    assert result.metrics["ndcg_at_1"] == pytest.approx(0.5)
    assert result.metrics["ndcg_at_2"] == pytest.approx((a_at_2 + b_at_2) / 2, abs=1e-15)
    assert result.metrics["ndcg_at_3"] == pytest.approx((a_at_3 + b_at_2) / 2, abs=1e-15)
    assert list(result.curves["ndcg"]) == pytest.approx(
        [0.5, (a_at_2 + b_at_2) / 2, (a_at_3 + b_at_2) / 2]
    )
    # relevant from grade 4 on: the first of a's two, the second of b's
    assert result.metrics["precision_at_2"] == pytest.approx(0.5)
    assert result.metrics["recall_at_2"] == 1.0
    assert result.metrics["ap_at_2"] == pytest.approx((1 + 1 / 2) / 2)
    assert result.metrics["rr_at_2"] == pytest.approx((1 + 1 / 2) / 2)
    # against the given order: a had 3/log2(3) of that ideal, b the same as now
    before = (3 / log3) / (5 + 3 / log3)
    assert result.metrics["candidates/ndcg_at_2"] == pytest.approx((before + b_at_2) / 2)
    assert result.metrics["ndcg_at_2_gain"] == pytest.approx((a_at_2 - before) / 2)
    # two grammars, one of them without difference: of the 4 sign patterns all are as extreme
    assert result.metrics["ndcg_at_2_gain_p"] == 1.0


def test_ties_keep_the_given_order(tmp_path):
    pack = pack_of(tmp_path, {"a": [1, 5, 3, 0]})
    tied = Scored({"a/001": 0.1, "a/002": 0.1, "a/003": 0.9, "a/004": 0.1})
    result = rerank(pack, SEARCH, GIVEN, tied, SETTINGS)
    order = [row["paragraph"] for row in result.tables["rankings"]]
    assert order == ["a/003", "a/001", "a/002", "a/004"]


def test_the_given_order_has_no_gain(tmp_path):
    pack = pack_of(tmp_path, {"a": [0, 3, 5], "b": [0, 4]})
    metrics = rerank(pack, SEARCH, GIVEN, NoReranker(), SETTINGS).metrics
    assert metrics["ndcg_at_2_gain"] == 0 and metrics["ndcg_at_2_gain_p"] == 1
    assert metrics["ndcg_at_2"] == metrics["candidates/ndcg_at_2"]


def test_a_retriever_that_keeps_few_is_judged_by_all_candidates(tmp_path):
    pack = pack_of(tmp_path, {"a": [2, 0, 5]})
    one = GivenRetriever(name="given", inputs=[], k=1)
    result = rerank(pack, SEARCH, one, NoReranker(), SETTINGS)
    assert result.metrics["ndcg_at_1"] == pytest.approx(2 / 5)
    assert len(result.tables["rankings"]) == 1
    assert any("kept 1 of 3 graded paragraphs" in note for note in result.notes)
    assert result.metrics["recall_at_2"] == 0


def test_the_reranker_breaks_no_tie_of_the_retriever_anew(tmp_path):
    class Backwards:
        def rank(self, search, paragraphs):
            order = np.arange(len(paragraphs))[::-1]
            return Ranking(order, np.arange(len(paragraphs), 0.0, -1.0))

    pack = pack_of(tmp_path, {"a": [1, 5, 3]})
    result = rerank(pack, SEARCH, Backwards(), NoReranker(), SETTINGS)
    assert [row["grade"] for row in result.tables["rankings"]] == [3, 5, 1]
    assert [row["candidate_rank"] for row in result.tables["rankings"]] == [3, 2, 1]
    assert [row["retriever_score"] for row in result.tables["rankings"]] == [3, 2, 1]


def test_a_grammar_without_graded_gain_is_left_out_and_named(tmp_path):
    pack = pack_of(tmp_path, {"a": [0, 3, 5], "nothing": [0, 0], "poor": [1, 2]})
    result = rerank(pack, SEARCH, GIVEN, NoReranker(), SETTINGS)
    assert result.metrics["grammars"] == 2 and result.metrics["grammars_without_ndcg"] == 1
    assert any("no NDCG: nothing" in note for note in result.notes)
    assert any("no recall, AP or RR: nothing, poor" in note for note in result.notes)
    # recall is that of the one grammar that has something to find
    assert result.metrics["recall_at_2"] == 0.0


def test_no_grammar_with_gain_at_all(tmp_path):
    pack = pack_of(tmp_path, {"a": [0, 0]})
    metrics = rerank(pack, SEARCH, GIVEN, NoReranker(), SETTINGS).metrics
    assert math.isnan(metrics["ndcg_at_2"]) and metrics["grammars"] == 0


def test_chance_is_the_mean_over_all_orders(tmp_path):
    # two candidates, 4 and 0: NDCG@1 is 1 in one order and 0 in the other
    pack = pack_of(tmp_path, {"a": [4, 0]})
    metrics = rerank(pack, SEARCH, GIVEN, NoReranker(), AT_1).metrics
    assert metrics["chance/ndcg_at_1"] == pytest.approx(0.5)


def test_exponential_gain(tmp_path):
    pack = pack_of(tmp_path, {"a": [3, 5]})
    settings = replace(AT_1, gain="exponential")
    metrics = rerank(pack, SEARCH, GIVEN, NoReranker(), settings).metrics
    assert metrics["ndcg_at_1"] == pytest.approx((2**3 - 1) / (2**5 - 1))


def test_a_score_that_is_no_number_names_the_paragraph(tmp_path):
    pack = pack_of(tmp_path, {"a": [3, 5]})
    with pytest.raises(GrambenchError, match="a/002"):
        rerank(pack, SEARCH, GIVEN, Scored({"a/001": 1.0, "a/002": math.nan}), SETTINGS)


def test_a_feature_without_grades_is_named(tmp_path):
    pack = pack_of(tmp_path, {"a": [3, 5]})
    with pytest.raises(GrambenchError, match="gb_107"):
        rerank(pack, Search("gb_107", "negation", "term"), GIVEN, NoReranker(), SETTINGS)


def test_limit_reads_the_first_grammars(tmp_path):
    pack = pack_of(tmp_path, {"a": [3, 5], "b": [5, 3]})
    result = rerank(pack, SEARCH, GIVEN, NoReranker(), SETTINGS, limit=1)
    assert [row["grammar"] for row in result.tables["grammars"]] == ["a"]


def test_the_figure_is_drawn(tmp_path):
    pack = pack_of(tmp_path, {"a": [0, 3, 5], "b": [0, 4]})
    result = rerank(pack, SEARCH, GIVEN, NoReranker(), SETTINGS)
    result.figures["ndcg.png"](tmp_path / "ndcg.png")
    assert (tmp_path / "ndcg.png").read_bytes().startswith(b"\x89PNG")


def test_a_reranker_that_prepares_sees_all_paragraphs_once(tmp_path):
    class Preparing(NoReranker):
        def __init__(self):
            super().__init__()
            self.prepared = []

        def prepare(self, paragraphs):
            self.prepared.append([paragraph.id for paragraph in paragraphs])

    pack = pack_of(tmp_path, {"a": [3, 5], "b": [5]})
    reranker = Preparing()
    rerank(pack, SEARCH, GIVEN, reranker, SETTINGS)
    assert reranker.prepared == [["a/001", "a/002", "b/001"]]


def test_what_was_asked_is_kept(tmp_path):
    pack = pack_of(tmp_path, {"a": [3, 5]})
    search = Search("wals_81a", "the order", "term", "Find it", "mine")
    assert rerank(pack, search, GIVEN, NoReranker(), SETTINGS).texts == {
        "query": "the order",
        "instruct": "Find it",
    }


def test_a_reranker_that_gives_too_few_scores_is_refused(tmp_path):
    class Short(NoReranker):
        def score(self, search, paragraphs):
            return np.zeros(1)

    pack = pack_of(tmp_path, {"a": [3, 5]})
    with pytest.raises(GrambenchError, match=r"shape \(1,\) for 2 paragraphs"):
        rerank(pack, SEARCH, GIVEN, Short(), SETTINGS)


@pytest.mark.parametrize(
    ("order", "scores"),
    [([0, 0], [1, 1]), ([0, 2], [1, 1]), ([-1, 0], [1, 1]), ([0, 1], [1])],
)
def test_a_ranking_that_is_none_is_refused(tmp_path, order, scores):
    class Wrong:
        def rank(self, search, paragraphs):
            return Ranking(np.array(order, dtype=np.intp), np.array(scores, dtype=np.float64))

    pack = pack_of(tmp_path, {"a": [3, 5]})
    with pytest.raises(GrambenchError, match="ranking of a is none"):
        rerank(pack, SEARCH, Wrong(), NoReranker(), SETTINGS)


class Finding:
    """A retriever that finds only some paragraphs."""

    def __init__(self, *ids):
        self.ids = ids

    def rank(self, search, paragraphs):
        order = [place for place, p in enumerate(paragraphs) if p.id in self.ids]
        return Ranking(np.array(order, dtype=np.intp), np.ones(len(order)))


def test_a_grammar_in_which_nothing_is_found_gains_nothing(tmp_path):
    pack = pack_of(tmp_path, {"a": [3, 5], "b": [5, 3]})
    result = rerank(pack, SEARCH, Finding("b/001"), NoReranker(), AT_1)
    rows = {row["grammar"]: row for row in result.tables["grammars"]}
    assert rows["a"]["ndcg_at_1"] == 0 and rows["a"]["ranked"] == 0
    assert rows["b"]["ndcg_at_1"] == 1


def test_where_nothing_is_found_at_all_nothing_is_left_to_rank(tmp_path):
    pack = pack_of(tmp_path, {"a": [3, 5]})
    with pytest.raises(GrambenchError, match="nothing is left to rank"):
        rerank(pack, SEARCH, Finding(), NoReranker(), SETTINGS)
