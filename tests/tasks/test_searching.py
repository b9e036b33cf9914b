import numpy as np
import pytest

from src.errors import GrambenchError
from src.records import Paragraph, Ranking, Search
from src.retrieval.given import GivenRetriever
from src.retrieval.none import NoReranker
from src.tasks.searching import asked, search_grammars, unranked_notes, usage

SEARCH = Search("wals_81a", "the order", "term", "Find it", "mine")
POOLS = {
    name: tuple(Paragraph(f"{name}/{n}", name, f"text {n} of {name}") for n in range(4))
    for name in ("a", "b")
}


class Backwards:
    """A retriever of the last three, the last first, that says what it is given."""

    documents_encoded = 5

    def __init__(self):
        self.prepared = []

    def prepare(self, paragraphs):
        self.prepared.append([paragraph.id for paragraph in paragraphs])

    def rank(self, search, paragraphs):
        order = np.arange(len(paragraphs))[::-1][:3]
        return Ranking(order, np.arange(3, 0.0, -1.0))


class Scored(NoReranker):
    documents_encoded = 2

    def __init__(self, scores):
        super().__init__()
        self.scores = scores

    def score(self, search, paragraphs):
        return np.array([self.scores.get(p.id, 0) for p in paragraphs], dtype=np.float64)


def ids(found):
    return [[paragraph.id for paragraph in item.paragraphs] for item in found]


def test_retrieved_reranked_cut():
    scores = Scored({"a/2": 0.5, "a/0": 9, "b/1": 0.1})
    found = search_grammars(POOLS, SEARCH, Backwards(), scores, 2)
    # a/0 is not among the retriever's three; ties keep its order
    assert ids(found) == [["a/2", "a/3"], ["b/1", "b/3"]]
    assert found[0].ranking.scores.tolist() == [0.5, 0]
    assert found[0].retrieved.order.tolist() == [3, 2, 1]
    assert found[0].pool is POOLS["a"]


def test_without_k_nothing_is_cut_and_more_than_there_is_is_all():
    for k in (None, 99):
        assert ids(search_grammars(POOLS, SEARCH, Backwards(), NoReranker(), k)) == [
            ["a/3", "a/2", "a/1"],
            ["b/3", "b/2", "b/1"],
        ]


def test_a_retriever_that_prepares_sees_all_pools_once():
    retriever = Backwards()
    search_grammars(POOLS, SEARCH, retriever, NoReranker())
    assert retriever.prepared == [[p.id for pool in POOLS.values() for p in pool]]


def test_what_finds_nothing_leaves_nothing_to_score():
    class Nothing:
        def rank(self, search, paragraphs):
            return Ranking(np.zeros(0, dtype=np.intp), np.zeros(0))

    class Unasked(NoReranker):
        def score(self, search, paragraphs):
            raise AssertionError("there is nothing to score")

    assert ids(search_grammars(POOLS, SEARCH, Nothing(), Unasked(), 5)) == [[], []]


def test_a_ranking_that_is_none_is_refused():
    class Twice:
        def rank(self, search, paragraphs):
            return Ranking(np.array([1, 1]), np.ones(2))

    with pytest.raises(GrambenchError, match="ranking of a is none"):
        search_grammars(POOLS, SEARCH, Twice(), NoReranker())


def test_what_is_computed_is_counted_together():
    assert usage(Backwards(), Scored({})) == {"usage/documents_encoded": 7}
    assert usage(GivenRetriever(), NoReranker()) == {}
    assert asked(SEARCH, GivenRetriever(), NoReranker()) == {
        "query": "the order",
        "instruct": "Find it",
    }


@pytest.mark.parametrize(
    ("order", "scores"),
    [
        ([0.0, 1.0], [2, 1]),
        ([0, 1], [2, np.nan]),
        ([0, -1], [2, 1]),
        ([0, 9], [2, 1]),
        ([0], [2, 1]),
    ],
)
def test_rankings_of_other_kinds_that_are_none_are_refused(order, scores):
    class Own:
        def rank(self, search, paragraphs):
            return Ranking(np.array(order), np.array(scores))

    with pytest.raises(GrambenchError, match="ranking of a is none"):
        search_grammars(POOLS, SEARCH, Own(), NoReranker())


class Equal:
    """Gives all paragraphs of a grammar the score that is set for it."""

    def __init__(self, scores):
        self.scores = scores

    def rank(self, search, paragraphs):
        score = self.scores[paragraphs[0].grammar]
        return Ranking(np.arange(len(paragraphs)), np.full(len(paragraphs), float(score)))


def test_grammars_without_a_term_of_the_query_are_noted():
    found = search_grammars(POOLS, SEARCH, Equal({"a": 0, "b": 1}), NoReranker())
    (note,) = unranked_notes(found)
    assert "no term of the query" in note and note.endswith(": a")
    found = search_grammars(POOLS, SEARCH, GivenRetriever(), NoReranker())
    assert unranked_notes(found) == []


def test_a_query_that_no_grammar_shares_a_term_with_ranks_nothing():
    found = search_grammars(POOLS, SEARCH, Equal({"a": 0, "b": 0}), NoReranker())
    with pytest.raises(GrambenchError, match="no term of the query"):
        unranked_notes(found)
