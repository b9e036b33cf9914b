"""Gold pages among MTOB's recorded paragraphs, against a walk through the pack's tables."""

import csv
import re
from collections import defaultdict

import pyarrow.parquet as pq
import pytest

from src import data
from src.corpus.pack import load_pack
from src.records import Search
from src.retrieval.given import GivenRetriever
from src.retrieval.none import NoReranker
from src.retrieval.recorded import RecordedReranker
from src.tasks.paged import Settings
from src.tasks.retrieve import retrieve

pytestmark = pytest.mark.realdata

MODEL = "SFR-Embedding-Mistral"
SETTINGS = Settings(k=20, cutoffs=(20, 50), confidence=0.95, resamples=200, seed=0)

# feature: grammars, recall at 50 in the given order, recall at 20 by the recorded similarities
FIGURES = {
    "wals_81a": (21, 0.9233, 0.7328),
    "gb_107": (24, 0.9178, 0.8433),
    "wals_116a": (22, 0.9545, 0.8864),
    "wals_49a": (23, 0.8074, 0.6242),
}


@pytest.fixture(scope="module")
def folder(real_data, tmp_path_factory):
    place = tmp_path_factory.mktemp("packs")
    command = ["import", "mtob", str(real_data / "mtob"), "--data-dir", str(place)]
    assert data.main(command) == 0
    return place / "mtob"


def walked(folder, feature, k, scores=None):
    """Recall of gold pages at k, by grammar, from nothing but the tables."""
    pages, grammars = {}, {}
    for row in pq.read_table(folder / "paragraphs.parquet").to_pylist():
        pages[row["id"]], grammars[row["id"]] = set(row["pages"]), row["grammar"]
    ranked = defaultdict(list)
    for row in pq.read_table(folder / "candidates.parquet").to_pylist():
        if row["feature"] == feature:
            ranked[grammars[row["paragraph"]]].append(row["paragraph"])
    recalls = {}
    with (folder / "gold_pages.csv").open(encoding="utf-8", newline="") as file:
        for row in csv.DictReader(file):
            gold = set()
            for part in re.findall(r"[\d-]+", row["pages"]):
                first, _, last = part.partition("-")
                gold |= set(range(int(first), int(last or first) + 1))
            if row["feature"] != feature or not gold or row["grammar"] not in ranked:
                continue
            ids = ranked[row["grammar"]]
            if scores is not None:
                ids = sorted(ids, key=lambda key: -scores[key])
            found = set().union(*(pages[key] for key in ids[:k]))
            recalls[row["grammar"]] = len(found & gold) / len(gold)
    return recalls


def recorded_scores(folder, feature):
    return {
        row["paragraph"]: row["score"]
        for row in pq.read_table(folder / "scores.parquet").to_pylist()
        if (row["model"], row["instruct"], row["query"], row["feature"])
        == (MODEL, "specific", "summary", feature)
    }


def words(texts):
    return [len(text.split()) for text in texts]


def recalls_of(result, k):
    return {row["grammar"]: row[f"page_recall_at_{k}"] for row in result.tables["grammars"]}


@pytest.mark.parametrize("feature", FIGURES)
def test_recorded_orders(folder, feature):
    pack = load_pack(folder)
    search = Search(feature, "", "summary", "", "specific")
    n, at_50, at_20 = FIGURES[feature]
    given = GivenRetriever(k=50, pack=folder)
    first = retrieve(pack, search, given, NoReranker(), SETTINGS, words)
    assert recalls_of(first, 50) == pytest.approx(walked(folder, feature, 50))
    assert recalls_of(first, 20) == pytest.approx(walked(folder, feature, 20))
    assert first.metrics["page_recall_at_50"] == pytest.approx(at_50, abs=5e-5)
    # 50 are all that there is
    assert first.metrics["page_recall_at_50"] == pytest.approx(first.metrics["reachable"])
    reranker = RecordedReranker("recorded", [], MODEL, folder)
    then = retrieve(pack, search, given, reranker, SETTINGS, words, passed_on=20)
    scores = recorded_scores(folder, feature)
    assert recalls_of(then, 20) == pytest.approx(walked(folder, feature, 20, scores))
    assert then.metrics["page_recall_at_20"] == pytest.approx(at_20, abs=5e-5)
    assert then.metrics["retriever/page_recall_at_20"] == first.metrics["page_recall_at_20"]
    assert first.metrics["grammars"] == then.metrics["grammars"] == n
    assert "page_recall_at_20_gain_p" in then.metrics


def test_a_grammar_of_46_paragraphs_is_searched_to_its_end(folder):
    pack = load_pack(folder)
    search, given = Search("wals_49a", "", "summary"), GivenRetriever(k=50, pack=folder)
    result = retrieve(pack, search, given, NoReranker(), SETTINGS, words, passed_on=50)
    (row,) = [r for r in result.tables["grammars"] if r["grammar"] == "hudson1974structural"]
    assert row["pool"] == row["ranked"] == 46
    assert row["page_recall_at_50"] == row["chance/page_recall_at_50"] == row["reachable"]
